import { FOLLOWER_RECORD_DELAY_MS } from '#schema/constants/market.ts';
import { copiedResult, followerResult, resultInSol } from '#schema/rules/calls/follower-return.ts';
import type { Base } from '../../../app/base.ts';
import type { Lease } from '../../../shared/job-leases.ts';
import {
  createFollowerResultsRepository,
  storeFigures,
  type UnrecordedCall,
} from './follower-results.repository.ts';

/** D1 allows 1,000 queries per run of the cron, and each record takes up to seven. The next run goes on. */
export const RECORDS_PER_RUN = 80;

export function createFollowerResultsService({ db, leases, clock }: Pick<Base, 'db' | 'leases' | 'clock'>) {
  const repository = createFollowerResultsRepository(db);
  const recordCall = async (call: UnrecordedCall, lease: Lease) => {
    const followed = followerResult(call);
    const result = { ...followed, solPpm: resultInSol(call, followed), copied: copiedResult(call) };
    const [read] = await repository.readResults({ callerIds: [call.callerId] });
    const added = { ...call, ...result };
    const now = clock.now();
    const results = [added, ...(read?.results ?? [])];
    const figures = read && call.isRanked ? storeFigures({ ...read, results }, now) : null;
    await lease.commit({
      cursor: null,
      statements: [...(figures === null ? [] : [figures]), ...repository.recordResult(call, result, now)],
    });
  };

  return {
    record: (): Promise<number | null> =>
      leases.run({
        job: 'calls.results',
        work: async (lease) => {
          const until = clock.now() - FOLLOWER_RECORD_DELAY_MS;
          const due = await repository.listUnrecorded({ until, limit: RECORDS_PER_RUN });
          for (const call of due) await recordCall(call, lease);
          return due.length;
        },
      }),
  };
}
