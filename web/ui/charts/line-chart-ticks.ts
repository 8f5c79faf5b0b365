import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants.ts';
import { readTime, UTC } from '#web/lib/text/dates.ts';

export interface TimeTick {
  readonly at: number;
  readonly label: string;
}

interface TimeSpan {
  readonly start: number;
  readonly end: number;
  readonly timeZone: typeof UTC | undefined;
}

/** A step of the value axis is one of these times a power of ten. */
const VALUE_STEPS = [1, 2, 2.5, 5, 10];
const MAX_VALUE_STEPS = 6;

const TIME_STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 4, 7, 14].map((days) => days * DAY_MS),
];
const MONTH_STEPS = [1, 2, 3, 6];
const MONTHS_OF_YEAR = 12;
const MONTH_MS = 30 * DAY_MS;
const MAX_TIME_STEPS = 6;

/** Returns round values within a range, lowest first. */
export function valueTicks({ low, high }: { low: number; high: number }): number[] {
  const least = (high - low) / MAX_VALUE_STEPS;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * (VALUE_STEPS.find((factor) => factor * power >= least) ?? 10);
  const first = Math.ceil(low / step);
  const count = Math.max(0, Math.floor(high / step) - first + 1);
  // Multiply instead of adding steps up, whose rounding error would show at 0. `+ 0` turns -0 into 0.
  return Array.from({ length: count }, (_, index) => (first + index) * step + 0);
}

/** Returns round times within a span in the given time zone, each with a short label. */
export function timeTicks({ start, end, timeZone }: TimeSpan): TimeTick[] {
  const step = TIME_STEPS_MS.find((each) => (end - start) / each <= MAX_TIME_STEPS);
  const zone = offsetAt(start, timeZone);
  const local = { start: start + zone, end: end + zone };
  const timestamps = step === undefined ? monthsIn(local) : multiplesIn(local, step);
  return timestamps
    .map((timestamp) => ({
      // The offset may change within the span, when summer time begins or ends.
      at: timestamp - offsetAt(timestamp - zone, timeZone),
      label: labelOf(timestamp, step),
    }))
    .filter(({ at }) => at >= start && at <= end);
}

function offsetAt(at: number, timeZone: typeof UTC | undefined): number {
  return timeZone === undefined ? -new Date(at).getTimezoneOffset() * MINUTE_MS : 0;
}

type LocalSpan = Pick<TimeSpan, 'start' | 'end'>;

function multiplesIn({ start, end }: LocalSpan, step: number): number[] {
  const first = Math.ceil(start / step);
  return Array.from({ length: Math.floor(end / step) - first + 1 }, (_, index) => (first + index) * step);
}

/** Returns the first days of months, or of years if there are too many months. */
function monthsIn({ start, end }: LocalSpan): number[] {
  const months = (end - start) / MONTH_MS;
  const step =
    MONTH_STEPS.find((each) => months / each <= MAX_TIME_STEPS) ??
    MONTHS_OF_YEAR * Math.ceil(months / MONTHS_OF_YEAR / MAX_TIME_STEPS);
  const year = new Date(start).getUTCFullYear();
  return Array.from({ length: MAX_TIME_STEPS + MONTHS_OF_YEAR + 1 }, (_, index) =>
    Date.UTC(year, index * step, 1),
  ).filter((timestamp) => timestamp >= start && timestamp <= end);
}

/** @param time unix ms, shifted so that its UTC parts are the viewer's */
function labelOf(timestamp: number, step: number | undefined): string {
  const { month, day, year, clock, seconds, half } = readTime(new Date(timestamp), UTC);
  const shortMonth = month.slice(0, 3);
  if (step === undefined) return shortMonth === 'Jan' ? String(year) : shortMonth;
  if (timestamp % DAY_MS === 0) return `${shortMonth} ${day}`;
  return step < MINUTE_MS ? `${clock}:${seconds} ${half}` : `${clock} ${half}`;
}
