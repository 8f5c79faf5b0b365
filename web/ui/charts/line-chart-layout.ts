import { SECOND_MS } from '#schema/constants.ts';
import type { UTC } from '#web/lib/text/dates.ts';
import { timeTicks, valueTicks } from './line-chart-ticks.ts';

export interface LineChartPoint {
  readonly at: string;
  readonly value: number;
}

export interface LineChartMark extends LineChartPoint {
  /** Short text beside the point. */
  readonly label: string;
  readonly tone: 'entry' | 'end' | 'peak';
  /** True if only the dot is shown, because a label for each of many marks would be too much. */
  readonly isQuiet?: boolean;
}

/** A position in the chart: `x` in percent of its width, `y` in px. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface LineLayout {
  readonly points: readonly (LineChartPoint & Place)[];
  readonly marks: readonly (LineChartMark & Place & { readonly isLabelAbove: boolean })[];
  readonly values: readonly { readonly label: string; readonly y: number }[];
  readonly times: readonly { readonly label: string; readonly x: number }[];
  readonly baselineY: number;
  /** The width in px that the longest value needs. */
  readonly axisWidth: number;
}

interface LayoutInput {
  /** At least two points, oldest first. */
  readonly line: readonly LineChartPoint[];
  readonly marks: readonly LineChartMark[];
  readonly baseline: number;
  readonly formatValue: (value: number) => string;
  /** Undefined for the viewer's time zone. */
  readonly timeZone: typeof UTC | undefined;
}

/** The plot's height in px, without the time axis. */
export const PLOT_HEIGHT = 228;
/** Space for labels above and below the line, as a fraction of the plot's height. */
const MARGIN = 0.14;
/** Height of the axis for a flat line: 5% around its value, or from -0.05 to 0.05 if the value is 0. */
const FLAT_SPAN = 0.05;
/** A line is flat if its values differ by less than this fraction, which computing positions would round away. */
const FLAT_DIFFERENCE = 1e-9;
/** The number of time slots to which a line is thinned: about the width in px of a chart on a phone. */
const SLOTS = 300;
/** Width in px of a character in a value's label. */
const DIGIT_WIDTH = 6.9;
const AXIS_PADDING = 8;
/** Labels of marks overlap if these are at most this far apart, in percent of the width. */
const LABEL_WIDTH = 15;
const LABEL_HEIGHT = 28;
/** Half the height of a line of text in px. It must fit above a value's grid line. */
const HALF_TEXT = 6;

function toUnixSeconds(at: string): number {
  return Math.floor(Date.parse(at) / SECOND_MS);
}

/**
 * Merges points and marks, oldest first. Includes one value per second: the mark if there is one, otherwise
 * the last point.
 */
export function mergePointsAndMarks(
  points: readonly LineChartPoint[],
  marks: readonly LineChartMark[] = [],
): LineChartPoint[] {
  const bySecond = new Map<number, LineChartPoint>();
  for (const { at, value } of [...points, ...marks]) {
    const time = toUnixSeconds(at);
    if (Number.isFinite(time) && Number.isFinite(value)) bySecond.set(time, { at, value });
  }
  return [...bySecond].sort(([one], [other]) => one - other).map(([, point]) => point);
}

/**
 * Thins a line to the last value of each time slot, the marked points, and the line's first and last point.
 */
export function downsampleLine(
  line: readonly LineChartPoint[],
  marks: readonly LineChartMark[] = [],
): LineChartPoint[] {
  const times = line.map(({ at }) => toUnixSeconds(at));
  const start = times[0] ?? 0;
  const length = (times.at(-1) ?? 0) - start + 1;
  const slots = times.map((time) => Math.floor(((time - start) * SLOTS) / length));
  const marked = new Set(marks.map(({ at }) => toUnixSeconds(at)));
  return line.filter(
    (_point, index) => index === 0 || slots[index] !== slots[index + 1] || marked.has(times[index] ?? 0),
  );
}

/** Computes the positions of a line, its marks and its axes. */
export function layoutLine({ line, marks, baseline, formatValue, timeZone }: LayoutInput): LineLayout {
  const values = [baseline, ...line.map(({ value }) => value)];
  const range = rangeOf(values);
  const start = Date.parse(line[0]?.at ?? '');
  const end = Date.parse(line.at(-1)?.at ?? '');
  const toX = (time: number) => round(((time - start) / (end - start)) * 100, 2);
  const toY = (value: number) => round(((range.high - value) / (range.high - range.low)) * PLOT_HEIGHT, 1);
  const place = <Point extends LineChartPoint>(point: Point) => ({
    ...point,
    x: toX(Date.parse(point.at)),
    y: toY(point.value),
  });
  const points = downsampleLine(line, marks).map(place);
  const hasNegative = values.some((value) => value < 0);
  const ticks = valueTicks(range)
    .filter((value) => value >= 0 || hasNegative)
    .map((value) => ({ label: formatValue(value), y: toY(value) }))
    .filter(({ y }) => y >= HALF_TEXT);
  const longest = [...values.map(formatValue), ...ticks.map(({ label }) => label)];
  return {
    points,
    marks: withLabelSides(marks.map(place), points),
    values: ticks.filter(({ label }, index) => ticks.findIndex((tick) => tick.label === label) === index),
    times: timeTicks({ start, end, timeZone }).map(({ at, label }) => ({ label, x: toX(at) })),
    baselineY: toY(baseline),
    axisWidth: Math.ceil(Math.max(...longest.map(({ length }) => length)) * DIGIT_WIDTH) + AXIS_PADDING,
  };
}

function rangeOf(values: readonly number[]): { low: number; high: number } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (high - low <= Math.abs(high) * FLAT_DIFFERENCE) {
    const span = Math.abs(low) * FLAT_SPAN || FLAT_SPAN;
    return { low: low - span, high: high + span };
  }
  const margin = ((high - low) * MARGIN) / (1 - 2 * MARGIN);
  return { low: low - margin, high: high + margin };
}

/** A label is above its mark if the line nearby is lower. Beside the peak, it's below. */
function withLabelSides<Mark extends LineChartMark & Place>(
  marks: readonly Mark[],
  points: readonly Place[],
) {
  const peak = marks.find(({ tone }) => tone === 'peak');
  const isBesidePeak = ({ x, y }: Place) =>
    peak !== undefined && Math.abs(peak.x - x) < LABEL_WIDTH && Math.abs(peak.y - y) < LABEL_HEIGHT;
  const isAboveLine = (mark: Place) => {
    const nearby = points.filter(({ x }) => Math.abs(x - mark.x) < LABEL_WIDTH);
    return mark.y <= nearby.reduce((sum, { y }) => sum + y, 0) / nearby.length;
  };
  return marks.map((mark) => ({
    ...mark,
    isLabelAbove: mark === peak || (isAboveLine(mark) && !isBesidePeak(mark)),
  }));
}

/** Returns the point nearest to `x`, in percent of the width. */
export function nearestPoint<Point extends Place>(points: readonly Point[], x: number): Point | undefined {
  return points.reduce<Point | undefined>(
    (nearest, point) =>
      nearest === undefined || Math.abs(point.x - x) < Math.abs(nearest.x - x) ? point : nearest,
    undefined,
  );
}

function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
