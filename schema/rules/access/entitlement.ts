import { isListed, type Standing } from '../people/standing.ts';
import { isPeriodActiveAt, type Period } from './subscription.ts';

interface EntitlementInput {
  readonly viewerId: string | null;
  readonly callerId: string;
  readonly isFree: boolean;
  readonly standing: Standing;
  readonly periods: readonly Period[];
  readonly now: number;
}

export function isViewerEntitled(input: EntitlementInput): boolean {
  const { viewerId, callerId, isFree, standing, periods, now } = input;
  if (viewerId === null) return false;
  if (viewerId === callerId || (isFree && isListed(standing))) return true;
  const followsCount = isFree && !standing.isHidden;
  return periods.some((period) => (period.endsAt !== null || followsCount) && isPeriodActiveAt(period, now));
}

/** Returns when the viewer's access ends at the earliest (unix ms): Infinity without an end, 0 without access. */
export function accessEndsAt(input: EntitlementInput): number {
  const { viewerId, callerId, isFree, periods, now } = input;
  if (!isViewerEntitled(input)) return 0;
  if (viewerId === callerId || isFree) return Infinity;
  const running = periods.filter((period) => isPeriodActiveAt(period, now));
  return Math.max(...running.map(({ endsAt }) => endsAt ?? Infinity));
}
