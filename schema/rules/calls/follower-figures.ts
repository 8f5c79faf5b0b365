import { FOLLOWER_FIGURES_CALLS, MIN_PROVEN_DAYS, MIN_PROVEN_MINTS } from '#schema/constants/market.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { PPM_PER_PERCENT } from './follower-return.ts';
import { studentT } from './student-t.ts';

export interface RecordedResult {
  readonly mint: string;
  readonly calledAt: number;
  /** In millionths of the stake. Null if the call has no result. */
  readonly ppm: number | null;
  /** The call's opening or end is late in the public log, so its time is unproven. */
  readonly isLate: boolean;
}

export interface FollowerFigures {
  /** The number of calls with a result. */
  readonly calls: number;
  readonly callsWithoutResult: number;
  readonly followerReturn: number | null;
  readonly proven: number | null;
  /** The UTC days and mints of the results that Proven counts. */
  readonly provenDays: number;
  readonly provenMints: number;
}

interface Counted {
  readonly mint: string;
  readonly day: number;
  readonly ppm: number;
}

/**
 * Computes Follower Return and Proven.
 * @param results newest end first; only the first FOLLOWER_FIGURES_CALLS count
 * @param oldestOpenAt the time (unix ms) of the caller's oldest open call; null if none is open
 */
export function followerFigures(
  results: readonly RecordedResult[],
  oldestOpenAt: number | null,
): FollowerFigures {
  const window = results.slice(0, FOLLOWER_FIGURES_CALLS);
  const known = window.flatMap(({ ppm }) => ppm ?? []);
  const counted = window.flatMap((result) => countedForProven(result, oldestOpenAt));
  const provenDays = new Set(counted.map(({ day }) => day)).size;
  const provenMints = new Set(counted.map(({ mint }) => mint)).size;
  const isEnough = provenDays >= MIN_PROVEN_DAYS && provenMints >= MIN_PROVEN_MINTS;
  return {
    calls: known.length,
    callsWithoutResult: window.length - known.length,
    followerReturn: known.length === 0 ? null : sumOf(known) / (known.length * PPM_PER_PERCENT),
    proven: isEnough
      ? Math.min(
          lowerLimit(counted, ({ mint }) => mint),
          lowerLimit(counted, ({ day }) => day),
        )
      : null,
    provenDays,
    provenMints,
  };
}

/**
 * A loss counts at once. A gain counts if the call was opened before the caller's oldest open call, so that
 * callers gain nothing by ending winners first. A late gain counts as 0.
 */
function countedForProven(
  { mint, calledAt, ppm, isLate }: RecordedResult,
  oldestOpenAt: number | null,
): Counted[] {
  if (ppm === null) return [];
  if (ppm > 0 && oldestOpenAt !== null && calledAt >= oldestOpenAt) return [];
  return [{ mint, day: Math.floor(calledAt / DAY_MS), ppm: ppm > 0 && isLate ? 0 : ppm }];
}

/**
 * The lower limit of the two-sided 95% confidence interval of the mean m, in percent, with a standard error
 * clustered by `groupOf`: se² = G / (G - 1) × Σ over the G groups of (sum of (result - m) in the group)² / N².
 */
function lowerLimit(results: readonly Counted[], groupOf: (result: Counted) => string | number): number {
  const [total, count] = [sumOf(results.map(({ ppm }) => ppm)), results.length];
  const groups = new Map<string | number, number>();
  for (const result of results) {
    const key = groupOf(result);
    // N × (result - m) is a whole number, so the sums are exact.
    groups.set(key, (groups.get(key) ?? 0) + count * result.ppm - total);
  }
  const squares = sumOf([...groups.values()].map((sum) => sum * sum));
  const error = Math.sqrt((groups.size / (groups.size - 1)) * squares) / (count * count);
  return (total / count - studentT(groups.size - 1) * error) / PPM_PER_PERCENT;
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
