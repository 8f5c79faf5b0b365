import { DAY_MS } from '#schema/constants.ts';
import { daysUntil, describeDaysUntil, renewalStage, type RenewalStage } from '#schema/rules/renewal.ts';

/** The end of what somebody has with a caller, as it stands at a moment. */
export interface SubscriptionEnd {
  /** `null` while it is more than a week away, and once it is three days past. */
  readonly stage: RenewalStage | null;
  readonly hasEnded: boolean;
  /** 'Ends in 5 days', 'Ends tomorrow', 'Ends today'; `null` unless it ends within a week. */
  readonly warning: string | null;
  /** 'Dec 3, 2026', with the time of day shortly before it. */
  readonly when: string;
}

/** Reads an end (ISO 8601) in the reader's own calendar. */
export function readSubscriptionEnd(endDate: string, now: number): SubscriptionEnd {
  const endsAt = Date.parse(endDate);
  const stage = renewalStage(endsAt, now);
  const hasEnded = endsAt <= now;
  const isSoon = stage === 'week' || stage === 'day';
  const days = daysUntil({ endsAt, now, offsetAt: (moment) => new Date(moment).getTimezoneOffset() });
  return {
    stage,
    hasEnded,
    warning: isSoon ? `Ends ${describeDaysUntil(days)}` : null,
    when: new Date(endsAt).toLocaleString('en-US', {
      dateStyle: 'medium',
      ...(!hasEnded && endsAt - now <= 2 * DAY_MS ? { timeStyle: 'short' } : {}),
    }),
  };
}
