import type { JobLeases, Lease } from '../../../shared/job-leases.ts';
import { storeFigures, type FollowerResultsRepository } from './follower-results.repository.ts';
import type { CallStatisticsRepository, ListedCaller } from './call-statistics.repository.ts';

/** Other requests wait for D1 while it works on a slice. So a run checks several small slices. */
const SLICES_PER_RUN = 40;
const CALLERS_PER_SLICE = 50;
export const STATISTICS_CALLERS_PER_RUN = SLICES_PER_RUN * CALLERS_PER_SLICE;
/** Calls and subscribers together. A slice has at least one caller, however many they have. */
export const STATISTICS_ROWS_PER_SLICE = 5_000;

export interface StatisticsRepairOptions {
  readonly repository: CallStatisticsRepository;
  readonly followerResults: Pick<FollowerResultsRepository, 'readResults'>;
  readonly leases: JobLeases;
}

/** Recomputes callers' statistics and subscriber counts, and corrects wrong ones. */
export function createStatisticsRepairService({
  repository,
  followerResults,
  leases,
}: StatisticsRepairOptions) {
  /** Checks the callers after `after`. Returns the position of the next slice, null after the last one. */
  const repairSlice = async (lease: Lease, after: string | null) => {
    const listed = await repository.listCallers({ after, limit: CALLERS_PER_SLICE });
    const callerIds = withinOneSlice(listed);
    const isLast = listed.length < CALLERS_PER_SLICE && callerIds.length === listed.length;
    const next = isLast ? null : (callerIds.at(-1) ?? null);
    const wrong = await repository.listWrongStatistics(callerIds);
    const results = await followerResults.readResults({ callerIds });
    const wrongResults = results.flatMap((read) => storeFigures(read) ?? []);
    const rows = await lease.commit({
      statements: [
        repository.repairSubscriberCounts(callerIds),
        repository.repairCopies(callerIds),
        // A caller's stored calls were read with the wrong count, so they may be incomplete.
        ...(wrong.length === 0
          ? []
          : [repository.repairStatistics(wrong), repository.forgetEndedCalls(wrong)]),
        ...wrongResults,
        ...repository.repairTokens(callerIds),
      ],
      cursor: next,
    });
    return {
      next,
      repaired: new Set(rows.flat().flatMap((row) => row['caller_id'] ?? [])).size,
    };
  };

  return {
    /**
     * Checks the next callers, at most STATISTICS_CALLERS_PER_RUN.
     * @returns the number of corrected callers; null if another run holds the lease
     */
    repair: (): Promise<number | null> =>
      leases.run({
        job: 'statistics.repair',
        work: async (lease) => {
          let after = lease.cursor;
          let sum = 0;
          for (let slice = 0; slice < SLICES_PER_RUN; slice++) {
            const { next, repaired } = await repairSlice(lease, after);
            sum += repaired;
            after = next;
            if (next === null) break;
          }
          return sum;
        },
      }),
  };
}

function withinOneSlice(callers: readonly ListedCaller[]): string[] {
  let rows = 0;
  const tooMany = callers.findIndex(({ totalCalls, subscriberCount }, index) => {
    rows += totalCalls + subscriberCount;
    return index > 0 && rows > STATISTICS_ROWS_PER_SLICE;
  });
  return callers.slice(0, tooMany === -1 ? callers.length : tooMany).map(({ id }) => id);
}
