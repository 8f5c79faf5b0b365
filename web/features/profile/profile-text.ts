import type { CallerProfile } from '#schema/contracts/callers.ts';
import { isDeletedPerson } from '#schema/rules/people/person-name.ts';
import { formatMonthlyFee } from '#schema/rules/text/format.ts';

/** Returns why a caller takes no subscriptions yet; null if the caller takes them. */
export function notOpenReason(
  caller: Pick<
    CallerProfile,
    'twitterHandle' | 'monthlyFee' | 'canBeSubscribed' | 'isSuspended' | 'deletesAt'
  >,
): string | null {
  if (isDeletedPerson(caller)) return 'This account was deleted.';
  if (caller.isSuspended) return 'This caller is suspended.';
  if (caller.deletesAt !== null) return 'This account is being deleted.';
  if (formatMonthlyFee(caller.monthlyFee) === 'Not Set') return "This caller hasn't set a fee yet.";
  return caller.canBeSubscribed ? null : "This caller hasn't connected a payout wallet yet.";
}
