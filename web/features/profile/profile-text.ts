import type { CallerProfile } from '#schema/contracts/callers.ts';
import { formatMonthlyFee } from '#schema/rules/format.ts';

/** Returns why nobody can subscribe to a caller yet, or null if they can. */
export function notOpenReason(caller: Pick<CallerProfile, 'monthlyFee' | 'canBeSubscribed'>): string | null {
  if (formatMonthlyFee(caller.monthlyFee) === 'Not Set') return "This caller hasn't set a fee yet.";
  return caller.canBeSubscribed ? null : "This caller hasn't connected a payout wallet yet.";
}

/** Collapses several blank lines in a row into one. */
export function readableBio(bio: string): string {
  return bio
    .replace(/\r\n?/g, '\n')
    .replace(/\n(?:[^\S\n]*\n){2,}/g, '\n\n')
    .trim();
}
