import { coversMoment, type Period } from './subscription.ts';

/** Everything the decision depends on. `periods` are the viewer's own with this caller. */
export interface EntitlementQuestion {
  readonly viewerId: string | null;
  readonly callerId: string;
  readonly isFree: boolean;
  readonly periods: readonly Period[];
  readonly now: number;
}

export type Entitlement =
  | { readonly isEntitled: true; readonly because: 'owner' | 'free' | 'subscribed' }
  | { readonly isEntitled: false; readonly because: 'anonymous' | 'not_subscribed' };

/**
 * Who may see a caller's active calls now: the owner; any signed-in user where the caller is Free;
 * a subscriber within a bounded period. The one place that decides this, for every read, message and
 * image. An open-ended (free) period opens nothing by itself: once the caller charges it has an end.
 */
export function decideEntitlement(question: EntitlementQuestion): Entitlement {
  const { viewerId, callerId, isFree, periods, now } = question;
  if (viewerId === null) return { isEntitled: false, because: 'anonymous' };
  if (viewerId === callerId) return { isEntitled: true, because: 'owner' };
  if (isFree) return { isEntitled: true, because: 'free' };
  const isSubscribed = periods.some((period) => period.endsAt !== null && coversMoment(period, now));
  return isSubscribed
    ? { isEntitled: true, because: 'subscribed' }
    : { isEntitled: false, because: 'not_subscribed' };
}
