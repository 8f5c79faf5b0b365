/** Formats a time as '2026-11-30 15:04 UTC'. */
export function utcMinute(at: number | string): string {
  const iso = new Date(at).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
