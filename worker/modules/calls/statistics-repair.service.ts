import type { JobLeases } from '../../shared/job-leases.ts';
import type { CallsRepository } from './calls.repository.ts';

/** Of so many callers the statistics are checked in one run of the cron: each may have thousands of calls. */
export const STATISTICS_SLICE = 200;

export interface StatisticsRepairOptions {
  readonly repository: Pick<CallsRepository, 'listCallerIds' | 'repairStatistics'>;
  readonly leases: JobLeases;
}

/** Looks for statistics that are not what the caller's calls give, slice by slice of all callers, and rights them. */
export function createStatisticsRepairService({ repository, leases }: StatisticsRepairOptions) {
  return {
    /**
     * Checks the next callers in turn: all of them within `ceil(callers / STATISTICS_SLICE)` runs. Returns how many had
     * drifted; null where another run is at it.
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
