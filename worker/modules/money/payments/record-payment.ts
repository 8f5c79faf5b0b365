import { MIN_ORPHAN_LAMPORTS } from '#schema/constants/money.ts';
import { matchLanded, type PaymentMismatch, type PaymentVerdict } from '#schema/rules/money/payment.ts';
import type { Base } from '../../../app/base.ts';
import type { ChainTransaction } from '../../../ports/chain.ts';
import type { Live } from '../../../ports/live.ts';
import { createId } from '../../../shared/ids.ts';
import type { BroadcastsRepository } from './broadcasts.repository.ts';
import type { IntentRow, IntentsRepository } from './intents.repository.ts';
import type { LedgerRepository, OrphanRow, PaymentRefusal, PaymentRow } from './ledger.repository.ts';

/**
 * Transactions that a run of a job records or revokes. D1 allows 1,000 queries per invocation, and each takes up to ten.
 * The next run goes on.
 */
export const RECORDS_PER_RUN = 80;

export interface PaymentDependencies extends Pick<Base, 'chain' | 'metrics' | 'clock'> {
  readonly intents: IntentsRepository;
  readonly broadcasts: BroadcastsRepository;
  readonly ledger: LedgerRepository;
  readonly live: Pick<Live, 'peopleChanged'>;
  readonly platformAddress: string;
}

export function countPayments({ metrics }: Pick<Base, 'metrics'>, state: string, count: number): void {
  if (count > 0) metrics.record({ kind: 'payment', name: state, outcome: '', value: count });
}

/**
 * Decides whether a landed transaction pays the intent. If we sent the transaction while the intent was open,
 * or recorded it before a fork, its block time doesn't matter: a cluster can halt for hours or have a slow
 * clock.
 */
export async function judgeIntent(
  broadcasts: BroadcastsRepository,
  transaction: ChainTransaction,
  intent: IntentRow,
): Promise<PaymentVerdict> {
  const verdict = matchLanded(transaction, intent);
  if (!isOutOfTime(verdict)) return verdict;
  const wasBroadcastForIntent = await broadcasts.wasBroadcastForIntent({
    signature: transaction.signature,
    intentId: intent.id,
  });
  if (!wasBroadcastForIntent) return verdict;
  const blockTime = transaction.blockTime ?? intent.createdAt;
  return matchLanded(
    { ...transaction, blockTime },
    {
      ...intent,
      createdAt: Math.min(intent.createdAt, blockTime),
      expiresAt: Math.max(intent.expiresAt, blockTime),
    },
  );
}

interface JudgedIntent {
  readonly intent: IntentRow | null;
  readonly verdict: PaymentVerdict;
}

const NO_INTENT: JudgedIntent = { intent: null, verdict: { mismatch: 'missing_reference' } };

/**
 * Returns the first intent that the transaction pays. If there is none, returns the first of all intents and
 * the reason why the transaction doesn't pay it.
 */
export async function judgeFirstPaid(
  broadcasts: BroadcastsRepository,
  transaction: ChainTransaction,
  intents: readonly IntentRow[],
): Promise<JudgedIntent> {
  let first: JudgedIntent | null = null;
  for (const intent of intents) {
    const judged = { intent, verdict: await judgeIntent(broadcasts, transaction, intent) };
    if ('payer' in judged.verdict) return judged;
    first ??= judged;
  }
  return first ?? NO_INTENT;
}

/** True if the transaction is outside the intent's time only because its block time isn't known yet. */
export function isUndecided({ blockTime }: ChainTransaction, verdict: PaymentVerdict): boolean {
  return blockTime === null && isOutOfTime(verdict);
}

function isOutOfTime(verdict: PaymentVerdict): boolean {
  return 'mismatch' in verdict && verdict.mismatch === 'outside_time_window';
}

interface NewPayment {
  readonly intent: IntentRow;
  readonly transaction: ChainTransaction;
  readonly payer: string;
  readonly now: number;
}

