import { SECOND_MS } from '#schema/constants/time.ts';
import type { Base } from '../../../app/base.ts';
import { createPriceClosesRepository, THINNINGS, type Thinning } from './price-closes.repository.ts';

/** More steps than become due in one minute, so that the job catches up after an outage. */
export const STEPS_PER_RUN = 50;
/** All closes of a shard have the same time. So with many tokens, a step thins the closes of one shard. */
const STEP_MS = 10 * SECOND_MS;
const RUN_MS = 5 * SECOND_MS;

export function createPriceClosesService({ db, leases, clock }: Pick<Base, 'db' | 'leases' | 'clock'>) {
  const closes = createPriceClosesRepository(db);
  const thinAt = ({ job, afterMs, bucketMs, intervalMs }: Thinning): Promise<number | null> => {
    const until = Math.floor((clock.now() - afterMs) / intervalMs) * intervalMs;
    return leases.run({
      job,
      work: async (lease) => {
        const deadline = clock.now() + RUN_MS;
        let deleted = 0;
        let from = Number(lease.cursor ?? 0);
        for (let step = 0; step < STEPS_PER_RUN && clock.now() <= deadline; step++) {
          const oldest = await closes.findOldest({ from, until });
          if (oldest === null) break;
          from = Math.min(oldest + STEP_MS, until);
          const [rows = []] = await lease.commit({
            statements: [closes.thin({ from: oldest, until: from, bucketMs })],
            cursor: String(from),
          });
          deleted += rows.length;
        }
        return deleted;
      },
    });
  };

  return {
    async thin(): Promise<{ hourly: number | null; daily: number | null }> {
      return { hourly: await thinAt(THINNINGS.hourly), daily: await thinAt(THINNINGS.daily) };
    },
  };
}
