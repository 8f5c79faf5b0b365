import { useMemo, useState, type PointerEvent } from 'react';
import { formatMinute, type UTC } from '#web/lib/text/dates.ts';
import { classNames } from '../class-names.ts';
import {
  mergePointsAndMarks,
  layoutLine,
  nearestPoint,
  PLOT_HEIGHT,
  type LineChartMark,
  type LineChartPoint,
  type LineLayout,
} from './line-chart-layout.ts';
import { useTimeZone } from '../figures/use-time-zone.ts';

export interface LineChartProps {
  label: string;
  points: readonly LineChartPoint[];
  formatValue: (value: number) => string;
  /** The line is coloured as a gain if it ends at or above this value. Default: its first value. */
  baseline?: number | undefined;
  marks?: readonly LineChartMark[] | undefined;
  /** True for a line that is neither a gain nor a loss. It has no baseline. */
  isNeutral?: boolean | undefined;
}

const NO_MARKS: readonly LineChartMark[] = [];

/** A line chart with a text alternative. The crosshair shows the value under the pointer. */
export function LineChart({
  label,
  points,
  formatValue,
  baseline,
  marks = NO_MARKS,
  isNeutral = false,
}: LineChartProps) {
  const line = useMemo(() => mergePointsAndMarks(points, marks), [points, marks]);
  const timeZone = useTimeZone();
  const first = line[0];
  if (first === undefined || line.length < 2) {
    return (
      <figure
        aria-label={label}
        className="flex h-64 items-center justify-center px-4 text-center text-sm text-text-muted"
      >
        <p>Not enough data for a chart yet.</p>
      </figure>
    );
  }
  const drawn = { line, marks, formatValue, timeZone };
  return (
    <figure aria-label={label}>
      <Drawing {...drawn} baseline={baseline ?? (isNeutral ? 0 : first.value)} isNeutral={isNeutral} />
      <figcaption className="sr-only">{describe(drawn)}</figcaption>
    </figure>
  );
}

interface Drawn {
  line: readonly LineChartPoint[];
  marks: readonly LineChartMark[];
  formatValue: (value: number) => string;
  timeZone: typeof UTC | undefined;
}

function Drawing({
  line,
  marks,
  formatValue,
  timeZone,
  baseline,
  isNeutral,
}: Drawn & { baseline: number; isNeutral: boolean }) {
  const layout = useMemo(
    () => layoutLine({ line, marks, baseline, formatValue, timeZone }),
    [line, marks, baseline, formatValue, timeZone],
  );
  const { pointedAt, handlers } = useCrosshair(layout.points);
  const isGain = (line.at(-1)?.value ?? baseline) >= baseline;
  return (
    <div
      aria-hidden="true"
      className="figures flex h-64 cursor-crosshair touch-pan-y touch-pinch-zoom text-xs select-none"
    >
      <div
        className={classNames('relative min-w-0 flex-1', isNeutral ? 'text-text' : toneOf(isGain))}
        {...handlers}
      >
        <Plot layout={layout} pointedAt={pointedAt} />
        {pointedAt && (
          // Shift the label by its position in percent, so that it stays within the plot at both ends.
          <span
            className={LABEL}
            style={{ bottom: 0, left: `${pointedAt.x}%`, transform: `translateX(-${pointedAt.x}%)` }}
          >
            {formatMinute(pointedAt.at, timeZone)}
          </span>
        )}
      </div>
      <div className="relative shrink-0">
        <svg width={layout.axisWidth} height="100%" className="fill-text-muted">
          {layout.values.map((tick) => (
            <text key={tick.label} x="100%" y={tick.y} dy="0.35em" textAnchor="end">
              {tick.label}
            </text>
          ))}
        </svg>
        {pointedAt && (
          <span className={LABEL} style={{ right: 0, top: pointedAt.y, transform: 'translateY(-50%)' }}>
            {formatValue(pointedAt.value)}
          </span>
        )}
      </div>
    </div>
  );
}

const toneOf = (isGain: boolean) => (isGain ? 'text-gain' : 'text-loss');

const LABEL = 'absolute z-1 rounded-sm bg-text-muted px-1 py-0.5 text-surface ring-4 ring-surface-raised';

