/** A period of access in unix ms. It's open-ended if `endsAt` is null. */
export interface Period {
  readonly startsAt: number;
  readonly endsAt: number | null;
}

export type SubscriptionStatus = 'active' | 'expired';

export function isPeriodActiveAt(period: Period, now: number): boolean {
  return period.startsAt <= now && !hasLapsed(period, now);
}

export function hasLapsed(period: Period, now: number): boolean {
  return period.endsAt !== null && period.endsAt <= now;
}

/**
 * Derives the status from the period's dates, because the stored status may be outdated. A period that hasn't
 * started yet counts as active.
 */
export function subscriptionStatus(period: Period, now: number): SubscriptionStatus {
  return hasLapsed(period, now) ? 'expired' : 'active';
}

/**
 * True if the subscriber has free access and can end it: a period covers `now`, and there is no paid time
 * left.
 * @param periods all periods of one subscriber with one caller
 */
export function canUnfollow(
  periods: readonly (Period & { readonly isPaid: boolean })[],
  now: number,
): boolean {
  const hasPaidTime = periods.some((period) => period.isPaid && !hasLapsed(period, now));
  return !hasPaidTime && periods.some((period) => isPeriodActiveAt(period, now));
}
