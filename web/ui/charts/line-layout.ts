import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { readTime, type UTC } from '#web/lib/text/dates.ts';

export interface LineChartPoint {
  readonly at: string;
  readonly value: number;
}

export interface LineChartMark extends LineChartPoint {
  readonly label?: string;
  readonly tone: 'entry' | 'end' | 'peak';
}

export interface LayoutInput {
  /** At least two points, oldest first. */
  line: readonly LineChartPoint[];
  marks: readonly LineChartMark[];
  levels: readonly { readonly label: string; readonly value: number }[];
  baseline: number;
  /** True if a value stays until the next point. */
  isStepped?: boolean | undefined;
  /** A dashed line to compare with, and the names of both lines. */
  compared?:
    | { readonly names: readonly [string, string]; readonly points: readonly LineChartPoint[] }
    | undefined;
  formatValue: (value: number) => string;
  /** Undefined for the viewer's time zone. */
  timeZone: typeof UTC | undefined;
}

/** The plot's height in px, without the time axis. */
export const PLOT_HEIGHT = 228;
/** Space for labels above and below the line, as a fraction of its height. */
const MARGIN = 0.2;
/** Height of the axis for a flat line: 5% around its value, or from -0.05 to 0.05 if the value is 0. */
const FLAT_SPAN = 0.05;
/** A line is flat if its values differ by less than this fraction, which computing positions would round away. */
const FLAT_DIFFERENCE = 1e-9;
/** An axis has at most this many steps between round values or times, and at least about a third of them. */
const MAX_STEPS = 9;
const MONTH_MS = (365.2425 / 12) * DAY_MS;
const TIME_STEPS_MS = [
  ...[1, 2, 5, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14].map((days) => days * DAY_MS),
  ...[1, 3, 6, 12, 24, 60].map((months) => months * MONTH_MS),
];
/** A price chart has a gap where nothing is known for longer than this. Old prices are stored once a day. */
const GAP_MS = 1.5 * DAY_MS;
/** Width in px of a character in a value's label, and the space around it. */
const DIGIT_WIDTH = 6.9;
const AXIS_PADDING = 10;
/** A mark this close to the peak has its label below, in percent of the width and in px. */
const BESIDE_PEAK = { x: 15, y: 28 };

/** A mark's label is beside this part of the line, in percent of the width. */
const LABEL_REACH = 12;

/** A position in the chart: `x` in percent of its width, `y` in px. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export type PlacedPoint = LineChartPoint & Place;
export type LineLayout = ReturnType<typeof layoutLine>;

export function layoutLine(input: LayoutInput) {
  const { line, compared, marks, levels, baseline, isStepped = false, formatValue, timeZone } = input;
  const values = [baseline, ...[...line, ...(compared?.points ?? [])].map(({ value }) => value)];
  const { low, high } = rangeOf(
    values,
    levels.map(({ value }) => value),
  );
  const start = Date.parse(line[0]?.at ?? '');
  const end = Date.parse(line.at(-1)?.at ?? '');
  const toX = (time: number) => round(((time - start) / (end - start)) * 100, 2);
  const toY = (value: number) => round(((high - value) / (high - low)) * PLOT_HEIGHT, 1);
  const place = <Point extends LineChartPoint>(point: Point) => ({
    ...point,
    x: toX(Date.parse(point.at)),
    y: toY(point.value),
  });
  const points = line.map(place);
  const comparedPoints = (compared?.points ?? []).map(place);
  const hasNegative = values.some((value) => value < 0);
  const axis = axisValues(low, high).filter((value) => value >= 0 || hasNegative);
  const longest = Math.max(...[...values, ...axis].map((value) => formatValue(value).length));
  return {
    points,
    comparedPoints,
    path: drawPath(points, isStepped),
    comparedPath: drawPath(comparedPoints, isStepped),
    marks: withLabelSides(marks.map(place), points),
    levels: levels.map(({ label, value }) => placeLevel(label, toY(value))),
    // By label, because rounding may make several equal.
    values: [...new Map(axis.map((value) => [formatValue(value), toY(value)]))],
    times: axisTimes({ start, end, timeZone }).map(([at, label]) => [toX(at), label] as const),
    baselineY: toY(baseline),
    axisWidth: Math.ceil(longest * DIGIT_WIDTH) + AXIS_PADDING,
  };
}

/** The range of the value axis. Levels extend it by at most the line's own height, so that the line isn't squashed. */
function rangeOf(values: readonly number[], levels: readonly number[]): { low: number; high: number } {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const isFlat = highest - lowest <= Math.abs(highest) * FLAT_DIFFERENCE;
  const span = isFlat ? Math.abs(lowest) * FLAT_SPAN || FLAT_SPAN : highest - lowest;
  const low = Math.min(lowest, Math.max(lowest - span, Math.min(...levels)));
  const high = Math.max(highest, Math.min(highest + span, Math.max(...levels)));
  const margin = isFlat ? span : (high - low) * MARGIN;
  return { low: low - margin, high: high + margin };
}

