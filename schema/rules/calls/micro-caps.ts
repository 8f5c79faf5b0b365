import { MIN_MICRO_CAP_RECORD } from '#schema/constants/market.ts';
import { isWaiting, type RecordedResult } from './follower-figures.ts';
import { PPM_PER_PERCENT } from './follower-return.ts';

/**
 * The results of followers with the smallest of FOLLOWER_STAKES_USD per call on a micro-cap, bought and sold one minute late.
 * No order uses it. Results are in percent, and null if none counts.
 */
export interface MicroCapRecord {
  /** The newest ended calls on micro-caps, at most MICRO_CAP_RECORD_CALLS. */
  readonly calls: number;
  readonly callsWithoutResult: number;
  /** Gains that count once the caller's oldest open call has ended, as in Proven. */
  readonly waitingGains: number;
  readonly wonShare: number | null;
  readonly averageResult: number | null;
  readonly worstResult: number | null;
}

/** `ppm` is the result with the smallest stake; null if the call has none. */
export type MicroCapResult = Pick<RecordedResult, 'calledAt' | 'ppm'>;

/** Null with fewer than MIN_MICRO_CAP_RECORD calls. */
export function microCapRecord(
  results: readonly MicroCapResult[],
  oldestOpenAt: number | null,
): MicroCapRecord | null {
  if (results.length < MIN_MICRO_CAP_RECORD) return null;
  const known = results.flatMap(({ calledAt, ppm }) => (ppm === null ? [] : [{ calledAt, ppm }]));
  const counted = known
    .filter((result) => !isWaiting(result, oldestOpenAt))
    .map(({ ppm }) => ppm / PPM_PER_PERCENT);
  const meanOf = (values: readonly number[]) =>
    counted.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / counted.length;
  return {
    calls: results.length,
    callsWithoutResult: results.length - known.length,
    waitingGains: known.length - counted.length,
    wonShare: meanOf(counted.map((percent) => (percent > 0 ? 100 : 0))),
    averageResult: meanOf(counted),
    worstResult: counted.length === 0 ? null : Math.min(...counted),
  };
}
