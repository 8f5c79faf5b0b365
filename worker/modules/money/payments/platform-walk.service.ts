import { HOUR_MS } from '#schema/constants/time.ts';
import type { Base } from '../../../app/base.ts';
import { FIRST_POSITION } from '../../../ports/chain.ts';
import type { Lease } from '../../../shared/job-leases.ts';
import { saveUnreadableStatement } from './broadcasts.repository.ts';
import { namedIntents, planReads, withPriority } from './plan-reads.ts';
import { createReadLanded, type Findings } from './read-landed.ts';
import { countPayments, type PaymentDependencies } from './record-payment.ts';
import type { UnreadEntry, UnreadRepository } from './unread.repository.ts';
import { takePage, walkStateSchema, type WalkState } from './walk-state.ts';

/** Limits of one run, because a Worker's subrequests and the cron's minute are limited. */
const PAGES_PER_RUN = 20;
export const READS_PER_RUN = { priority: 200, others: 20 } as const;
/**
 * A transaction that couldn't be read is tried again after this time: no endpoint had it (without priority), or none
 * could return it.
 */
const RETRY_MS = 6 * HOUR_MS;
const SIGNATURES_PER_ALARM = 5;

export interface PlatformWalkOptions
  extends PaymentDependencies, Pick<Base, 'leases' | 'alarm' | 'alarmOnce'> {
  readonly unread: UnreadRepository;
}

interface Run {
  readonly lease: Lease;
  cursor: string | null;
}

/**
 * Finds payments that nobody has claimed. Lists the platform wallet's new finalized transactions, stores them
 * as unread, and reads them: first those whose memo names an open intent, then the others, oldest first.
 */
export function createPlatformWalkService(options: PlatformWalkOptions) {
  const list = createList(options);
  const readDue = createReadDue(options);

  const walkOnce = async (lease: Lease) => {
    const run: Run = { lease, cursor: lease.cursor };
    const [listed] = await Promise.allSettled([list(run)]);
    const report = await readDue(run);
    // Transactions of earlier listings are read even if the endpoints list nothing.
    if (listed.status === 'rejected') throw listed.reason;
    return report;
  };

  /** Whether there is nothing to read or store. Writes nothing, so a quiet minute takes no lease. */
  const isQuiet = async (): Promise<boolean> => {
    const { cursor, isDue } = await options.unread.readProgress(options.clock.now());
    const saved = readState(cursor, options.platformAddress);
    if (saved === null || saved.lostSince !== null || isDue) return false;
    const { state, outcome } = takePage(saved, await readPage(options, saved), options.clock.now());
    return outcome === 'complete' && JSON.stringify(state) === cursor;
  };

  return {
    walk: async () =>
      (await isQuiet()) ? null : options.leases.run({ job: 'payments.walk', work: walkOnce }),
  };
}

function readState(cursor: string | null, address: string): WalkState | null {
  const saved = walkStateSchema.safeParse(JSON.parse(cursor ?? 'null'));
  return saved.success && saved.data.address === address ? saved.data : null;
}

const readPage = ({ chain }: PlatformWalkOptions, { address, positions, listing }: WalkState) =>
  listing
    ? chain.finalizedPage({ address, before: listing.before, positions })
    : chain.newestFinalizedPage({ address, positions });

async function openState(
  { unread, chain, platformAddress: address }: PlatformWalkOptions,
  cursor: string | null,
): Promise<WalkState> {
  const saved = readState(cursor, address);
  if (saved) return saved;
  const started = { address, listing: null, lostSince: null };
  const positions = cursor === null ? await unread.listStartPositions() : [];
  if (positions.length > 0) return { ...started, positions };
  // A new platform wallet's older transactions can't be payments.
  const { entries } = await chain.newestFinalizedPage({ address, positions: [] });
  const [{ signature, slot } = FIRST_POSITION] = entries;
  return { ...started, positions: [{ signature, slot }] };
}

