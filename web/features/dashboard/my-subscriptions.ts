import { useQuery } from '@tanstack/react-query';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import type { MySubscription } from '#schema/contracts/subscriptions.ts';
import { mySubscriptionsQuery } from '#web/api/subscriptions.queries.ts';
import { readSubscriptionEnd, type SubscriptionEnd } from '#web/lib/subscription-end.ts';

/** A caller to subscribe to again. */
export interface RenewableCaller extends CallerSummary {
  readonly monthlyFee: string | null;
  readonly canBeSubscribed: boolean;
  /** End of what they have or had, ISO 8601; null where it has none. */
  readonly accessEndsAt: string | null;
}

/** A subscription as it stands at a moment. */
export interface FollowedCaller {
  readonly subscription: MySubscription;
  readonly isActive: boolean;
  /** `null` where nothing ends: an open follow, or what is left with a caller who is Free by now. */
  readonly end: SubscriptionEnd | null;
  /** Whether it ends within a week, or has ended within three days. */
  readonly isPressing: boolean;
}

/** Whom one follows or followed. Subscriptions end by themselves, so every visit asks again. */
export function useMySubscriptions() {
  return useQuery({ ...mySubscriptionsQuery, staleTime: 0 });
}

/** What is pressing first, by its end, and the rest as it comes. */
export function readSubscriptions(
  subscriptions: readonly MySubscription[],
  now: number,
): readonly FollowedCaller[] {
  const read = subscriptions.map((subscription): FollowedCaller => {
    const { endDate, monthlyFee, isCurrentlyActive } = subscription;
    const end = endDate === null ? null : readSubscriptionEnd(endDate, now);
    // It may have ended since the list was answered.
    const isActive = isCurrentlyActive && end?.hasEnded !== true;
    const isPaid = monthlyFee !== null;
    return {
      subscription,
      isActive,
      end: isPaid || !isActive ? end : null,
      isPressing: isPaid && end !== null && end.stage !== null,
    };
  });
  return [
    ...read.filter(({ isPressing }) => isPressing).sort((one, other) => endOf(one) - endOf(other)),
    ...read.filter(({ isPressing }) => !isPressing),
  ];
}

/** What the Subscribe dialog needs to know to renew. */
export function renewableOf({
  caller,
  monthlyFee,
  canBeSubscribed,
  endDate,
}: MySubscription): RenewableCaller {
  return { ...caller, monthlyFee, canBeSubscribed, accessEndsAt: endDate };
}

const endOf = ({ subscription }: FollowedCaller) => Date.parse(subscription.endDate ?? '');
