import { CALL_LIMITS } from '#schema/constants/market.ts';

/** The number of a caller's newest calls that `callLimitWait` needs. */
export const MAX_CALLS_COUNTED = Math.max(...CALL_LIMITS.map(({ calls }) => calls));

/** The longest window of all limits. Calls older than this don't count. */
export const LONGEST_CALL_LIMIT_MS = Math.max(...CALL_LIMITS.map(({ withinMs }) => withinMs));

export interface CallLimitParams {
  /** Opening times of the caller's newest calls, newest first. */
  readonly calledAt: readonly number[];
  readonly now: number;
}

/** Returns the time in ms until a caller may open the next call; 0 if they may open it now. */
export function callLimitWait({ calledAt, now }: CallLimitParams): number {
  const waits = CALL_LIMITS.map(({ calls, withinMs }) => {
    const oldest = calledAt[calls - 1];
    return oldest === undefined ? 0 : oldest + withinMs - now;
  });
  return Math.max(0, ...waits);
}
