import {
  DOUBLED_MULTIPLE,
  MARK_WINDOW_MS,
  PROVEN_GAIN_PERCENT,
  SECOND_MS,
  SWAP_FEE_PERCENT,
} from '#schema/constants.ts';
import { SHARE_AFTER_SWAP_FEE } from '#schema/rules/calls/follower-return.ts';
import { formatChange, formatRate, formatUsd, grouped } from '#schema/rules/text/format.ts';
import { formatMultiple, formatProfitFactor } from '#schema/rules/text/format-amounts.ts';
import { Definition } from './definition.tsx';
import {
  exampleCalls,
  exampleFigures,
  exampleMark,
  exampleTrade,
  exampleTradeChange,
  goodProvenRate,
  luckyProvenRate,
} from './example-calls.ts';

const { calls, wins, stakeHeights } = exampleFigures;
const changes = exampleCalls.map(({ changePercent }) => changePercent);
const listed = (values: readonly number[]) => values.map(formatChange).join(', ');
const unsigned = (percent: number) => formatRate(Math.abs(percent));
const gains = changes.filter((change) => change > 0).map(unsigned);
const losses = changes.filter((change) => change < 0).map(unsigned);
const heights = stakeHeights.map(formatMultiple).join(', ');
const greatest = stakeHeights[0] ?? 1;
const lowest = Math.min(...stakeHeights);
const peaks = exampleCalls
  .map(({ entryPrice, peakPrice }) => formatMultiple(Math.max(1, Number(peakPrice) / Number(entryPrice))))
  .join(', ');

/** The definitions of all figures. Each figure counts only ranked calls. */
export function Figures() {
  return (
    <>
      <Definition
        id="win-rate"
        name="Win Rate"
        formula="Calls that ended above their entry price, divided by all ended ranked calls. A call that ended exactly at
          its entry price is not a win."
        example={`${wins} of ${calls} ended above their entry: ${wins} / ${calls} = ${formatRate(exampleFigures.winRate)}.`}
      />
      <Definition
        id="avg-return"
        name="Avg Return"
        formula="The change from entry to end in percent, (end − entry) / entry × 100, averaged over all ended ranked calls."
        example={`The average of ${listed(changes)} is ${formatChange(exampleFigures.averageReturn)}.`}
      >
        One great call can raise it a lot, so we show the median too.
      </Definition>
      <Proven />
      <Definition
        id="median-return"
        name="Median Return"
        formula="The middle change when all are sorted; for an even number of calls, the average of the two in the
          middle. Half of the calls did better, half did worse."
        example={`Sorted: ${listed(changes.toSorted((one, other) => one - other))}. The middle is ${formatChange(exampleFigures.medianReturn)}.`}
      />
      <Definition
        id="best-and-worst"
        name="Best and Worst"
        formula="The highest and the lowest change of a single call."
        example={`${formatChange(exampleFigures.bestReturn)} and ${formatChange(exampleFigures.worstReturn)}.`}
      />
      <Definition
        id="doubled"
        name={`Ended at ${DOUBLED_MULTIPLE}x or More`}
        formula={`Calls that ended at ${DOUBLED_MULTIPLE} times their entry price or more, divided by all. A peak along the way doesn't count.`}
        example={`AAA (2.00x) and EEE (2.50x): 2 / ${calls} = ${formatRate(exampleFigures.shareOfDoubledCalls)}.`}
      />
      <MaxDrawdown />
      <Definition
        id="profit-factor"
        name="Profit Factor"
        formula="The sum of all gains in percent, divided by the sum of all losses. Above 1, the gains are larger. Without a
          losing call there is nothing to divide by, so it reads “No losses”."
        example={`(${gains.join(' + ')}) / (${losses.join(' + ')}) = ${formatProfitFactor(exampleFigures)}.`}
      >
        A high Win Rate with a Profit Factor below 1 means many small gains and a few large losses.
      </Definition>
      <Definition
        id="average-peak"
        name="Average Peak"
        formula="A call's peak divided by its entry price, at least 1x, averaged over calls with a known peak."
        example={`The average of ${peaks} is ${formatMultiple(exampleFigures.averagePeakMultiple)}.`}
      >
        It shows how far calls rose, not what anyone earned from them.
      </Definition>
      <FollowerReturn />
      <Definition
        id="open-calls"
        name="Open Calls"
        formula="The average change of ranked calls that are still open, at their last known prices. Only people who can
          see a caller's active calls see it."
        example={`One from 2 to 0.8 and one from 1 to 1.5: (−60% + 50%) / 2 = ${formatChange(exampleMark)}.`}
      >
        No other figure includes these changes.
      </Definition>
    </>
  );
}

