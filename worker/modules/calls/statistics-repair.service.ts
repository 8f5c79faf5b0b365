import type { JobLeases } from '../../shared/job-leases.ts';
import type { CallStatisticsRepository, ListedCaller } from './call-statistics.repository.ts';

export const STATISTICS_SLICE = 2_000;
/** Calls and subscribers together. A run checks at least one caller, however many they have. */
export const STATISTICS_ROWS_PER_RUN = 20_000;

export interface StatisticsRepairOptions {
  readonly repository: CallStatisticsRepository;
  readonly leases: JobLeases;
}

/** Recomputes callers' statistics and subscriber counts, and corrects wrong ones. */
export function createStatisticsRepairService({ repository, leases }: StatisticsRepairOptions) {
  return {
    /**
     * Checks the next slice of callers: at most STATISTICS_SLICE, with at most STATISTICS_ROWS_PER_RUN calls and
     * subscribers.
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
          const wrong = await repository.listWrongStatistics(callerIds);
          const [counts = [], figures = []] = await lease.commit({
            statements: [
              repository.repairSubscriberCounts(callerIds),
              // A caller's stored calls were read with the wrong count, so they may be incomplete.
              ...(wrong.length === 0
                ? []
                : [repository.repairStatistics(wrong), repository.forgetEndedCalls(wrong)]),
            ],
            cursor,
          });
          return new Set([...counts, ...figures].map((row) => row['caller_id'])).size;
        },
      }),
  };
}

function withinOneRun(callers: readonly ListedCaller[]): string[] {
  let rows = 0;
  const tooMany = callers.findIndex(({ totalCalls, subscriberCount }, index) => {
    rows += totalCalls + subscriberCount;
    return index > 0 && rows > STATISTICS_ROWS_PER_RUN;
  });
  return callers.slice(0, tooMany === -1 ? callers.length : tooMany).map(({ id }) => id);
}