function createList(options: PlatformWalkOptions) {
  const { unread, clock, alarmOnce } = options;

  const findUnread = async (entries: ReturnType<typeof takePage>['entries']): Promise<UnreadEntry[]> => {
    const unknown = await unread.listUnknown(entries.map(({ signature }) => signature));
    return entries
      .filter(({ signature }) => unknown.has(signature))
      .map(({ signature, memo }) => [signature, ...namedIntents(memo)]);
  };

  return async (run: Run): Promise<void> => {
    const { lease } = run;
    let state = await openState(options, run.cursor);
    for (let pages = 0; pages < PAGES_PER_RUN; pages += 1) {
      await lease.save();
      const step = takePage(state, await readPage(options, state), clock.now());
      const entries = await findUnread(step.entries);
      ({ state } = step);
      const cursor = JSON.stringify(state);
      if (cursor !== run.cursor) {
        await lease.commit({
          cursor,
          statements: [
            ...(entries.length > 0
              ? [unread.insertStatement({ slot: step.entries[0]?.slot ?? 0, isRetry: false, entries })]
              : []),
            ...(step.outcome === 'complete' ? [unread.releaseStatement(clock.now())] : []),
            ...(step.outcome === 'restarts' ? [unread.discardStatement()] : []),
          ],
        });
        run.cursor = cursor;
      }
      if (step.outcome !== 'continues') break;
    }
    if (state.lostSince !== null) {
      const position = state.positions[0]?.signature;
      await alarmOnce({ kind: 'payments.position_lost', details: { address: state.address, position } });
    }
  };
}

function createReadDue(options: PlatformWalkOptions) {
  const { unread, intents, ledger, clock } = options;
  const readLanded = createReadLanded(options);
  const raiseAlarms = createRaiseAlarms(options);

  return async ({ lease, cursor }: Run) => {
    const now = clock.now();
    const rows = await unread.listDue(now);
    if (rows.length === 0) return { read: 0, recorded: 0 };
    const named = rows.flatMap(({ entries }) => entries.flatMap(([, ...intentIds]) => intentIds));
    const readsLeft = await intents.listReadsLeft(named, now);
    const { priority, others } = planReads({ rows, readsLeft, limits: READS_PER_RUN });
    const unknown = await unread.listUnknown([...priority.keys(), ...others]);
    const findings = await readLanded([...unknown], lease.save);
    const { orphans, dust, absent, unreadable, failed, left, recorded } = findings;
    const stays = (signature: string) =>
      left.has(signature) || (priority.has(signature) ? absent.has(signature) : !others.has(signature));
    const counted = [...priority].flatMap(([signature, intentId]) =>
      left.has(signature) || failed.has(signature) ? [] : [intentId],
    );
    const again = [...unreadable, ...[...others].filter((signature) => absent.has(signature))];
    const payments = [...priority].flatMap(([signature, intentId]) =>
      unreadable.has(signature) ? [{ signature, intentId, lastValidBlockHeight: null }] : [],
    );
    await lease.commit({
      cursor,
      statements: [
        intents.countReadsStatement(counted),
        ...rows.map((row) =>
          unread.replaceStatement(
            row.id,
            row.entries
              .filter(([signature]) => stays(signature))
              .map((entry) => withPriority(entry, readsLeft)),
          ),
        ),
        ...(again.length > 0
          ? [
              unread.insertStatement({
                dueAt: now + RETRY_MS,
                slot: 0,
                isRetry: true,
                entries: again.map((signature) => [signature]),
              }),
            ]
          : []),
        ...(payments.length > 0 ? [saveUnreadableStatement(payments, now)] : []),
        ...ledger.insertOrphanStatements(orphans),
        ...(dust.transfers > 0 ? [unread.countDustStatement(dust)] : []),
      ],
    });
    countPayments(options, 'orphaned', orphans.length);
    await raiseAlarms(findings);
    return { read: unknown.size - left.size, recorded };
  };
}

function createRaiseAlarms({ alarm, alarmOnce }: PlatformWalkOptions) {
  return async ({ orphans, absent, unreadable }: Findings): Promise<void> => {
    if (orphans.length > 0) {
      const first = orphans.slice(0, SIGNATURES_PER_ALARM).map(({ signature }) => signature);
      await alarm({ kind: 'payments.orphans', details: { count: orphans.length, first } });
    }
    const [first] = [...unreadable, ...absent];
    if (first !== undefined) await alarmOnce({ kind: 'payments.unread', details: { first } });
  };
}
