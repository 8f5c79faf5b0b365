import type { JobLeases } from '../../shared/job-leases.ts';
import type { CallStatisticsRepository, ListedCaller } from './call-statistics.repository.ts';

export const STATISTICS_SLICE = 2_000;
/** A run checks at least one caller, however many calls they have. */
export const STATISTICS_CALLS_PER_RUN = 20_000;

export interface StatisticsRepairOptions {
  readonly repository: CallStatisticsRepository;
  readonly leases: JobLeases;
}

/** Recomputes callers' statistics from their calls, and corrects wrong ones. */
export function createStatisticsRepairService({ repository, leases }: StatisticsRepairOptions) {
  return {
    /**
     * Checks the next slice of callers: at most STATISTICS_SLICE, with at most STATISTICS_CALLS_PER_RUN calls.
     * @returns the number of corrected callers; null if another run holds the lease
     */
    repair: (): Promise<number | null> =>
      leases.run({
        job: 'statistics.repair',
        work: async (lease) => {
          const listed = await repository.listCallers({ after: lease.cursor, limit: STATISTICS_SLICE });
          const callerIds = withinOneRun(listed);
          const isLast = listed.length < STATISTICS_SLICE && callerIds.length === listed.length;
          const cursor = isLast ? null : (callerIds.at(-1) ?? null);
          const [repaired = []] = await lease.commit({
            statements: [repository.repairStatistics(callerIds)],
            cursor,
          });
          return repaired.length;
        },
      }),
  };
}

function withinOneRun(callers: readonly ListedCaller[]): string[] {
  let calls = 0;
  const tooMany = callers.findIndex(({ totalCalls }, index) => {
    calls += totalCalls;
    return index > 0 && calls > STATISTICS_CALLS_PER_RUN;
  });
  return callers.slice(0, tooMany === -1 ? callers.length : tooMany).map(({ id }) => id);
}
