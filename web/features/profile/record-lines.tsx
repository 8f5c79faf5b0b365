import { pluralize, formatChange, formatCount } from '#schema/rules/text/format.ts';
import { changePercent, isWin } from '#schema/rules/calls/change-percent.ts';
import type { EndedCall } from '#web/lib/calls/ended-call.ts';
import { callHeight } from '#web/lib/calls/call-height.ts';
import { Skeleton, SkeletonGroup } from '#web/ui/lists/skeleton.tsx';

const WIDTH = 1_000;
const HEIGHT = 120;
const MIDDLE = HEIGHT / 2;
/**
 * The axis has at least this many positions. With fewer calls, the lines stay on the left instead of spreading
 * out.
 */
const MIN_POSITIONS = 12;
/** Grid lines in percent. */
const MARKS = [10, 50, 200, 1_000, 10_000];
/** From this percentage on, the grid lines are powers of ten, and their labels are abbreviated. */
const LARGE_PERCENT = 100_000;

interface DrawnCall {
  readonly id: string;
  readonly symbol: string;
  readonly percent: number;
  /** Reason why the call's result is left out or counts as 0%; null if it counts unchanged. */
  readonly mark: 'unranked' | 'gain counts as 0%' | null;
}

/** A chart of the results of all ended calls, including losses and unranked calls. */
export function RecordLines({ calls, isLoading }: { calls: readonly EndedCall[]; isLoading: boolean }) {
  if (isLoading) {
    return (
      <SkeletonGroup label="Loading the record's calls" className="not-first:mt-4">
        <Skeleton className="h-45" />
      </SkeletonGroup>
    );
  }
  const ended = toDrawnCalls(calls);
  if (ended.length === 0) return null;
  const percents = ended.map(({ percent }) => percent);
  const [lowest, highest] = [formatChange(Math.min(...percents)), formatChange(Math.max(...percents))];
  const range = lowest === highest ? lowest : `From ${lowest} to ${highest}`;
  const summary = `${countResults(ended)}. ${range}.`;
  const hasMarks = ended.some(({ mark }) => mark !== null);
  return (
    <div className="not-first:mt-4">
      <p className="mb-1 flex flex-wrap justify-between gap-x-4 text-xs text-text-muted">
        <span>
          {ended.length === 1
            ? 'The last ended call'
            : `The last ${pluralize(ended.length, 'ended call')}, oldest first`}
        </span>
        <span className="tabular-nums">{summary}</span>
      </p>
      <Lines
        calls={ended}
        label={`${pluralize(ended.length, 'ended call')}: ${summary}`}
        full={Math.max(20, ...percents.map(Math.abs))}
      />
      <p className="mt-2 text-xs text-text-muted">
        Each line is one call from entry to end.{' '}
        {hasMarks && 'Grey lines are unranked, or gains that count as 0%. '}
        Logarithmic scale.
      </p>
    </div>
  );
}

function Lines({ calls, label, full }: { calls: readonly DrawnCall[]; label: string; full: number }) {
  const step = WIDTH / Math.max(MIN_POSITIONS, calls.length);
  const y = (percent: number) => MIDDLE - callHeight(percent, full) * (MIDDLE - 8);
  const marks = marksOf(full).flatMap((mark) => (mark < 100 ? [mark, -mark] : [mark]));
  return (
    <div className="relative h-32 pr-18">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="size-full overflow-visible"
      >
        <g className="stroke-line" strokeWidth="1" vectorEffect="non-scaling-stroke">
          <line x1="0" y1={MIDDLE} x2={WIDTH} y2={MIDDLE} vectorEffect="non-scaling-stroke" />
          {marks.map((mark) => (
            <line
              key={mark}
              x1="0"
              y1={y(mark)}
              x2={WIDTH}
              y2={y(mark)}
              strokeDasharray="2 4"
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </g>
        {calls.map(({ id, symbol, percent, mark }, index) => (
          <Stem
            key={id}
            x={(index + 0.5) * step}
            y={y(percent)}
            tone={toneOf(percent, mark)}
            title={`${symbol} ${formatChange(percent)}${mark === null ? '' : `, ${mark}`}`}
          />
        ))}
      </svg>
      {/* The text isn't inside the other SVG, because that would stretch it. */}
      <svg
        aria-hidden="true"
        className="figures absolute inset-y-0 right-0 h-full w-16 fill-text-muted text-xs"
      >
        {[0, ...marks].map((mark) => (
          <text key={mark} x="100%" y={`${(y(mark) / HEIGHT) * 100}%`} dy="0.35em" textAnchor="end">
            {mark === 0 ? 'entry' : labelOf(mark)}
          </text>
        ))}
      </svg>
    </div>
  );
}

/** Returns two grid lines (in percent) that are well apart. `full` is the percentage at the chart's top. */
function marksOf(full: number): number[] {
  if (full < LARGE_PERCENT) return MARKS.filter((mark) => mark <= full).slice(-2);
  const exponent = Math.floor(Math.log10(full));
  return [10 ** Math.ceil(exponent / 2), 10 ** exponent];
}

function labelOf(mark: number): string {
  return mark < LARGE_PERCENT ? `${mark > 0 ? '+' : ''}${formatCount(mark)}%` : formatChange(mark);
}

/**
 * One line of the chart with a dot at its end. The dot is a zero-length line with round caps, because such a
 * dot stays round when the SVG is stretched.
 */
function Stem({ x, y, tone, title }: { x: number; y: number; tone: string; title: string }) {
  return (
    <g className={tone} stroke="currentColor" strokeLinecap="round">
      <title>{title}</title>
      <line
        x1={x}
        y1="0"
        x2={x}
        y2={HEIGHT}
        stroke="transparent"
        strokeWidth="12"
        vectorEffect="non-scaling-stroke"
      />
      <line x1={x} y1={MIDDLE} x2={x} y2={y} strokeWidth="2" vectorEffect="non-scaling-stroke" />
      <line x1={x} y1={y} x2={x} y2={y} strokeWidth="7" vectorEffect="non-scaling-stroke" />
    </g>
  );
}

function toneOf(percent: number, mark: DrawnCall['mark']): string {
  if (mark !== null) return 'text-line-strong';
  return isWin(percent) ? 'text-gain' : 'text-loss';
}

/** Counts wins as the win rate does: '10 wins, 5 losses or flat, 3 unranked'. */
function countResults(calls: readonly DrawnCall[]): string {
  const ranked = calls.filter(({ mark }) => mark !== 'unranked');
  const wins = ranked.filter(({ mark, percent }) => mark === null && isWin(percent)).length;
  const others = ranked.length - wins;
  const unranked = calls.length - ranked.length;
  const results = `${pluralize(wins, 'win')}, ${others === 1 ? '1 loss' : `${others} losses`} or flat`;
  return unranked === 0 ? results : `${results}, ${formatCount(unranked)} unranked`;
}

/** Returns the calls in the order in which they ended. */
function toDrawnCalls(calls: readonly EndedCall[]): DrawnCall[] {
  return calls
    .toSorted((one, other) => one.endTimestamp.localeCompare(other.endTimestamp))
    .map((call) => ({
      id: call.id,
      symbol: call.tokenSymbol,
      percent: changePercent(call.entryPrice, call.endPrice),
      mark: markOf(call),
    }));
}

function markOf({ unrankedReason, uncountedGainReason }: EndedCall): DrawnCall['mark'] {
  if (unrankedReason !== null) return 'unranked';
  return uncountedGainReason === null ? null : 'gain counts as 0%';
}