/** Tracks a mouse until it leaves, and a finger until it begins to scroll the page. */
function useCrosshair(points: LineLayout['points']) {
  const [x, setX] = useState<number | null>(null);
  const follow = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setX(((clientX - left) / width) * 100);
  };
  const stop = () => setX(null);
  return {
    pointedAt: x === null ? undefined : nearestPoint(points, x),
    handlers: {
      onPointerDown: follow,
      onPointerMove: follow,
      onPointerCancel: stop,
      onPointerLeave: (event: PointerEvent) => {
        if (event.pointerType !== 'touch') stop();
      },
    },
  };
}

interface PlotProps {
  layout: LineLayout;
  pointedAt: LineLayout['points'][number] | undefined;
}

/**
 * All horizontal positions are in percent of the width, so the plot needs no measuring and fits before
 * scripts run.
 */
function Plot({ layout: { points, marks, values, times, baselineY }, pointedAt }: PlotProps) {
  return (
    <svg width="100%" height="100%" className="overflow-visible">
      {values.map(({ label, y }) => (
        <Across key={label} y={y} className="stroke-line" />
      ))}
      <Across y={baselineY} className="stroke-text-muted" dashes="3 3" />
      {times.map(({ label, x }, index) => (
        <text
          key={`${label} ${x}`}
          x={`${x}%`}
          y={PLOT_HEIGHT + 22}
          textAnchor={x < 5 ? 'start' : 'middle'}
          className={classNames('fill-text-muted', index % 2 === 1 && 'max-sm:hidden')}
        >
          {label}
        </text>
      ))}
      {/* Labels are outside of this SVG, because it is stretched to the width. */}
      <svg
        width="100%"
        height={PLOT_HEIGHT}
        viewBox={`0 0 100 ${PLOT_HEIGHT}`}
        preserveAspectRatio="none"
        className="overflow-visible"
      >
        <polyline
          points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinejoin="round"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      {marks.map((mark) => (
        <Mark key={mark.label} mark={mark} />
      ))}
      {pointedAt && <Crosshair {...pointedAt} />}
    </svg>
  );
}

function Across({ y, className, dashes }: { y: number; className: string; dashes?: string }) {
  return <line x1="0" x2="100%" y1={y} y2={y} strokeDasharray={dashes} className={className} />;
}

const FILLS = { entry: 'fill-text-muted', end: 'fill-current', peak: 'fill-accent-text' } as const;

function Mark({
  mark: { x, y, label, tone, isLabelAbove, isQuiet = false },
}: {
  mark: LineLayout['marks'][number];
}) {
  return (
    <g className={FILLS[tone]}>
      <circle cx={`${x}%`} cy={y} r="4" />
      {/* Outlined in the background's colour, so that the label is readable on the line. */}
      {!isQuiet && (
        <text
          x={`${x}%`}
          y={isLabelAbove ? y - 10 : y + 19}
          textAnchor={anchorAt(x)}
          strokeWidth="3"
          strokeLinejoin="round"
          paintOrder="stroke"
          className="stroke-surface-raised"
        >
          {label}
        </text>
      )}
    </g>
  );
}

function Crosshair({ x, y }: { x: number; y: number }) {
  return (
    <g className="stroke-text-muted">
      <line x1={`${x}%`} x2={`${x}%`} y1="0" y2={PLOT_HEIGHT} strokeDasharray="2 2" />
      <Across y={y} className="" dashes="2 2" />
      <circle cx={`${x}%`} cy={y} r="4" className="fill-current stroke-surface-raised" strokeWidth="2" />
    </g>
  );
}

/** Returns the text anchor that puts a label within the chart's width. */
function anchorAt(x: number): 'start' | 'middle' | 'end' {
  if (x < 8) return 'start';
  return x > 92 ? 'end' : 'middle';
}

function describe({ line, marks, formatValue, timeZone }: Drawn): string {
  const format = ({ at, value }: LineChartPoint) => `${formatValue(value)} on ${formatMinute(at, timeZone)}`;
  const ends = [line[0], line.at(-1)].flatMap((point) => (point === undefined ? [] : [format(point)]));
  const values = line.map(({ value }) => value);
  return [
    `From ${ends.join(' to ')}.`,
    `Lowest ${formatValue(Math.min(...values))}, highest ${formatValue(Math.max(...values))}.`,
    ...marks.filter(({ isQuiet }) => isQuiet !== true).map((mark) => `${mark.label}: ${format(mark)}.`),
  ].join(' ');
}
