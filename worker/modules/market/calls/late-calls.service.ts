import { LOG_ANCHOR_LATE_MS, LOG_UNANCHORED_MS } from '#schema/constants/log.ts';
import type { Base } from '../../../app/base.ts';
import type { Lease } from '../../../shared/job-leases.ts';
import { createFollowerResultsRepository, storeFigures } from './follower-results.repository.ts';
import { createLateCallsRepository, type TimedAnchor, type TimedEntry } from './late-calls.repository.ts';

const ENTRIES_PER_SLICE = 100;
const SLICES_PER_RUN = 20;

/** Flags calls whose opening or end is late in the log (docs/SEALED-CALLS.md), and stores their callers' figures. */
export function createLateCallsService({ db, leases, clock }: Pick<Base, 'db' | 'leases' | 'clock'>) {
  const repository = createLateCallsRepository(db);
  const followerResults = createFollowerResultsRepository(db);
  const store = async (late: readonly TimedEntry[]) => {
    if (late.length === 0) return [];
    const calls = new Set(late.map(({ call_id }) => call_id));
    const callerIds = [...new Set(late.flatMap(({ caller_id }) => caller_id ?? []))];
    const read = await followerResults.readResults({ callerIds });
    const flagged = read.map(({ results, ...caller }) => ({
      ...caller,
      results: results.map((each) => ({ ...each, isLate: each.isLate || calls.has(each.id) })),
    }));
    return [repository.flag([...calls].filter((id) => id !== null)), ...storeFigures(flagged, clock.now())];
  };

  /**
   * Judges the entries after `after`. Returns the last one before the first that can't be judged yet, which is judged again
   * later; null if there is none.
   */
  const judgeSlice = async (lease: Lease, after: number) => {
    const { entries, anchors } = await repository.listNext({ after, limit: ENTRIES_PER_SLICE });
    const isComplete = anchors.length < ENTRIES_PER_SLICE;
    const lateness = entries.map((entry) => isLate({ entry, anchors, isComplete, now: clock.now() }));
    const undecided = lateness.indexOf(null);
    const last = (undecided === -1 ? entries : entries.slice(0, undecided)).at(-1)?.id ?? null;
    const late = entries.filter((entry, index) => lateness[index] === true && entry.may_be_flagged === 1);
    if (last === null && late.length === 0) return null;
    await lease.commit({ cursor: String(last ?? after), statements: await store(late) });
    return last;
  };

  return {
    flag: (): Promise<number | null> =>
      leases.run({
        job: 'calls.late',
        work: async (lease) => {
          const first = Number(lease.cursor ?? 0);
          let last = first;
          for (let slice = 0; slice < SLICES_PER_RUN; slice++) {
            const judged = await judgeSlice(lease, last);
            if (judged === null) break;
            last = judged;
          }
          return last - first;
        },
      }),
  };
}

interface Judged {
  readonly entry: TimedEntry;
  readonly anchors: readonly TimedAnchor[];
  /** False if there may be more anchors. */
  readonly isComplete: boolean;
  readonly now: number;
}

/** The first anchor that covers an entry has the earliest block, so it decides. Null if it isn't known yet. */
function isLate({ entry: { id, at }, anchors, isComplete, now }: Judged): boolean | null {
  const anchor = anchors.find(({ size }) => size >= id);
  if (anchor?.block_time != null) return anchor.block_time > at + LOG_ANCHOR_LATE_MS;
  const mayBeInTime = anchor ? anchor.created_at <= at + LOG_ANCHOR_LATE_MS : !isComplete;
  return mayBeInTime || now <= at + LOG_UNANCHORED_MS ? null : true;
}
