/** Times are ISO 8601 or unix ms. All texts use the viewer's time zone. */

/** The formatters are shared, because creating one is slow and lists format a date in each row. */
const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });

/** Formats a day as 'Nov 12, 2026', or as 'Unknown' without a valid time. */
export function formatDay(at: string | number | null | undefined): string {
  const time = new Date(at ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? 'Unknown' : days.format(time);
}

/** Formats two days as 'Nov 12 – Dec 12, 2026'. */
export function formatDays({ startDate, endDate }: { startDate: string; endDate: string }): string {
  return days.formatRange(new Date(startDate), new Date(endDate));
}

/** Formats a time as 'November 12, 2026 at 10:04:33 AM GMT+1'. */
export function formatMoment(at: string): string {
  return new Date(at).toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'long' });
}

/** Formats a time as 'Nov 12, 2026, 10:04 AM'. */
export function formatMinute(at: string): string {
  return new Date(at).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
}

/** '10:04 AM' */
export function formatClock(at: number): string {
  return new Date(at).toLocaleString('en-US', { timeStyle: 'short' });
}
