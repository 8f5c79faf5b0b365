import { HOUR_MS } from '#schema/constants/time.ts';
import type { Base } from '../../../app/base.ts';
import type { SignatureState } from '../../../ports/chain.ts';
import { mapConcurrently, MAX_CONNECTIONS } from '../../../shared/concurrency.ts';
import { createId } from '../../../shared/ids.ts';
import type { OpenBroadcast } from './broadcasts.repository.ts';
import type { UnfinalizedPayment } from './ledger.repository.ts';
import type { PageAfter } from './page-after.ts';
import {
  countPayments,
  isUndecided,
  recordIfPaid,
  RECORDS_PER_RUN,
  type PaymentDependencies,
} from './record-payment.ts';

const PAGE_SIZE = 256;
const ROWS_PER_RUN = 8 * PAGE_SIZE;
/**
 * Status requests per run for broadcasts, and as many again for payments. A signature that the first endpoint
 * doesn't know costs four times as much, and a Worker's subrequests are limited.
 */
export const STATUS_REQUESTS_PER_RUN = 50;
/** Half of the connections, because a search without a result asks both endpoints. */
const CONCURRENT_READS = MAX_CONNECTIONS / 2;
const SIGNATURES_PER_ALARM = 5;
/** Unreadable payments that a run reads again. */
export const UNREADABLE_PER_RUN = 20;

export interface ReconcileOptions extends PaymentDependencies, Pick<Base, 'alarm' | 'alarmOnce'> {
  readonly signaturesPerRequest: number;
}

/** Updates payments and periods from the chain. Every part may run repeatedly and concurrently. */
export function createReconcileService(options: ReconcileOptions) {
  const { broadcasts, ledger, clock, signaturesPerRequest } = options;
  const rowsPerRun = Math.min(ROWS_PER_RUN, STATUS_REQUESTS_PER_RUN * signaturesPerRequest);
  const updateBroadcasts = createUpdateBroadcasts(options);
  const finalizePage = createFinalizePage(options);

  return {
    async reconcile(): Promise<{ recorded: number }> {
      const sum = { read: 0, recorded: 0 };
      const update = async (page: readonly OpenBroadcast[], limit: number) => {
        const { read, recorded } = await updateBroadcasts(page, limit);
        sum.read += read;
        sum.recorded += recorded;
      };
      try {
        await forEachPage({ list: broadcasts.listOpen, limit: rowsPerRun }, (page) =>
          update(page, RECORDS_PER_RUN - UNREADABLE_PER_RUN - sum.read),
        );
      } finally {
        // Unreadable payments are read even if a read of another one fails. They have their own share of a run, because
        // anybody can send many of them.
        const unreadable = await broadcasts.listUnreadable(UNREADABLE_PER_RUN);
        await broadcasts.saveUnreadable(unreadable.map(describeUnreadable), clock.now());
        if (unreadable.length > 0) await update(unreadable, UNREADABLE_PER_RUN);
      }
      return { recorded: sum.recorded };
    },

    /** Marks finalized payments as final, and revokes those that a fork removed. */
    async finalize(): Promise<{ newlyFinalized: number; revoked: number }> {
      const sum = { newlyFinalized: 0, revoked: 0 };
      await forEachPage({ list: ledger.listUnfinalized, limit: rowsPerRun }, async (page) => {
        const { newlyFinalized, revoked } = await finalizePage(page, RECORDS_PER_RUN - sum.revoked);
        sum.newlyFinalized += newlyFinalized;
        sum.revoked += revoked;
      });
      return sum;
    },
  };
}

function createUpdateBroadcasts(options: ReconcileOptions) {
  const { broadcasts, ledger, chain, clock } = options;
  const recordAll = createRecordAll(options);
  return async (
    page: readonly OpenBroadcast[],
    limit: number,
  ): Promise<{ read: number; recorded: number }> => {
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
    const landed = open.filter((each) => !unknown.includes(each) && !failed.includes(each)).slice(0, limit);
    return { read: landed.length, recorded: await recordAll(landed) };
  };
}

type Outcome = 'recorded' | 'useless' | 'undecided' | 'unreadable';

