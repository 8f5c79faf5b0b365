import { DAY_MS } from '#schema/constants/time.ts';
import {
  daysUntil,
  describeDaysUntil,
  isEndedStage,
  renewalStage,
  type RenewalStage,
} from '#schema/rules/access/renewal.ts';

export interface SubscriptionEnd {
  readonly stage: RenewalStage | null;
  readonly hasEnded: boolean;
  /** Such as 'Ends in 5 days' or 'Ends today'. Null if the subscription ends later or has ended. */
  readonly warning: string | null;
  /** The end as a date such as 'Dec 3, 2026'. Includes the time of day if the end is within two days. */
  readonly when: string;
}

/** `endDate` is ISO 8601, `bought` the days that were bought, if known; `when` and `warning` use the user's time zone. */
export function readSubscriptionEnd(
  endDate: string,
  now: number,
  bought: number | null = null,
): SubscriptionEnd {
  const endsAt = Date.parse(endDate);
  const stage = renewalStage(endsAt, now, bought);
  const hasEnded = endsAt <= now;
  const isSoon = stage !== null && !isEndedStage(stage);
  const days = daysUntil({ endsAt, now, offsetAt: (timestamp) => new Date(timestamp).getTimezoneOffset() });
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
