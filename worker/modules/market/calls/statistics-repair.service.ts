import { toDay } from '#schema/rules/text/utc-day.ts';
import type { Base } from '../../../app/base.ts';
import type { Lease } from '../../../shared/job-leases.ts';
import { createFollowerResultsRepository, storeFigures } from './follower-results.repository.ts';
import {
  activate,
  createCallStatisticsRepository,
  repairStatistics,
  repairSubscriberCounts,
  type ListedCaller,
} from './call-statistics.repository.ts';

/** The most rows of a slice: calls and subscribers, and CALLER_ROWS more for each caller. */
export const STATISTICS_ROWS_PER_SLICE = 5_000;
const CALLER_ROWS = 10;
export const STATISTICS_CALLERS_PER_SLICE = STATISTICS_ROWS_PER_SLICE / CALLER_ROWS;
/** Cursor of a round that has reached the last caller. */
const ROUND_DONE = '~';

export function createStatisticsRepairService({ db, leases, clock }: Pick<Base, 'db' | 'leases' | 'clock'>) {
  const repository = createCallStatisticsRepository(db);
  const followerResults = createFollowerResultsRepository(db);
  /** Checks the callers after the cursor, which has the day on which their round began, and the last checked caller. */
  const repairSlice = async (lease: Lease): Promise<number> => {
    const today = toDay(clock.now());
    const [begun = today, last = ROUND_DONE] = lease.cursor?.split(' ') ?? [];
    const [day, after] = last === ROUND_DONE ? [today, ''] : [begun, last];
    const listed = await repository.listCallers({ after, limit: STATISTICS_CALLERS_PER_SLICE });
    const callerIds = withinOneSlice(listed);
    const isLast = listed.length < STATISTICS_CALLERS_PER_SLICE && callerIds.length === listed.length;
    const wrong = await repository.listWrongStatistics(callerIds);
    const results = await followerResults.readResults({ callerIds });
    const rows = await lease.commit({
      statements: [
        repairSubscriberCounts(callerIds),
        ...(wrong.length === 0 ? [] : [repairStatistics(wrong)]),
        activate(callerIds, clock.now()),
        ...storeFigures(results, clock.now()),
        ...repository.repairCopies(callerIds),
      ],
      cursor: `${day} ${isLast ? ROUND_DONE : callerIds.at(-1)}`,
    });
    return new Set(rows.flat().flatMap((row) => row['caller_id'] ?? [])).size;
  };

  return {
    endActivity: () => repository.endActivity({ now: clock.now(), limit: STATISTICS_CALLERS_PER_SLICE }),

    /**
     * Checks the next slice of callers. After the last slice, the next round begins.
     * @returns the number of corrected callers; null if another run holds the lease
     */
    repair: (): Promise<number | null> => leases.run({ job: 'statistics.repair', work: repairSlice }),
  };
}

/** The first callers whose rows fit into a slice. It has at least one caller, however many rows they have. */
function withinOneSlice(callers: readonly ListedCaller[]): string[] {
  let rows = 0;
  const tooMany = callers.findIndex(({ totalCalls, subscriberCount }, index) => {
    rows += CALLER_ROWS + totalCalls + subscriberCount;
    return index > 0 && rows > STATISTICS_ROWS_PER_SLICE;
  });
  return callers.slice(0, tooMany === -1 ? callers.length : tooMany).map(({ id }) => id);
}
