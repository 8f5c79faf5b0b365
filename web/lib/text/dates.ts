import { MINUTE_MS } from '#schema/constants/time.ts';

/**
 * Times are ISO 8601 or unix ms. Texts use the viewer's time zone by default. Most are formatted without
 * `Intl`, because its first use blocks a slow phone while a page is hydrated.
 */

export const UTC = 'UTC';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

export interface Time {
  readonly month: string;
  readonly day: number;
  readonly year: number;
  readonly clock: string;
  readonly seconds: string;
  readonly half: 'AM' | 'PM';
  /** The time zone, such as 'UTC', 'GMT+1' or 'GMT-3:30'. */
  readonly zone: string;
}

export function readTime(time: Date, timeZone?: typeof UTC): Time {
  const offset = timeZone === undefined ? -time.getTimezoneOffset() : 0;
  // Shifted, so that its UTC parts are the viewer's local time.
  const shifted = new Date(time.getTime() + offset * MINUTE_MS);
  const hours = shifted.getUTCHours();
  return {
    month: MONTHS[shifted.getUTCMonth()] ?? '',
    day: shifted.getUTCDate(),
    year: shifted.getUTCFullYear(),
    clock: `${hours % 12 || 12}:${twoDigits(shifted.getUTCMinutes())}`,
    seconds: twoDigits(shifted.getUTCSeconds()),
    half: hours < 12 ? 'AM' : 'PM',
    zone: zoneOf(offset),
  };
}

/** @param offset in minutes, positive east of UTC */
function zoneOf(offset: number): string {
  if (offset === 0) return UTC;
  const minutes = Math.abs(offset) % 60;
  const hours = Math.floor(Math.abs(offset) / 60);
  return `GMT${offset > 0 ? '+' : '-'}${hours}${minutes === 0 ? '' : `:${twoDigits(minutes)}`}`;
}

const twoDigits = (number: number) => String(number).padStart(2, '0');

/** Formats a day as 'Nov 12, 2026', or as 'Unknown' without a valid time. */
export function formatDay(at: string | number | null | undefined, timeZone?: typeof UTC): string {
  const time = new Date(at ?? Number.NaN);
  if (Number.isNaN(time.getTime())) return 'Unknown';
  const { month, day, year } = readTime(time, timeZone);
  return `${month.slice(0, 3)} ${day}, ${year}`;
}

/** Formats two days as 'Nov 12 – Dec 12, 2026'. */
export function formatDays({ startDate, endDate }: { startDate: string; endDate: string }): string {
  const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
  return days.formatRange(new Date(startDate), new Date(endDate));
}

/** Formats a time as 'November 12, 2026 at 10:04:33 AM GMT+1'. */
export function formatTime(at: string, timeZone?: typeof UTC): string {
  const { month, day, year, clock, seconds, half, zone } = readTime(new Date(at), timeZone);
  return `${month} ${day}, ${year} at ${clock}:${seconds} ${half} ${zone}`;
}

/** Formats a time as 'Nov 12, 2026, 10:04 AM', with ' UTC' appended for that time zone. */
export function formatMinute(at: string | number, timeZone?: typeof UTC): string {
  return `${formatDay(at, timeZone)}, ${formatClock(at, timeZone)}`;
}

/** Formats a time as '10:04 AM', with ' UTC' appended for that time zone. */
export function formatClock(at: string | number, timeZone?: typeof UTC): string {
  const { clock, half } = readTime(new Date(at), timeZone);
  return `${clock} ${half}${timeZone === undefined ? '' : ` ${timeZone}`}`;
}
