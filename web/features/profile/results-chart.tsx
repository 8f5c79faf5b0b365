import { changePercent, isWin } from '#schema/rules/calls/change-percent.ts';
import { rankingBadge } from '#schema/rules/calls/ranking-texts.ts';
import { formatChange, formatCount, pluralize } from '#schema/rules/text/format.ts';
import { callHeight } from '#web/lib/calls/call-height.ts';
import type { EndedCall } from '#web/lib/calls/ended-call.ts';

const WIDTH = 1_000;
const MIDDLE = 52;
/** With fewer calls, the lines stay on the left instead of spreading out. */
const MIN_POSITIONS = 12;

/** One line per ended call, in the order in which they ended, including losses and unranked calls. */
export function ResultsChart({ calls }: { calls: readonly EndedCall[] }) {
  if (calls.length === 0) return null;
  const drawn = calls
    .toSorted((one, other) => one.endTimestamp.localeCompare(other.endTimestamp))
    .map((call) => ({
      ...call,
      percent: changePercent(call.entryPrice, call.endPrice),
      badge: rankingBadge(call),
    }));
  const percents = drawn.map(({ percent }) => percent);
  const full = Math.max(20, ...percents.map(Math.abs));
  const step = WIDTH / Math.max(MIN_POSITIONS, drawn.length);
  const [lowest, highest] = [formatChange(Math.min(...percents)), formatChange(Math.max(...percents))];
  const range = lowest === highest ? lowest : `From ${lowest} to ${highest}`;
  const count = pluralize(drawn.length, 'ended call');
  const summary = `${countResults(drawn)}. ${range}.`;
  return (
    <figure className="text-xs text-text-muted">
      <figcaption className="mb-1 tabular-nums">
        {drawn.length === 1 ? 'The last ended call' : `The last ${count}, oldest first`}: {summary}
      </figcaption>
      <svg
        role="img"
        aria-label={`${count}: ${summary}`}
        viewBox={`0 0 ${WIDTH} ${2 * MIDDLE}`}
        preserveAspectRatio="none"
        className="h-28 w-full overflow-visible"
      >
        <path d={`M0 ${MIDDLE}H${WIDTH}`} className="stroke-line" vectorEffect="non-scaling-stroke" />
        {drawn.map(({ id, tokenSymbol, percent, badge }, index) => (
          <g key={id} className={toneOf(percent, badge)} stroke="currentColor" strokeLinecap="round">
            <title>{`${tokenSymbol} ${formatChange(percent)}${badge === null ? '' : `, ${badge}`}`}</title>
            <path
              d={`M${(index + 0.5) * step} ${MIDDLE}v${-callHeight(percent, full) * (MIDDLE - 4)}`}
              strokeWidth="3"
              vectorEffect="non-scaling-stroke"
            />
          </g>
        ))}
      </svg>
      <p className="mt-1">
        Each line is one call from entry to end, on a logarithmic scale.
        {drawn.some(({ badge }) => badge !== null) && ' Grey lines are unranked, or gains that count as 0%.'}
      </p>
    </figure>
  );
}

interface DrawnCall {
  readonly percent: number;
  readonly badge: string | null;
  readonly unrankedReason: EndedCall['unrankedReason'];
}

function toneOf(percent: number, badge: string | null): string {
  if (badge !== null) return 'text-line-strong';
  return isWin(percent) ? 'text-gain' : 'text-loss';
}

/** Counts wins as the win rate does: '10 wins, 5 losses or flat, 3 unranked'. */
function countResults(calls: readonly DrawnCall[]): string {
  const ranked = calls.filter(({ unrankedReason }) => unrankedReason === null);
  const wins = ranked.filter(({ badge, percent }) => badge === null && isWin(percent)).length;
  const losses = ranked.length - wins;
  const unranked = calls.length - ranked.length;
  const results = `${pluralize(wins, 'win')}, ${losses === 1 ? '1 loss' : `${losses} losses`} or flat`;
  return unranked === 0 ? results : `${results}, ${formatCount(unranked)} unranked`;
}
