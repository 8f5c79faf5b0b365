import { CALL_LIMITS } from '#schema/constants/market.ts';

export const MAX_CALLS_COUNTED = Math.max(...CALL_LIMITS.map(({ calls }) => calls));

export const LONGEST_CALL_LIMIT_MS = Math.max(...CALL_LIMITS.map(({ withinMs }) => withinMs));

export interface CallLimitParams {
  /** The times of the caller's latest calls, newest first. */
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
