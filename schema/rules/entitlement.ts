import { coversMoment, type Period } from './subscription.ts';

/** `periods` are the viewer's periods with this caller; `now` is unix ms. */
export interface EntitlementInput {
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
 * Decides who may see a caller's active calls now, for every read, message and image. Allowed are the
 * owner, any signed-in user of a Free caller, and a subscriber within a bounded period. An open-ended
 * period alone grants nothing, because it gets an end when the caller starts to charge.
 */
export function decideEntitlement(input: EntitlementInput): Entitlement {
  const { viewerId, callerId, isFree, periods, now } = input;
  if (viewerId === null) return { isEntitled: false, because: 'anonymous' };
  if (viewerId === callerId) return { isEntitled: true, because: 'owner' };
  if (isFree) return { isEntitled: true, because: 'free' };
  const isSubscribed = periods.some((period) => period.endsAt !== null && coversMoment(period, now));
  return isSubscribed
    ? { isEntitled: true, because: 'subscribed' }
    : { isEntitled: false, because: 'not_subscribed' };
}
