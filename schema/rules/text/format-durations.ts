import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';

/** The two largest units: 'Under 1m', '45m', '3h 20m', '2d 4h'. 'Unknown' if negative or not finite. */
export function formatDuration(milliseconds: number): string {
  if (!(milliseconds >= 0) || milliseconds === Number.POSITIVE_INFINITY) return 'Unknown';
  if (milliseconds < MINUTE_MS) return 'Under 1m';
  const minutes = Math.floor(milliseconds / MINUTE_MS);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (milliseconds < DAY_MS) return twoUnits(`${hours}h`, minutes % 60, 'm');
  return twoUnits(`${Math.floor(hours / 24)}d`, hours % 24, 'h');
}

/** The first whole minute at or after a time: a clock without seconds would show an earlier one. */
export const firstWholeMinute = (at: number): number => Math.ceil(at / MINUTE_MS) * MINUTE_MS;

export function formatHeld(call: { callTimestamp: string; endTimestamp: string }): string {
  return formatDuration(Date.parse(call.endTimestamp) - Date.parse(call.callTimestamp));
}

/** Formats how long a call was open as part of a sentence: 'held 2d 4h' or 'held under 1m'. */
export function describeHeld(call: { callTimestamp: string; endTimestamp: string }): string {
  return `held ${formatHeld(call).toLowerCase()}`;
}

function twoUnits(large: string, small: number, unit: string): string {
  return small === 0 ? large : `${large} ${small}${unit}`;
}
