/** A day as people write it: 'Nov 12, 2026'. Times are ISO 8601, shown in the viewer's own time zone. */
export function formatDay(at: string): string {
  return new Date(at).toLocaleDateString('en-US', { dateStyle: 'medium' });
}

/** From one day to another: 'Nov 12 – Dec 12, 2026'. */
export function formatDays({ startDate, endDate }: { startDate: string; endDate: string }): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).formatRange(
    new Date(startDate),
    new Date(endDate),
  );
}

/** A moment to the second, with its time zone: 'November 12, 2026 at 10:04:33 AM GMT+1'. */
export function formatMoment(at: string): string {
  return new Date(at).toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'long' });
}

/** A moment to the minute: 'Nov 12, 2026, 10:04 AM'. */
export function formatMinute(at: string): string {
  return new Date(at).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
}
