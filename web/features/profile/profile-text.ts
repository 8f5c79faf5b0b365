import type { CallerProfile } from '#schema/contracts/callers.ts';
import { formatMonthlyFee } from '#schema/rules/format.ts';

/** 'Nov 21, 2026', or 'Unknown'. */
export function formatDay(at: string | null | undefined): string {
  const moment = new Date(at ?? Number.NaN);
  if (Number.isNaN(moment.getTime())) return 'Unknown';
  return moment.toLocaleDateString('en-US', { year: 'numeric', month: 'short', day: 'numeric' });
}

/** Whether following costs nothing. */
export function isFree({ monthlyFee }: Pick<CallerProfile, 'monthlyFee'>): boolean {
  return formatMonthlyFee(monthlyFee) === 'Free';
}

/** Why a caller cannot be subscribed to yet, or null when they can. */
export function notOpenReason(caller: Pick<CallerProfile, 'monthlyFee' | 'canBeSubscribed'>): string | null {
  if (formatMonthlyFee(caller.monthlyFee) === 'Not Set') return 'This caller has not set a fee yet.';
  return caller.canBeSubscribed ? null : 'This caller has not connected a payout wallet yet.';
}

/** A bio as it is shown: of several blank lines in a row one stays. */
export function readableBio(bio: string): string {
  return bio
    .replace(/\r\n?/g, '\n')
    .replace(/\n(?:[^\S\n]*\n){2,}/g, '\n\n')
    .trim();
}
