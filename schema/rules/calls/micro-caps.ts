import { MIN_MICRO_CAP_RECORD } from '#schema/constants/market.ts';
import { isWaiting } from './follower-figures.ts';
import { PPM_PER_PERCENT } from './follower-return.ts';

/**
 * What followers made with the smallest of FOLLOWER_STAKES_USD per call on a micro-cap, bought and sold one minute late.
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

export interface MicroCapResult {
  readonly calledAt: number;
  /** In millionths of the stake. Both are null if the call has no result. */
  readonly ppm: number | null;
  readonly solPpm: number | null;
}

/** Null with fewer than MIN_MICRO_CAP_RECORD calls. */
export function microCapRecord(
  results: readonly MicroCapResult[],
  oldestOpenAt: number | null,
): MicroCapRecord | null {
  if (results.length < MIN_MICRO_CAP_RECORD) return null;
  const known = results.flatMap(({ calledAt, ppm, solPpm }) =>
    ppm === null || solPpm === null ? [] : [{ calledAt, ppm, solPpm }],
  );
  const counted = known.filter((result) => !isWaiting(result, oldestOpenAt)).map(({ ppm }) => ppm);
  const meanOf = (values: readonly number[]) =>
    values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  const percent = (ppm: number | null) => (ppm === null ? null : ppm / PPM_PER_PERCENT);
  return {
    calls: results.length,
    callsWithoutResult: results.length - known.length,
    waitingGains: known.length - counted.length,
    wonShare: meanOf(counted.map((ppm) => (ppm > 0 ? 100 : 0))),
    averageResult: percent(meanOf(counted)),
    worstResult: counted.length === 0 ? null : Math.min(...counted) / PPM_PER_PERCENT,
  };
}