/**
 * Stores a landed transaction as the intent's payment, with its period. Safe to repeat and to run concurrently.
 * @returns the payment that is stored for this signature. It belongs to another intent if the signature was
 * recorded for that intent before.
 */
export async function recordPayment(
  { ledger, live, metrics }: Pick<PaymentDependencies, 'ledger' | 'live' | 'metrics'>,
  { intent, transaction, payer, now }: NewPayment,
): Promise<PaymentRow> {
  const { userId, callerId, totalLamports, callerLamports, platformLamports } = intent;
  const isNew = await ledger.grant({
    payment: {
      id: createId(),
      signature: transaction.signature,
      intentId: intent.id,
      userId,
      callerId,
      payerAddress: payer,
      totalLamports,
      callerLamports,
      platformLamports,
      slot: transaction.slot,
      paidAt: transaction.blockTime ?? now,
      createdAt: now,
    },
    grantId: createId(),
    subscriptionId: createId(),
    now,
  });
  countPayments({ metrics }, 'granted', Number(isNew));
  const payment = await ledger.findPayment(transaction.signature);
  live.peopleChanged({ userIds: [userId], topic: 'payments' });
  live.peopleChanged({ userIds: [callerId], topic: 'earnings' });
  if (!payment) throw new Error(`Payment ${transaction.signature} was written but cannot be found`);
  return payment;
}

/**
 * Records the transaction for the first intent that it pays. If it was recorded before a fork, it belongs to the same
 * intent as then. Otherwise returns the verdict on the first of the named intents.
 */
export async function recordIfPaid(
  options: PaymentDependencies,
  { transaction, named }: { transaction: ChainTransaction; named: readonly IntentRow[] },
): Promise<JudgedIntent> {
  const judged = await judgeFirstPaid(options.broadcasts, transaction, named);
  const { intent, verdict } = judged;
  if (intent === null || 'mismatch' in verdict) return judged;
  const now = options.clock.now();
  const payment = await recordPayment(options, { intent, transaction, ...verdict, now });
  if (payment.intentId === intent.id) return judged;
  return recordIfPaid(options, { transaction, named: named.filter(({ id }) => id !== intent.id) });
}

interface UnmatchedTransaction {
  readonly transaction: ChainTransaction;
  readonly intent: IntentRow | null;
  readonly named: readonly IntentRow[];
  readonly mismatch: PaymentMismatch;
}

/**
 * A memo proves nothing, because anybody can copy it. It attributes the transaction to an intent only if that intent's
 * caller received money.
 * @returns `null` if the transaction left less than `MIN_ORPHAN_LAMPORTS` with the platform and the callers, or its
 * block time is unknown
 */
export function describeOrphan(
  { transaction, intent, named, mismatch }: UnmatchedTransaction,
  { platformAddress, now }: { platformAddress: string; now: number },
): OrphanRow | null {
  if (transaction.hasFailed || transaction.blockTime === null) return null;
  const gained = (address: string) => transaction.balanceChanges.get(address) ?? 0n;
  const paid = named.filter(({ callerAddress }) => gained(callerAddress) > 0n);
  const callerParts = [...new Set(paid.map(({ callerAddress }) => callerAddress))].map((address) => ({
    address,
    lamports: Number(gained(address)),
  }));
  const platformLamports = gained(platformAddress);
  const received = callerParts.reduce(
    (sum, { lamports }) => sum + BigInt(lamports),
    platformLamports > 0n ? platformLamports : 0n,
  );
  if (received < MIN_ORPHAN_LAMPORTS) return null;
  const attributed = intent ?? paid[0] ?? null;
  return {
    signature: transaction.signature,
    reason: `payments.${mismatch}` satisfies PaymentRefusal,
    intentId: attributed?.id ?? null,
    userId: attributed?.userId ?? null,
    payerAddress: transaction.feePayer,
    callerParts,
    platformLamports,
    slot: transaction.slot,
    paidAt: transaction.blockTime,
    foundAt: now,
  };
}