function createRecordAll(options: ReconcileOptions) {
  const { intents, broadcasts, chain, clock, alarmOnce } = options;

  const recordOne = async ({ signature }: OpenBroadcast): Promise<Outcome> => {
    const transaction = await chain.transaction(signature);
    if (transaction === 'unreadable') return 'unreadable';
    if (transaction === 'absent' || transaction.hasFailed) return 'undecided';
    const named = await intents.find(transaction);
    const { verdict } = await recordIfPaid(options, { transaction, named });
    if ('payer' in verdict) return 'recorded';
    return isUndecided(transaction, verdict) ? 'undecided' : 'useless';
  };

  /** Marks finalized transactions that bought nothing as dead, so they don't block other payments. */
  const discard = async (useless: readonly string[]) => {
    const states = await chain.signatureStates(useless);
    const finalized = useless.filter((_, index) => states[index]?.status === 'finalized');
    await broadcasts.markDead(finalized, clock.now());
  };

  const reportUnreadable = async (unreadable: readonly OpenBroadcast[]) => {
    await broadcasts.saveUnreadable(unreadable.map(describeUnreadable), clock.now());
    for (const { signature, intent } of unreadable) {
      const details = { signature, intentId: intent.id, userId: intent.userId };
      await alarmOnce({ kind: 'payments.unreadable', details }, { person: intent.userId, everyMs: HOUR_MS });
    }
  };

  return async (landed: readonly OpenBroadcast[]): Promise<number> => {
    const results = await mapConcurrently(
      landed,
      async (broadcast) => {
        const [result] = await Promise.allSettled([recordOne(broadcast)]);
        return { ...broadcast, result };
      },
      CONCURRENT_READS,
    );
    const withOutcome = (outcome: Outcome) =>
      results.filter(({ result }) => result.status === 'fulfilled' && result.value === outcome);
    await reportUnreadable(withOutcome('unreadable'));
    await discard(withOutcome('useless').map(({ signature }) => signature));
    // A failure doesn't keep the other transactions from being recorded.
    for (const { result } of results) if (result.status === 'rejected') throw result.reason;
    return withOutcome('recorded').length;
  };
}

function createFinalizePage(options: ReconcileOptions) {
  const { ledger, chain, clock, alarm } = options;
  return async (
    unfinalized: readonly UnfinalizedPayment[],
    limit: number,
  ): Promise<{ newlyFinalized: number; revoked: number }> => {
    const states = await chain.signatureStates(unfinalized.map(({ signature }) => signature));
    const payments = unfinalized.map((payment, index) => ({ ...payment, state: states[index] }));
    const finalized = payments.flatMap(({ paymentId, state }) =>
      state?.status === 'finalized' && state.error === null ? [{ paymentId, slot: state.slot }] : [],
    );
    await ledger.finalize(finalized, clock.now());
    countPayments(options, 'finalized', finalized.length);
    const unknown = payments.filter(({ state }) => state?.status === 'unknown');
    const absent = await chain.absentAtFinalized(
      unknown.map(({ signature, slot }) => ({ signature, upTo: { slot } })),
    );
    const revoked: UnfinalizedPayment[] = [];
    for (const payment of payments) {
      const { signature, paymentId, grantId, state } = payment;
      if (revoked.length >= limit) break;
      if (!hasFailedForGood(state) && !absent.has(signature)) continue;
      const revocation = { paymentId, grantId, revocationId: createId(), now: clock.now() };
      if (await ledger.revoke(revocation)) revoked.push(payment);
    }
    countPayments(options, 'revoked', revoked.length);
    if (revoked.length > 0) {
      const first = revoked.slice(0, SIGNATURES_PER_ALARM).map(({ signature }) => signature);
      await alarm({ kind: 'payments.revoked', details: { count: revoked.length, first } });
    }
    return { newlyFinalized: finalized.length, revoked: revoked.length };
  };
}

const describeUnreadable = ({ signature, lastValidBlockHeight, intent }: OpenBroadcast) => ({
  signature,
  lastValidBlockHeight,
  intentId: intent.id,
});

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
