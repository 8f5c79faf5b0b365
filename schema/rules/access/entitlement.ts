import { isListed, type Standing } from '../people/standing.ts';
import { isPeriodActiveAt, type Period } from './subscription.ts';

/** The viewer, the caller and the viewer's periods with this caller. `now` is unix ms. */
export interface EntitlementInput {
  readonly viewerId: string | null;
  readonly callerId: string;
  readonly isFree: boolean;
  /** The operators' restriction of the caller. */
  readonly standing: Standing;
  readonly periods: readonly Period[];
  readonly now: number;
}

export type Entitlement =
  | { readonly isEntitled: true; readonly because: 'owner' | 'free' | 'subscribed' }
  | { readonly isEntitled: false; readonly because: 'anonymous' | 'not_subscribed' };

/**
 * Decides whether a viewer may see a caller's active calls now. Applies to every read, message and image.
 * Callers always see their own calls. A Free caller's calls are visible to every signed-in user. A Paid
 * caller's calls are visible to subscribers during a period that has an end; a period without an end is a
 * free follow, which grants nothing once the caller is Paid. A suspended Free caller's calls are visible only
 * to followers. A hidden caller's calls are visible only during a period that has an end.
 */
export function decideEntitlement(input: EntitlementInput): Entitlement {
  const { viewerId, callerId, isFree, standing, periods, now } = input;
  if (viewerId === null) return { isEntitled: false, because: 'anonymous' };
  if (viewerId === callerId) return { isEntitled: true, because: 'owner' };
  if (isFree && isListed(standing)) return { isEntitled: true, because: 'free' };
  const followsCount = isFree && !standing.isHidden;
  const isSubscribed = periods.some(
    (period) => (period.endsAt !== null || followsCount) && isPeriodActiveAt(period, now),
  );
  return isSubscribed
    ? { isEntitled: true, because: 'subscribed' }
    : { isEntitled: false, because: 'not_subscribed' };
}
