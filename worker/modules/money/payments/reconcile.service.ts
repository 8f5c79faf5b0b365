import { INTENT_RECONCILE_MS, MINUTE_MS } from '#schema/constants.ts';
import type { SignatureState } from '../../../ports/chain.ts';
import type { Alarm } from '../../../shared/alarms.ts';
import { mapConcurrently, MAX_CONNECTIONS } from '../../../shared/concurrency.ts';
import { createId } from '../../../shared/ids.ts';
import type { OpenBroadcast } from './broadcasts.repository.ts';
import type { IntentRow } from './intents.repository.ts';
import type { UnfinalizedPayment } from './ledger.repository.ts';
import type { PageAfter } from './page-after.ts';
import {
  describeOrphan,
  isUndecided,
  judgeFirstPaid,
  judgeIntent,
  recordPayment,
  type PaymentDependencies,
  type UnmatchedTransaction,
} from './record-payment.ts';

/** The most rows per page of the database, and per run. */
const PAGE_SIZE = 256;
const ROWS_PER_RUN = 8 * PAGE_SIZE;
/**
 * Status requests per run for broadcasts, and as many again for payments. A signature that the first endpoint
 * doesn't know costs four times as much, and a Worker's subrequests are limited.
 */
export const STATUS_REQUESTS_PER_RUN = 50;
/** Each intent needs several requests, and a Worker's subrequests are limited. */
export const INTENTS_PER_RUN = 60;
/** Half of the connections, because a search without a result asks both endpoints. */
const CONCURRENT_READS = MAX_CONNECTIONS / 2;
const SIGNATURES_PER_INTENT = 10;
const SIGNATURES_PER_ALARM = 5;

export interface ReconcileOptions extends PaymentDependencies {
  /** The most signatures in one status request. */
  readonly signaturesPerRequest: number;
  readonly alarm: (alarm: Alarm) => Promise<void>;
}

interface FoundSignature {
  readonly signature: string;
  readonly intent: IntentRow;
}

export type ReconcileService = ReturnType<typeof createReconcileService>;

/** Updates payments and periods from the chain. Every part may run repeatedly and concurrently. */
export function createReconcileService(options: ReconcileOptions) {
  const { intents, broadcasts, ledger, chain, clock, signaturesPerRequest } = options;
  const rowsPerRun = Math.min(ROWS_PER_RUN, STATUS_REQUESTS_PER_RUN * signaturesPerRequest);
  const recordAll = createRecordAll(options);
  const updateBroadcasts = createUpdateBroadcasts(options, recordAll);
  const finalizePage = createFinalizePage(options);

  /**
   * Reads only the oldest signatures. Nobody else knows the reference before the payment is sent, so spam
   * with this reference is newer than the payment.
   */
  const recordByReference = async (intent: IntentRow): Promise<number> => {
    const signatures = (await chain.signaturesFor(intent.reference)).slice(0, SIGNATURES_PER_INTENT);
    if (signatures.length === 0) return 0;
    const granted = await ledger.listGranted(signatures);
    const open = signatures.filter((signature) => !granted.has(signature));
    // One transaction at a time, because several intents are checked at once, and connections are limited.
    return recordAll(
      open.map((signature) => ({ signature, intent })),
      { limit: 1 },
    );
  };

  /**
   * An intent whose check fails is due again in a minute. An intent that is over two days old is left to the
   * daily check.
   */
  const checkReferences = async (due: readonly IntentRow[]): Promise<number> => {
    const failed: string[] = [];
    const check = (intent: IntentRow) =>
      recordByReference(intent).catch((error: unknown) => {
        if (intent.createdAt > clock.now() - 2 * INTENT_RECONCILE_MS) failed.push(intent.id);
        throw error;
      });
    try {
      return await sumConcurrently(due, check);
    } finally {
      await intents.checkAgainAt(failed, clock.now() + MINUTE_MS);
    }
  };

  return {
    /**
     * Finds payments that nobody has claimed, and records them. Checks our broadcasts, and searches for the
     * references of the intents that are due.
     * @throws the first failure, after all parts have run
     */
    async reconcile(): Promise<{ recorded: number; checked: number }> {
      const failures: unknown[] = [];
      const orZero = (count: Promise<number>) =>
        count.catch((error: unknown) => {
          failures.push(error);
          return 0;
        });
      let recorded = 0;
      await forEachPage({ list: broadcasts.listOpen, limit: rowsPerRun }, async (page) => {
        recorded += await orZero(updateBroadcasts(page));
      });
      const due = await intents.takeDue({ now: clock.now(), limit: INTENTS_PER_RUN });
      recorded += await orZero(checkReferences(due));
      if (failures.length > 0) throw failures[0];
      return { recorded, checked: due.length };
    },

    /** Settles finalized payments, and revokes those that a fork removed. */
    async finalize(): Promise<{ newlyFinalized: number; revoked: number }> {
      const sum = { newlyFinalized: 0, revoked: 0 };
      await forEachPage({ list: ledger.listUnfinalized, limit: rowsPerRun }, async (page) => {
        const { newlyFinalized, revoked } = await finalizePage(page);
        sum.newlyFinalized += newlyFinalized;
        sum.revoked += revoked;
      });
      return sum;
    },
  };
}

