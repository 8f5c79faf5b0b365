import { BLOCKHASH_LIFETIME_MS, INTENT_LIFETIME_MS, INTENT_RECONCILE_MS } from '#schema/constants.ts';
import type { PaymentMismatch } from '#schema/rules/payment.ts';
import { createId } from '../../shared/ids.ts';
import type { Alarm } from '../../shared/alarms.ts';
import type { Chain, ChainTransaction, SignatureState } from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IntentRow, IntentsRepository, OpenBroadcast } from './intents.repository.ts';
import type { LedgerRepository, UnsettledPayment } from './ledger.repository.ts';
import { describeOrphan, isUndecided, judgeLanded, judgeNamed, recordPayment } from './record-payment.ts';

/** What a question about signatures holds, and how many of them a run asks at most. */
const PAGE_SIZE = 256;
const PAGES_PER_RUN = 8;
/** Each of these is a question of its own to the chain; a run stays within a worker's subrequests. */
const INTENTS_PER_RUN = 60;
const READ_AT_ONCE = 20;
const NAMED_PER_INTENT = 10;
const NAMED_IN_ALARM = 5;

export interface ReconcileOptions {
  readonly intents: IntentsRepository;
  readonly ledger: LedgerRepository;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly platformAddress: string;
  readonly alarm: (alarm: Alarm) => Promise<void>;
}

/** A landed transaction that names an intent and does not pay it. */
interface UselessTransaction {
  readonly transaction: ChainTransaction;
  readonly intent: IntentRow;
  readonly mismatch: PaymentMismatch;
}

export type ReconcileService = ReturnType<typeof createReconcileService>;

