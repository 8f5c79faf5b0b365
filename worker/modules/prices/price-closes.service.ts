import {
  CLOSE_INTERVAL_MS,
  CLOSES_DAILY_AFTER_MS,
  CLOSES_HOURLY_AFTER_MS,
  DAY_MS,
  HOUR_MS,
} from '#schema/constants.ts';
import type { JobLeases } from '../../shared/job-leases.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PriceClosesRepository } from './price-closes.repository.ts';

/** Past each age one close a bucket is left. A step is as long as the closes lie apart that come to that age. */
const BORDERS = {
  hourly: {
    job: 'closes.hourly',
    afterMs: CLOSES_HOURLY_AFTER_MS,
    bucketMs: HOUR_MS,
    stepMs: CLOSE_INTERVAL_MS,
  },
  daily: { job: 'closes.daily', afterMs: CLOSES_DAILY_AFTER_MS, bucketMs: DAY_MS, stepMs: HOUR_MS },
} as const;

/** More than what a minute brings, so that a run catches up with an outage; few enough for one run. */
export const STEPS_PER_RUN = 50;

/** Thins the prices that are kept for charts with their age. */
export function createPriceClosesService({
  closes,
  leases,
  clock,
}: {
  closes: PriceClosesRepository;
  leases: JobLeases;
  clock: Clock;
}) {
  /** Goes step by step over what has crossed the border since the last run; a step without closes costs nothing. */
  const thinAt = ({
    job,
    afterMs,
    bucketMs,
    stepMs,
  }: (typeof BORDERS)[keyof typeof BORDERS]): Promise<number | null> => {
    const floor = (time: number) => Math.floor(time / stepMs) * stepMs;
    const until = floor(clock.now() - afterMs);
    return leases.run({
      job,
      work: async (lease) => {
        let deleted = 0;
        let from = Number(lease.cursor ?? 0);
        for (let step = 0; step < STEPS_PER_RUN; step++) {
          const oldest = await closes.findOldest({ from, until });
          if (oldest === null) break;
          const start = Math.max(from, floor(oldest));
          from = start + stepMs;
          const [rows = []] = await lease.commit({
            statements: [closes.thin({ from: start, until: from, bucketMs })],
            cursor: String(from),
          });
          deleted += rows.length;
        }
        return deleted;
      },
    });
  };

  return {
    /** Returns how many closes each border deleted; null where another run is at it. */
    async thin(): Promise<{ hourly: number | null; daily: number | null }> {
      return { hourly: await thinAt(BORDERS.hourly), daily: await thinAt(BORDERS.daily) };
    },
  };
}
