import type { JobLeases } from '../../shared/job-leases.ts';
import type { CallStatisticsRepository } from './call-statistics.repository.ts';

export const STATISTICS_SLICE = 200;

export interface StatisticsRepairOptions {
  readonly repository: CallStatisticsRepository;
  readonly leases: JobLeases;
}

/** Recomputes callers' statistics from their calls, and corrects wrong ones. */
export function createStatisticsRepairService({ repository, leases }: StatisticsRepairOptions) {
  return {
    /**
     * Checks the next slice of callers. `ceil(callers / STATISTICS_SLICE)` runs check all of them.
     * @returns the number of corrected callers; null if another run holds the lease
     */
    repair: (): Promise<number | null> =>
      leases.run({
        job: 'statistics.repair',
        work: async (lease) => {
          const callerIds = await repository.listCallerIds({ after: lease.cursor, limit: STATISTICS_SLICE });
          const cursor = callerIds.length < STATISTICS_SLICE ? null : (callerIds.at(-1) ?? null);
          const [repaired = []] = await lease.commit({
            statements: [repository.repairStatistics(callerIds)],
            cursor,
          });
          return repaired.length;
        },
      }),
  };
}