function Proven() {
  return (
    <Definition
      id="proven"
      name="Proven"
      formula={`The 95% confidence lower bound of the win rate (Wilson score interval). A win here is a ranked call that ended at least ${PROVEN_GAIN_PERCENT}% above its entry price. n counts ended ranked calls and all open calls, which are not wins yet. With p = wins / n: (p + z²/2n − z × √(p(1 − p)/n + z²/4n²)) / (1 + z²/n), where z = 1.96.`}
      example={`${wins} of ${calls}: ${formatRate(exampleFigures.provenRate)}. One call, won: ${formatRate(luckyProvenRate)}. 40 of 50: ${formatRate(goodProvenRate)}.`}
    >
      One lucky call ranks below fifty good ones. Ending a hundred calls at once for tiny gains doesn't raise
      it, and neither does keeping losing calls open.
    </Definition>
  );
}

const { entry, end, stakeUsd, tokens, proceeds, percent } = exampleTrade;
const usd = (amount: number) => `$${grouped(amount, 2)}`;

function FollowerReturn() {
  return (
    <Definition
      id="follower-return"
      name="Follower Return"
      formula={`What ${formatUsd(stakeUsd)} made for somebody who bought one minute after the call and sold one minute after its end. We record a price and its liquidity at these times. Each trade pays a fee of ${SWAP_FEE_PERCENT}% and moves the price of a pool with half of the liquidity in USD (constant product, x × y = k). With stake s × ${SHARE_AFTER_SWAP_FEE} = a, price p and half the liquidity r: tokens = a / (p × (1 + a / r)). Selling: tokens × ${SHARE_AFTER_SWAP_FEE} × p = b, proceeds = b / (1 + b / r). A caller's figure is the median over ended ranked calls with both prices.`}
      example={`Bought at $${entry.price} with ${formatUsd(entry.liquidityUsd)} of liquidity: ${grouped(tokens, 2)} tokens. Sold at $${end.price} with ${formatUsd(end.liquidityUsd)}: ${usd(proceeds)}, so ${formatChange(percent)}. The price itself rose by ${formatChange(exampleTradeChange)}.`}
    >
      A price that a source saw over {MARK_WINDOW_MS / SECOND_MS} seconds late isn't recorded. Without both
      prices and their liquidity, a call has no figure. In a caller's figures, a call counts at most as its
      own change counts, so pumping a token for that minute gains nothing above it. Calls without a figure may
      be those of tokens that nobody could sell any more, so the number of calls is always shown.
    </Definition>
  );
}

function MaxDrawdown() {
  return (
    <Definition
      id="max-drawdown"
      name="Max Drawdown"
      formula="Imagine one stake that is fully reinvested in each call, in the order in which they ended. It starts at 1x.
        The drawdown is its deepest fall from an earlier high, in percent; 0 if it never fell."
      example={`After each call the stake is at ${heights}. From ${formatMultiple(greatest)} down to ${formatMultiple(lowest)} is ${formatChange(exampleFigures.maxDrawdown)}.`}
    >
      The curve on a profile shows this stake on a logarithmic scale. It shows the order of gains and losses,
      not what a follower would have earned: calls overlap, and trades have costs.
    </Definition>
  );
}