/** Records broadcasts that have landed. Marks those as dead that can no longer land. */
function createUpdateBroadcasts(
  { broadcasts, ledger, chain, clock }: ReconcileOptions,
  recordAll: ReturnType<typeof createRecordAll>,
) {
  return async (page: readonly OpenBroadcast[]): Promise<number> => {
    const signatures = page.map(({ signature }) => signature);
    const [states, granted] = await Promise.all([
      chain.signatureStates(signatures),
      ledger.listGranted(signatures),
    ]);
    const open = page.flatMap((broadcast, index) =>
      granted.has(broadcast.signature) ? [] : [{ ...broadcast, state: states[index] }],
    );
    const failed = open.filter(({ state }) => hasFailedForGood(state));
    const unknown = open.filter(({ state }) => state?.status === 'unknown');
    const absent = await chain.absentAtFinalized(
      unknown.map(({ signature, lastValidBlockHeight }) => ({
        signature,
        upTo: { blockHeight: lastValidBlockHeight },
      })),
    );
    await broadcasts.markDead([...failed.map(({ signature }) => signature), ...absent], clock.now());
    return recordAll(open.filter((each) => !unknown.includes(each) && !failed.includes(each)));
  };
}

/** Records the transactions that pay an intent, and returns their number. Passes the others to `discardUseless`. */
function createRecordAll(options: ReconcileOptions) {
  const { intents, broadcasts, chain, clock } = options;
  const discardUseless = createDiscardUseless(options);

  return async (
    found: readonly FoundSignature[],
    { limit = CONCURRENT_READS }: { limit?: number } = {},
  ): Promise<number> => {
    const useless: UnmatchedTransaction[] = [];
    const recordOne = async ({ signature, intent }: FoundSignature) => {
      const transaction = await chain.transaction(signature);
      if (!transaction || transaction.hasFailed) return 0;
      const expected = { intent, verdict: await judgeIntent(broadcasts, transaction, intent) };
      // The transaction may also name another intent, and pay the other intent instead.
      const paid =
        'payer' in expected.verdict
          ? expected
          : await judgeFirstPaid(
              broadcasts,
              transaction,
              await intents.findByReferences(transaction.accounts),
            );
      if (paid.intent && 'payer' in paid.verdict) {
        await recordPayment(options, { intent: paid.intent, transaction, ...paid.verdict, now: clock.now() });
        return 1;
      }
      if ('mismatch' in expected.verdict && !isUndecided(transaction, expected.verdict)) {
        useless.push({ transaction, intent, ...expected.verdict });
      }
      return 0;
    };
    try {
      return await sumConcurrently(found, recordOne, limit);
    } finally {
      await discardUseless(useless);
    }
  };
}

