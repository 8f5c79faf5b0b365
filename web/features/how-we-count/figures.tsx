import {
  CALCULATOR_CALLS,
  CALCULATOR_STAKE_USD,
  DAY_MS,
  DOUBLED_MULTIPLE,
  FOLLOWER_FIGURES_CALLS,
  MAX_CALLS_PER_DAY,
  MAX_FOLLOWER_RESULT_PERCENT,
  MIN_PROVEN_DAYS,
  MIN_PROVEN_MINTS,
  SUBSCRIPTION_PERIOD_MS,
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
  luckyFigures,
  steadyFigures,
} from './example-calls.ts';

const PERIOD_DAYS = SUBSCRIPTION_PERIOD_MS / DAY_MS;
const { calls, wins } = exampleFigures;
const changes = exampleCalls.map(({ changePercent }) => changePercent);
const listed = (values: readonly number[]) => values.map(formatChange).join(', ');
const unsigned = (percent: number) => formatRate(Math.abs(percent));
const gains = changes.filter((change) => change > 0).map(unsigned);
const losses = changes.filter((change) => change < 0).map(unsigned);
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
        One great call can raise it a lot, so orders list callers with a Proven above 0% first.
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
      <Calculator />
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
      formula={`What a follower made per call, as far as it is certain. It takes the results behind Follower Return. A loss counts at once. A gain counts if the call was opened before the caller's oldest open call, and keeps its place among the ${FOLLOWER_FIGURES_CALLS} while it waits; if the log can't prove its time, it counts as 0%. Proven is the lower limit of the two-sided 95% confidence interval of the mean m: m − t × se, se² = G / (G − 1) × Σ (sum of (result − m) in a group)² / N². The results are grouped once by token and once by UTC day of the call; t is Student's, with G − 1 degrees of freedom. The lower limit counts. It needs ${MIN_PROVEN_DAYS} days and ${MIN_PROVEN_MINTS} tokens.`}
      example={`Ten tokens on ten days, five results of +20% and five of +4%: mean ${formatChange(steadyFigures.followerReturn)}, Proven ${formatChange(steadyFigures.proven)}. One of +200% and nine of 0%: mean ${formatChange(luckyFigures.followerReturn)}, Proven ${formatChange(luckyFigures.proven)}.`}
    >
      One lucky call, many calls of one lucky hour, or ending winners while losers stay open prove little. In
      orders by a rate or return, callers whose Proven is above 0% come first. What remains possible: leaving
      a call open keeps a good Proven for up to 30 days, and with {FOLLOWER_FIGURES_CALLS} ends in that time,
      gains leave the window uncounted. A lucky hour around midnight UTC counts as two days, and{' '}
      {MAX_CALLS_PER_DAY} calls of one very lucky day can outweigh nine flat days. Somebody can use tokens of
      their own, at the cost of their liquidity, volume and fees. If such a token disappears right after the
      end, or the price was pumped for that moment only, Avg Return rises and Proven doesn't. Somebody can use
      several accounts and show the luckiest one.
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
      formula={`The mean result of the newest ${FOLLOWER_FIGURES_CALLS} ended ranked calls. A call's result is what ${formatUsd(stakeUsd)} made for somebody who bought one minute after the call and sold one minute after its end. Each trade pays ${SWAP_FEE_PERCENT}% and moves the price of a pool with half of the liquidity in USD (constant product). With stake s × ${SHARE_AFTER_SWAP_FEE} = a, price p and half the liquidity r: tokens = a / (p × (1 + a / r)). Selling: tokens × ${SHARE_AFTER_SWAP_FEE} × p = b, proceeds = b / (1 + b / r). A result is never above the change that counts, and at most +${MAX_FOLLOWER_RESULT_PERCENT}%.`}
      example={`Bought at $${entry.price} with ${formatUsd(entry.liquidityUsd)} of liquidity: ${grouped(tokens, 2)} tokens. Sold at $${end.price} with ${formatUsd(end.liquidityUsd)}: ${usd(proceeds)}, so ${formatChange(percent)}. The price itself rose by ${formatChange(exampleTradeChange)}.`}
    >
      No liquidity at the sale, or an end at 0, is −100%. If no source has a price for the token a minute
      later, a loss counts as the call's own change and a gain has no result. If no source has one even for
      SOL, the outage was ours and neither counts. Profiles say how many calls have no result.
    </Definition>
  );
}

function Calculator() {
  return (
    <Definition
      id="calculator"
      name="What would I have made?"
      formula={`The same amount for every ranked call that was made since a day and has ended, up to the newest ${CALCULATOR_CALLS}. Each result is the one behind Follower Return, with this amount. A Paid caller's fee of today is paid every ${PERIOD_DAYS} days from that day on, at the price of SOL one minute after the period's first end of a call; without one, after the last end before it. “Holding SOL instead” is the gain of SOL between the same minutes, without fees. “It needed at most” is the least money with which every call could be bought and every fee be paid at its time, with what earlier calls returned.`}
      example={`Two calls at the same time with ${formatUsd(CALCULATOR_STAKE_USD)} each, one of +50% and one of −50%, need ${formatUsd(2 * CALCULATOR_STAKE_USD)} and make $0 before swap fees.`}
    >
      Open calls don't count, so a caller who keeps losers open looks better than they are until these end.
      Each browser computes it from public prices, and anybody can check it.
    </Definition>
  );
}
