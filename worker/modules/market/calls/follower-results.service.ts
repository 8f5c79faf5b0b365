import { FOLLOWER_RECORD_DELAY_MS } from '#schema/constants/market.ts';
import { copiedResult, followerResult, resultInSol } from '#schema/rules/calls/follower-return.ts';
import type { Base } from '../../../app/base.ts';
import type { Lease } from '../../../shared/job-leases.ts';
import { splitBatches } from '../../../shared/batches.ts';
import {
  createFollowerResultsRepository,
  storeFigures,
  type RecordedCall,
  type UnrecordedCall,
} from './follower-results.repository.ts';

/** Other requests wait for D1 during a batch, and a record writes about 15 rows. */
const RECORDS_PER_BATCH = 500;
/** Twice the peak of a hundred million visitors (docs/SCALE.md). The next run goes on. */
const RECORDS_PER_RUN = 1_000;
/** Each caller's results are up to 75 kB. */
const CALLERS_PER_READ = 100;

export function createFollowerResultsService({ db, leases, clock }: Pick<Base, 'db' | 'leases' | 'clock'>) {
  const repository = createFollowerResultsRepository(db);

  /** Returns the figures of these calls' callers, also of unranked calls: see `storeFigures`. */
  const computeFigures = async (recorded: readonly RecordedCall[], lease: Lease) => {
    const byCaller = Map.groupBy(recorded.toReversed(), ({ callerId }) => callerId);
    const figures = [];
    for (const callerIds of splitBatches([...byCaller.keys()], CALLERS_PER_READ)) {
      await lease.save();
      const read = await repository.readResults({ callerIds });
      const withNew = read.map((caller) => {
        const added = byCaller.get(caller.callerId) ?? [];
        return { ...caller, results: [...added.filter(({ isRanked }) => isRanked), ...caller.results] };
      });
      figures.push(...storeFigures(withNew, clock.now()));
    }
    return figures;
  };

  const recordNext = async (lease: Lease): Promise<number> => {
    const until = clock.now() - FOLLOWER_RECORD_DELAY_MS;
    const due = await repository.listUnrecorded({ until, limit: RECORDS_PER_BATCH });
    if (due.length === 0) return 0;
    const recorded = due.map(withResult);
    const figures = await computeFigures(recorded, lease);
    const records = repository.recordResults(recorded, clock.now());
    await lease.commit({ cursor: null, statements: [...figures, ...records] });
    return due.length;
  };

  return {
    record: (): Promise<number | null> =>
      leases.run({
        job: 'calls.results',
        async work(lease) {
          let recorded = 0;
          while (recorded < RECORDS_PER_RUN) {
            const next = await recordNext(lease);
            recorded += next;
            if (next < RECORDS_PER_BATCH) break;
          }
          return recorded;
        },
      }),
  };
}

function withResult(call: UnrecordedCall): RecordedCall {
  const followed = followerResult(call);
  return { ...call, ...followed, solPpm: resultInSol(call, followed), copied: copiedResult(call) };
}
