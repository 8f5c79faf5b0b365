/** Times are ISO 8601 or unix ms. All texts use the viewer's time zone, unless another one is given. */

export const UTC = 'UTC';

/** Formatters are shared, because creating one takes long and lists format a date in each row. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(
  styles: Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>,
  timeZone?: typeof UTC,
): Intl.DateTimeFormat {
  const key = `${styles.dateStyle} ${styles.timeStyle} ${timeZone}`;
  const formatter =
    formatters.get(key) ?? new Intl.DateTimeFormat('en-US', { ...styles, ...(timeZone && { timeZone }) });
  formatters.set(key, formatter);
  return formatter;
}

/** Formats a day as 'Nov 12, 2026', or as 'Unknown' without a valid time. */
export function formatDay(at: string | number | null | undefined, timeZone?: typeof UTC): string {
  const time = new Date(at ?? Number.NaN);
  return Number.isNaN(time.getTime())
    ? 'Unknown'
    : formatterOf({ dateStyle: 'medium' }, timeZone).format(time);
}

/** Formats two days as 'Nov 12 – Dec 12, 2026'. */
export function formatDays({ startDate, endDate }: { startDate: string; endDate: string }): string {
  return formatterOf({ dateStyle: 'medium' }).formatRange(new Date(startDate), new Date(endDate));
}

/** Formats a time as 'November 12, 2026 at 10:04:33 AM GMT+1'. */
export function formatMoment(at: string, timeZone?: typeof UTC): string {
  return formatterOf({ dateStyle: 'long', timeStyle: 'long' }, timeZone).format(new Date(at));
}

/** Formats a time as 'Nov 12, 2026, 10:04 AM', with ' UTC' if that time zone is given. */
export function formatMinute(at: string, timeZone?: typeof UTC): string {
  const text = formatterOf({ dateStyle: 'medium', timeStyle: 'short' }, timeZone).format(new Date(at));
  return timeZone === undefined ? text : `${text} ${timeZone}`;
}

/** '10:04 AM' */
export function formatClock(at: number): string {
  return formatterOf({ timeStyle: 'short' }).format(new Date(at));
}