/** Makes what we know follow the chain, whoever died on the way. Every part may run at any time and twice at once. */
export function createReconcileService({
  intents,
  ledger,
  chain,
  clock,
  platformAddress,
  alarm,
}: ReconcileOptions) {
  /** Records those of the transactions that pay their intent; the others are put aside once they are finalized. */
  const recordAll = async (found: readonly { signature: string; intent: IntentRow }[]): Promise<number> => {
    const useless: UselessTransaction[] = [];
    const recordOne = async ({ signature, intent }: { signature: string; intent: IntentRow }) => {
      const transaction = await chain.transaction(signature);
      if (!transaction || transaction.hasFailed) return 0;
      const verdict = await judgeLanded({ intents, intent, transaction });
      // It may name another intent, and pay that one.
      const judged =
        'payer' in verdict
          ? { intent, verdict }
          : await judgeNamed({
              intents,
              named: await intents.findIntentsByReference(transaction.accounts),
              transaction,
            });
      if (judged.intent && 'payer' in judged.verdict) {
        await recordPayment({
          ledger,
          intent: judged.intent,
          transaction,
          ...judged.verdict,
          now: clock.now(),
        });
        return 1;
      }
      if ('mismatch' in verdict && !isUndecided(transaction, verdict)) {
        useless.push({ transaction, intent, ...verdict });
      }
      return 0;
    };
    try {
      return await inTurns(found, READ_AT_ONCE, recordOne);
    } finally {
      await putAside(useless);
    }
  };

  /** What is finalized and bought nothing holds up no other payment; where it left money, it goes on the operator's list. */
  const putAside = async (useless: readonly UselessTransaction[]): Promise<void> => {
    const states = await chain.signatureStates(useless.map(({ transaction }) => transaction.signature));
    const finalized = useless.filter((_, index) => states[index]?.status === 'finalized');
    const now = clock.now();
    const added = await ledger.insertOrphans(
      finalized.flatMap((each) => describeOrphan({ ...each, platformAddress, now }) ?? []),
    );
    await intents.markDead(
      finalized.map(({ transaction }) => transaction.signature),
      now,
    );
    if (added.length > 0) {
      await alarm({
        kind: 'payments.orphans',
        details: { count: added.length, first: added.slice(0, NAMED_IN_ALARM) },
      });
    }
  };

  /** Follows up on one page of what we sent: records what landed, gives up what never can. */
  const followBroadcasts = async (broadcasts: readonly OpenBroadcast[]): Promise<number> => {
    const signatures = broadcasts.map(({ signature }) => signature);
    const [states, granted] = await Promise.all([
      chain.signatureStates(signatures),
      ledger.listGranted(signatures),
    ]);
    const stateOf = new Map<string, SignatureState | undefined>(
      signatures.map((signature, index) => [signature, states[index]]),
    );
    const open = broadcasts.filter(({ signature }) => !granted.has(signature));
    const isNowhere = ({ signature }: OpenBroadcast) => stateOf.get(signature)?.status === 'unknown';
    const failed = open.filter(({ signature }) => hasFailedForGood(stateOf.get(signature)));
    const absent = await chain.absentAtFinalized(
      open.filter(isNowhere).map(({ signature, lastValidBlockHeight }) => ({
        signature,
        upTo: { blockHeight: lastValidBlockHeight },
      })),
    );
    await intents.markDead([...failed.map(({ signature }) => signature), ...absent], clock.now());
    return recordAll(open.filter((broadcast) => !isNowhere(broadcast) && !failed.includes(broadcast)));
  };

  /** Settles one page of payments that are finalized by now, and takes back those that vanished. */
  const settlePage = async (
    unsettled: readonly UnsettledPayment[],
  ): Promise<{ settled: number; revoked: number }> => {
    const states = await chain.signatureStates(unsettled.map(({ signature }) => signature));
    const byState = unsettled.map((payment, index) => ({ payment, state: states[index] }));
    const finalized = byState.flatMap(({ payment, state }) =>
      state?.status === 'finalized' && state.error === null
        ? [{ paymentId: payment.paymentId, slot: state.slot }]
        : [],
    );
    await ledger.settle(finalized, clock.now());
    const nowhere = byState.flatMap(({ payment, state }) =>
      state?.status === 'unknown' ? [{ signature: payment.signature, upTo: { slot: payment.slot } }] : [],
    );
    const absent = await chain.absentAtFinalized(nowhere);
    const gone = byState.filter(
      ({ payment, state }) => hasFailedForGood(state) || absent.has(payment.signature),
    );
    const revoked: string[] = [];
    for (const { payment } of gone) {
      if (await ledger.revoke({ ...payment, revocationId: createId(), now: clock.now() })) {
        revoked.push(payment.signature);
      }
    }
    if (revoked.length > 0) {
      await alarm({
        kind: 'payments.revoked',
        details: { count: revoked.length, first: revoked.slice(0, NAMED_IN_ALARM) },
      });
    }
    return { settled: finalized.length, revoked: revoked.length };
  };

  return {
    /**
     * Finds payments that landed though nobody claimed them: what we sent, for as long as it can land, and
     * whatever names the reference of an intent of the last day. Nobody but the payer knows a reference
     * before it stands on the chain, so what others add later to bury a payment is younger than it.
     * An intent that cannot be checked holds up no other; the first failure is thrown when all were tried.
     */
    async reconcile(): Promise<{ recorded: number; checked: number }> {
      const failures: unknown[] = [];
      const orNone = async (part: Promise<number>): Promise<number> => {
        try {
          return await part;
        } catch (error) {
          failures.push(error);
          return 0;
        }
      };
      let recorded = 0;
      let after: OpenBroadcast | null = null;
      for (let page = 0; page < PAGES_PER_RUN; page++) {
        const broadcasts: OpenBroadcast[] = await intents.listOpenBroadcasts({ after, limit: PAGE_SIZE });
        if (broadcasts.length > 0) recorded += await orNone(followBroadcasts(broadcasts));
        if (broadcasts.length < PAGE_SIZE) break;
        after = broadcasts.at(-1) ?? null;
      }
      const now = clock.now();
      const opened = await intents.listIntentsToCheck({
        since: now - INTENT_RECONCILE_MS,
        youngSince: now - INTENT_LIFETIME_MS - BLOCKHASH_LIFETIME_MS,
        limit: INTENTS_PER_RUN,
      });
      const byReference = inTurns(opened, READ_AT_ONCE, async (intent) => {
        const named = (await chain.signaturesFor(intent.reference)).slice(0, NAMED_PER_INTENT);
        const granted = await ledger.listGranted(named);
        return recordAll(
          named.filter((signature) => !granted.has(signature)).map((signature) => ({ signature, intent })),
        );
      });
      recorded += await orNone(byReference);
      await intents.markReconciled(
        opened.map(({ id }) => id),
        now,
      );
      if (failures.length > 0) throw failures[0];
      return { recorded, checked: opened.length };
    },

    /** Settles payments that are finalized, and revokes those that a fork took away. */
    async settle(): Promise<{ settled: number; revoked: number }> {
      const sum = { settled: 0, revoked: 0 };
      let after: UnsettledPayment | null = null;
      for (let page = 0; page < PAGES_PER_RUN; page++) {
        const unsettled: UnsettledPayment[] = await ledger.listUnsettled({ after, limit: PAGE_SIZE });
        if (unsettled.length > 0) {
          const { settled, revoked } = await settlePage(unsettled);
          sum.settled += settled;
          sum.revoked += revoked;
        }
        if (unsettled.length < PAGE_SIZE) break;
        after = unsettled.at(-1) ?? null;
      }
      return sum;
    },
  };
}

function hasFailedForGood(state: SignatureState | undefined): boolean {
  return state?.status === 'finalized' && state.error !== null;
}

/** Does something for each, some at once, and adds up the results. @throws the first failure, once all were tried. */
async function inTurns<Item>(
  items: readonly Item[],
  atOnce: number,
  act: (item: Item) => Promise<number>,
): Promise<number> {
  let sum = 0;
  let failure: PromiseRejectedResult | undefined;
  for (let start = 0; start < items.length; start += atOnce) {
    for (const result of await Promise.allSettled(items.slice(start, start + atOnce).map(act))) {
      if (result.status === 'fulfilled') sum += result.value;
      else failure ??= result;
    }
  }
  if (failure) throw failure.reason;
  return sum;
}
