import { useQuery } from '@tanstack/react-query';
import type { MySubscription } from '#schema/contracts/subscriptions.ts';
import { mySubscriptionsQuery } from '#web/api/subscriptions.queries.ts';
import { readSubscriptionEnd, type SubscriptionEnd } from '#web/lib/people/subscription-end.ts';

export type RenewableCaller = ReturnType<typeof renewableOf>;

export interface FollowedCaller {
  readonly subscription: MySubscription;
  readonly isActive: boolean;
  /** The end of access; `null` for a free follow, and while an active subscription's caller is Free. */
  readonly end: SubscriptionEnd | null;
  /** True if the subscription ends within a week, or ended within the last three days. */
  readonly endsSoon: boolean;
}

/** The user's subscriptions. Refetched on every visit, because they also expire when the user does nothing. */
export function useMySubscriptions() {
  return useQuery({ ...mySubscriptionsQuery, staleTime: 0 });
}

/** Sorts subscriptions that end soon to the top, the earliest first. The others stay in the server's order. */
export function readSubscriptions(
  subscriptions: readonly MySubscription[],
  now: number,
): readonly FollowedCaller[] {
  const read = subscriptions.map((subscription) => readSubscription(subscription, now));
  return [
    ...read.filter(({ endsSoon }) => endsSoon).sort((one, other) => endOf(one) - endOf(other)),
    ...read.filter(({ endsSoon }) => !endsSoon),
  ];
}

function readSubscription(subscription: MySubscription, now: number): FollowedCaller {
  const { endDate, monthlyFee, isCurrentlyActive } = subscription;
  const end = endDate === null ? null : readSubscriptionEnd(endDate, now, subscription.payment?.days);
  // The subscription may have ended after the list was fetched.
  const isActive = isCurrentlyActive && end?.hasEnded !== true;
  const isPaid = monthlyFee !== null;
  return {
    subscription,
    isActive,
    end: isPaid || !isActive ? end : null,
    endsSoon: isPaid && end !== null && end.stage !== null,
  };
}

export function renewableOf({ caller, monthlyFee, canBeSubscribed, endDate }: MySubscription) {
  return { ...caller, monthlyFee, canBeSubscribed, accessEndsAt: endDate };
}

const endOf = ({ subscription }: FollowedCaller) => Date.parse(subscription.endDate ?? '');
