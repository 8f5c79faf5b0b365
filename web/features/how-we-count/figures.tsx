import { DOUBLED_MULTIPLE, PROVEN_GAIN_PERCENT } from '#schema/constants.ts';
import { formatChange, formatRate } from '#schema/rules/format.ts';
import { Definition } from './definition.tsx';
import {
  exampleCalls,
  exampleFigures,
  exampleMark,
  goodProvenRate,
  luckyProvenRate,
} from './example-calls.ts';

const { calls, wins, stakeHeights } = exampleFigures;
const changes = exampleCalls.map(({ changePercent }) => changePercent);
const listed = (values: readonly number[]) => values.map(formatChange).join(', ');
const multiple = (value: number) => `${Number(value.toFixed(2))}x`;
const heights = stakeHeights.map(multiple).join(', ');
const greatest = stakeHeights[0] ?? 1;
const lowest = Math.min(...stakeHeights);
const peaks = exampleCalls
  .map(({ entryPrice, peakPrice }) => multiple(Math.max(1, Number(peakPrice) / Number(entryPrice))))
  .join(', ');

/** What counts every ended call, ranked or not. */
export function SpecFigures() {
  return (
    <>
      <Definition
        id="win-rate"
        name="Win Rate"
        formula="Calls that ended above their entry, divided by all ended calls. A call that ended exactly where it began is no win."
        example={`${wins} of ${calls} ended above their entry: ${wins} / ${calls} = ${formatRate(exampleFigures.winRate)}.`}
      />
      <Definition
        id="avg-return"
        name="Avg Return"
        formula="The change from entry to end in percent, (end − entry) / entry × 100, averaged over all ended calls."
        example={`(${listed(changes)}) added up and divided by ${calls} = ${formatChange(exampleFigures.averageReturn)}.`}
      >
        One great call can carry it. That is why the median stands beside it.
      </Definition>
    </>
  );
}

/** What counts ranked calls alone. */
export function RankedFigures() {
  return (
    <>
      <Definition
        id="ranked-win-rate"
        name="Ranked Win Rate"
        formula="The win rate, over ranked calls."
        example={`With all five ranked: ${wins} / ${calls} = ${formatRate(exampleFigures.winRate)}.`}
      />
      <Definition
        id="proven"
        name="Proven"
        formula={`The least that the win rate is, with 95% confidence, given how few or many calls there are: the lower end of Wilson’s interval. A win is here a ranked call that ended at least ${PROVEN_GAIN_PERCENT}% above its entry; n counts ranked calls that ended and all calls that are open, which are not won yet. With p = wins / n: (p + z²/2n − z × √(p(1 − p)/n + z²/4n²)) / (1 + z²/n), where z = 1.96.`}
        example={`${wins} of ${calls}: ${formatRate(exampleFigures.provenRate)}. One call, won: ${formatRate(luckyProvenRate)}. 40 of 50: ${formatRate(goodProvenRate)}.`}
      >
        So one lucky call ranks below fifty good ones, a hundred calls that were ended at once for a hair
        prove nothing, and nobody gains by keeping losers open. The directory’s order Proven goes by it, over
        all ranked calls a caller ever ended; who has none comes last.
      </Definition>
      <Definition
        id="median-return"
        name="Median Return"
        formula="The change in the middle when all are put in order; of an even number, the mean of the two in the middle. Half of the calls did better, half did worse."
        example={`In order: ${listed(changes.toSorted((one, other) => one - other))}. The middle is ${formatChange(exampleFigures.medianReturn)}.`}
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
        formula={`Calls whose end was at least ${DOUBLED_MULTIPLE} times their entry, divided by all. A peak on the way does not count: what the caller ended at does.`}
        example={`AAA (2x) and EEE (2.5x): 2 / ${calls} = ${formatRate(exampleFigures.doubledShare)}.`}
      />
      <Definition
        id="max-drawdown"
        name="Max Drawdown"
        formula="Imagine one stake that goes whole from call to call, in the order in which they ended. The drawdown is its deepest fall from the greatest height it had before, in percent; 0 if it never fell. It starts at 1x."
        example={`After each call the stake stands at ${heights}. From ${multiple(greatest)} down to ${multiple(lowest)} is ${formatChange(exampleFigures.maxDrawdown)}.`}
      >
        The curve on a profile is this stake’s height, on a logarithmic scale. It is a way to look at the
        order of gains and losses, not what a follower would have earned: calls overlap, and trades cost.
      </Definition>
      <Definition
        id="average-peak"
        name="Average Peak"
        formula="A call’s peak divided by its entry, at least 1x, averaged over the calls whose peak was followed."
        example={`(${peaks}) averaged = ${exampleFigures.averagePeakMultiple.toFixed(1)}x.`}
      >
        It says how far calls went, not what anybody got out of them.
      </Definition>
      <Definition
        id="open-calls"
        name="Open Calls"
        formula="The mean change of the ranked calls that are still open, at their last known prices. Only those who may see a caller’s active calls see it."
        example={`One from 2 to 0.8 and one from 1 to 1.5: (−60% + 50%) / 2 = ${formatChange(exampleMark)}.`}
      >
        Not part of any figure above: nothing counts before it has ended.
      </Definition>
    </>
  );
}
