import { FOLLOWER_FIGURES_CALLS, PROVEN_CALLS, PROVEN_WINDOW_MS } from '#schema/constants/market.ts';
import { PPM_PER_PERCENT } from './follower-return.ts';
import { provenFigures, type ProvenFigures, type SolResult } from './proven.ts';

export interface RecordedResult extends Omit<SolResult, 'solPpm'> {
  /** In millionths of the stake. Null if the call has no result. */
  readonly ppm: number | null;
  /** The result in SOL, as `resultInSol` returns it. */
  readonly solPpm: number | null;
  /** The call's opening or end is late in the public log, so its time is unproven. */
  readonly isLate: boolean;
}

export interface FollowerFigures extends ProvenFigures {
  /** The number of calls with a result. */
  readonly calls: number;
  readonly callsWithoutResult: number;
  readonly followerReturn: number | null;
}

/**
 * Computes Follower Return and Proven.
 * @param results newest end first; only the first PROVEN_CALLS count
 * @param oldestOpenAt the time (unix ms) of the caller's oldest open call; null if none is open
 */
export function followerFigures(
  results: readonly RecordedResult[],
  oldestOpenAt: number | null,
): FollowerFigures {
  const window = results.slice(0, FOLLOWER_FIGURES_CALLS);
  const known = window.flatMap(({ ppm }) => ppm ?? []);
  const sum = known.reduce((total, ppm) => total + ppm, 0);
  return {
    calls: known.length,
    callsWithoutResult: window.length - known.length,
    followerReturn: known.length === 0 ? null : sum / (known.length * PPM_PER_PERCENT),
    ...provenFigures(countedResults(results, oldestOpenAt).map(lateGainAsZero)),
  };
}

/**
 * A loss counts at once. A gain counts if the call was opened before the caller's oldest open call, so that
 * callers gain nothing by ending winners first.
 */
export function countedResults<Result extends RecordedResult>(
  results: readonly Result[],
  oldestOpenAt: number | null,
): (Result & SolResult)[] {
  const known = results
    .slice(0, PROVEN_CALLS)
    .flatMap((result) => (result.solPpm === null ? [] : [{ ...result, solPpm: result.solPpm }]));
  const since = (known[0]?.endedAt ?? 0) - PROVEN_WINDOW_MS;
  return known.filter(
    (result) =>
      result.endedAt >= since && !isWaiting({ ppm: result.solPpm, calledAt: result.calledAt }, oldestOpenAt),
  );
}

export const isWaiting = (
  { ppm, calledAt }: { readonly ppm: number; readonly calledAt: number },
  oldestOpenAt: number | null,
): boolean => ppm > 0 && oldestOpenAt !== null && calledAt >= oldestOpenAt;

const lateGainAsZero = ({ isLate, ...result }: RecordedResult & SolResult): SolResult =>
  isLate ? { ...result, solPpm: Math.min(0, result.solPpm) } : result;