/** A level beyond the axis is at its edge, with an arrow. */
function placeLevel(label: string, y: number): { label: string; y: number } {
  if (y < 0) return { label: `${label} ↑`, y: 0 };
  return y > PLOT_HEIGHT ? { label: `${label} ↓`, y: PLOT_HEIGHT } : { label, y };
}

/** A part of one point is a dot, because its line has the length 0. */
function drawPath(points: readonly PlacedPoint[], isStepped: boolean): string {
  const parts = points.map(({ at, x, y }, index) => {
    const before = points[index - 1];
    if (before === undefined) return `M${x},${y}h0`;
    if (isStepped) return `H${x}V${y}`;
    return Date.parse(at) - Date.parse(before.at) > GAP_MS ? `M${x},${y}h0` : `L${x},${y}`;
  });
  return parts.join('');
}

/** A label is above its mark if the line near it is below, so that it isn't on the line. Beside the peak, it's below. */
function withLabelSides<Mark extends LineChartMark & Place>(
  marks: readonly Mark[],
  points: readonly Place[],
) {
  const peak = marks.find(({ tone }) => tone === 'peak');
  return marks.map((mark) => {
    const isBesidePeak =
      peak !== undefined &&
      Math.abs(peak.x - mark.x) < BESIDE_PEAK.x &&
      Math.abs(peak.y - mark.y) < BESIDE_PEAK.y;
    const near = points.filter(({ x }) => Math.abs(x - mark.x) < LABEL_REACH);
    const isLineBelow = near.reduce((sum, { y }) => sum + y - mark.y, 0) >= 0;
    return { ...mark, isLabelAbove: mark === peak || (isLineBelow && !isBesidePeak) };
  });
}

/** Multiples of 1, 2 or 5 times a power of ten. */
function axisValues(low: number, high: number): number[] {
  const smallest = (high - low) / MAX_STEPS;
  const power = 10 ** Math.floor(Math.log10(smallest));
  const step = ([1, 2, 5].find((factor) => factor * power >= smallest) ?? 10) * power;
  return multiplesWithin(low, high, step).flatMap((index) => {
    const value = Number((index * step).toPrecision(12));
    return value >= low && value <= high ? value : [];
  });
}

export function axisTimes({
  start,
  end,
  timeZone,
}: Pick<LayoutInput, 'timeZone'> & { start: number; end: number }) {
  const step = TIME_STEPS_MS.find((each) => each * MAX_STEPS >= end - start) ?? 10 * 12 * MONTH_MS;
  const offset = (time: number) =>
    timeZone === undefined ? new Date(time).getTimezoneOffset() * MINUTE_MS : 0;
  const times = multiplesWithin(start - offset(start), end - offset(end), step).map((index) => {
    const shown = step < MONTH_MS ? index * step : Date.UTC(1970, Math.round((index * step) / MONTH_MS));
    // A time without a zone is read in the viewer's.
    return timeZone === undefined ? Date.parse(new Date(shown).toISOString().slice(0, -1)) : shown;
  });
  // When a clock is set forward, the skipped time is the same as the next.
  const within = [...new Set(times)].filter((time) => time >= start && time <= end);
  return within.map((time) => [time, labelTime(new Date(time), timeZone)] as const);
}

function multiplesWithin(low: number, high: number, step: number): number[] {
  const first = Math.floor(low / step);
  return Array.from({ length: Math.ceil(high / step) - first + 1 }, (_, index) => first + index);
}

/** '2027' for the start of a year, 'Nov' for that of a month, 'Nov 12' for that of a day, otherwise '10:04 AM'. */
function labelTime(time: Date, timeZone: typeof UTC | undefined): string {
  const { month, day, year, clock, seconds, half } = readTime(time, timeZone);
  if (seconds !== '00') return `${clock}:${seconds} ${half}`;
  if (clock !== '12:00' || half === 'PM') return `${clock} ${half}`;
  const shortMonth = month.slice(0, 3);
  if (day > 1) return `${shortMonth} ${day}`;
  return shortMonth === 'Jan' ? String(year) : shortMonth;
}

export function nearestPoint<Point extends Place>(points: readonly Point[], x: number): Point | undefined {
  const distance = (point: Point) => Math.abs(point.x - x);
  return points.reduce<Point | undefined>(
    (best, point) => (best && distance(best) <= distance(point) ? best : point),
    undefined,
  );
}

function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
