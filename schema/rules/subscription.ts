import { SUBSCRIPTION_PERIOD_MS } from '#schema/constants.ts';

/** A period of access in unix milliseconds; without `endsAt` it is open. */
export interface Period {
  readonly startsAt: number;
  readonly endsAt: number | null;
}

export type SubscriptionStatus = 'active' | 'expired';

/** Whether the moment `now` lies in the period (its end excluded). */
export function coversMoment(period: Period, now: number): boolean {
  return period.startsAt <= now && !hasLapsed(period, now);
}

/** Whether the period is over. */
export function hasLapsed(period: Period, now: number): boolean {
  return period.endsAt !== null && period.endsAt <= now;
}

/** Active until its end, whatever a stored status says; a period that starts later is active already. */
export function subscriptionStatus(period: Period, now: number): SubscriptionStatus {
  return hasLapsed(period, now) ? 'expired' : 'active';
}

/**
 * The 30 days that a payment buys: from the later of now and the end of what was paid before, so that
 * paying early loses nothing.
 *
 * This function says it. The product does it in SQL (`grant` and `revoke` in `ledger.repository.ts` of
 * `worker/modules/payments/`), because a read before the write could be outrun; `stacking.test.ts` there
 * holds the SQL to this function, and the sample world takes its periods from it.
 * @param paidUntil the latest bounded end of the pair so far, or `null`.
 */
export function nextPeriod(now: number, paidUntil: number | null): { startsAt: number; endsAt: number } {
  const startsAt = Math.max(now, paidUntil ?? now);
  return { startsAt, endsAt: startsAt + SUBSCRIPTION_PERIOD_MS };
}