/** Marks finalized transactions that bought nothing as dead, so they don't block other payments. */
function createDiscardUseless({
  broadcasts,
  ledger,
  chain,
  clock,
  platformAddress,
  alarm,
}: ReconcileOptions) {
  return async (useless: readonly UnmatchedTransaction[]): Promise<void> => {
    const states = await chain.signatureStates(useless.map(({ transaction }) => transaction.signature));
    const finalized = useless.filter((_, index) => states[index]?.status === 'finalized');
    const now = clock.now();
    const orphans = finalized.flatMap((each) => describeOrphan(each, { platformAddress, now }) ?? []);
    const added = await ledger.insertOrphans(orphans);
    await broadcasts.markDead(
      finalized.map(({ transaction }) => transaction.signature),
      now,
    );
    await alarmAbout(alarm, 'payments.orphans', added);
  };
}

function createFinalizePage({ intents, ledger, chain, clock, alarm }: ReconcileOptions) {
  return async (
    unfinalized: readonly UnfinalizedPayment[],
  ): Promise<{ newlyFinalized: number; revoked: number }> => {
    const states = await chain.signatureStates(unfinalized.map(({ signature }) => signature));
    const payments = unfinalized.map((payment, index) => ({ ...payment, state: states[index] }));
    const finalized = payments.flatMap(({ paymentId, state }) =>
      state?.status === 'finalized' && state.error === null ? [{ paymentId, slot: state.slot }] : [],
    );
    await ledger.finalize(finalized, clock.now());
    const unknown = payments.filter(({ state }) => state?.status === 'unknown');
    const absent = await chain.absentAtFinalized(
      unknown.map(({ signature, slot }) => ({ signature, upTo: { slot } })),
    );
    const revoked: UnfinalizedPayment[] = [];
    for (const payment of payments) {
      const { signature, paymentId, grantId, state } = payment;
      if (!hasFailedForGood(state) && !absent.has(signature)) continue;
      const revocation = { paymentId, grantId, revocationId: createId(), now: clock.now() };
      if (await ledger.revoke(revocation)) revoked.push(payment);
    }
    // A transaction that a fork removed may land again.
    await intents.checkAgainAt(
      revoked.map(({ intentId }) => intentId),
      clock.now() + MINUTE_MS,
    );
    await alarmAbout(
      alarm,
      'payments.revoked',
      revoked.map(({ signature }) => signature),
    );
    return { newlyFinalized: finalized.length, revoked: revoked.length };
  };
}

async function alarmAbout(alarm: ReconcileOptions['alarm'], kind: string, signatures: readonly string[]) {
  if (signatures.length === 0) return;
  const first = signatures.slice(0, SIGNATURES_PER_ALARM);
  await alarm({ kind, details: { count: signatures.length, first } });
}

function hasFailedForGood(state: SignatureState | undefined): boolean {
  return state?.status === 'finalized' && state.error !== null;
}

async function forEachPage<Row>(
  { list, limit }: { list: (query: PageAfter<Row>) => Promise<Row[]>; limit: number },
  act: (page: readonly Row[]) => Promise<void>,
): Promise<void> {
  let after: Row | null = null;
  for (let left = limit; left > 0; left -= PAGE_SIZE) {
    const size = Math.min(left, PAGE_SIZE);
    const page: Row[] = await list({ after, limit: size });
    if (page.length > 0) await act(page);
    if (page.length < size) return;
    after = page.at(-1) ?? null;
  }
}

/** Sums the results of `act`. @throws the first failure, after all calls */
async function sumConcurrently<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<number>,
  limit = CONCURRENT_READS,
): Promise<number> {
  const results = await mapConcurrently(items, (item) => Promise.allSettled([act(item)]), limit);
  let sum = 0;
  for (const [result] of results) {
    if (result.status === 'rejected') throw result.reason;
    sum += result.value;
  }
  return sum;
}
