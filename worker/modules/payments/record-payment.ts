import type { ErrorCode } from '#schema/contracts/errors.ts';
import { matchLanded, type PaymentMismatch, type PaymentVerdict } from '#schema/rules/payment.ts';
import { createId } from '../../shared/ids.ts';
import type { ChainTransaction } from '../../ports/chain.ts';
import type { IntentRow, IntentsRepository } from './intents.repository.ts';
import type { LedgerRepository, OrphanRow, PaymentRow } from './ledger.repository.ts';

/**
 * Whether a landed transaction pays the intent. One that we sent was sent while the intent was open, so it counts
 * whatever time its block says, or says none: a blockhash lives for a number of blocks, a cluster can stand still for
 * hours, and its clock can run behind. So does one that has been the payment before and stands in a later block since a fork.
 */
export async function judgeLanded({
  intents,
  intent,
  transaction,
}: {
  intents: IntentsRepository;
  intent: IntentRow;
  transaction: ChainTransaction;
}): Promise<PaymentVerdict> {
  const verdict = matchLanded(transaction, intent);
  const isOutOfTime = 'mismatch' in verdict && verdict.mismatch === 'outside_time_window';
  if (!isOutOfTime || !(await intents.wasInTime({ signature: transaction.signature, intentId: intent.id }))) {
    return verdict;
  }
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

/** Whether it cannot be said yet that a transaction pays nothing: the time of its block is not known. */
export function isUndecided({ blockTime }: ChainTransaction, verdict: PaymentVerdict): boolean {
  return blockTime === null && 'mismatch' in verdict && verdict.mismatch === 'outside_time_window';
}

/** Of the intents that a landed transaction names, the first that it pays; else the first, and why it does not pay that one. */
export async function judgeNamed({
  intents,
  named,
  transaction,
}: {
  intents: IntentsRepository;
  named: readonly IntentRow[];
  transaction: ChainTransaction;
}): Promise<{ intent: IntentRow | null; verdict: PaymentVerdict }> {
  let refused: { intent: IntentRow | null; verdict: PaymentVerdict } = {
    intent: null,
    verdict: { mismatch: 'missing_reference' },
  };
  for (const intent of named) {
    const verdict = await judgeLanded({ intents, intent, transaction });
    if ('payer' in verdict) return { intent, verdict };
    if (refused.intent === null) refused = { intent, verdict };
  }
  return refused;
}

/**
 * Writes a landed transaction as the intent's payment, with its period. Asked again, or by several at
 * once, it answers the one payment: another intent's, where the transaction pays that as well and it came
 * first. `payer` is the wallet that `judgeLanded` found.
 */
export async function recordPayment({
  ledger,
  intent,
  transaction,
  payer,
  now,
}: {
  ledger: LedgerRepository;
  intent: IntentRow;
  transaction: ChainTransaction;
  payer: string;
  now: number;
}): Promise<PaymentRow> {
  await ledger.grant({
    payment: {
      id: createId(),
      signature: transaction.signature,
      intentId: intent.id,
      userId: intent.userId,
      callerId: intent.callerId,
      payerAddress: payer,
      totalLamports: intent.totalLamports,
      callerLamports: intent.callerLamports,
      platformLamports: intent.platformLamports,
      slot: transaction.slot,
      paidAt: transaction.blockTime ?? now,
      createdAt: now,
    },
    ids: { grant: createId(), subscription: createId() },
    now,
  });
  const payment = await ledger.findPayment(transaction.signature);
  if (!payment) throw new Error(`Payment ${transaction.signature} was written and is not there`);
  return payment;
}

/**
 * A transaction that buys nothing though it left money with us or with an intent's caller, as it goes
 * on the operator's list; `null` for one that left none, and for one whose block's time is not known yet.
 */
export function describeOrphan({
  transaction,
  intent,
  mismatch,
  platformAddress,
  now,
}: {
  transaction: ChainTransaction;
  intent: IntentRow | null;
  mismatch: PaymentMismatch;
  platformAddress: string;
  now: number;
}): OrphanRow | null {
  if (transaction.hasFailed || transaction.blockTime === null) return null;
  const gained = (address: string) => transaction.balanceChanges.get(address) ?? 0n;
  const callerLamports = intent && gained(intent.callerAddress);
  const platformLamports = gained(platformAddress);
  if ((callerLamports ?? 0n) <= 0n && platformLamports <= 0n) return null;
  return {
    signature: transaction.signature,
    reason: `payments.${mismatch}` satisfies ErrorCode,
    intentId: intent?.id ?? null,
    userId: intent?.userId ?? null,
    payerAddress: transaction.feePayer,
    callerLamports,
    platformLamports,
    slot: transaction.slot,
    paidAt: transaction.blockTime,
    foundAt: now,
  };
}
