import type { ErrorCode } from '#schema/contracts/errors.ts';
import { matchLanded } from '#schema/rules/payment.ts';
import { createId } from '../../app/ids.ts';
import type { ChainTransaction } from '../../ports/chain.ts';
import { createMismatchError } from './payments.errors.ts';
import type { IntentRow } from './intents.repository.ts';
import type { LedgerRepository, OrphanRow, PaymentRow } from './ledger.repository.ts';

/**
 * Writes a landed transaction as the intent's payment, with its period. Asked again, or by several at
 * once, it answers the one payment. @throws payments.* where the transaction does not pay the intent.
 */
export async function recordPayment({ ledger, intent, transaction, now }: { ledger: LedgerRepository; intent: IntentRow; transaction: ChainTransaction; now: number }): Promise<PaymentRow> {
  const verdict = matchLanded(transaction, intent);
  if ('mismatch' in verdict) throw createMismatchError(verdict.mismatch);
  await ledger.grant({
    payment: {
      id: createId(),
      signature: transaction.signature,
      intentId: intent.id,
      userId: intent.userId,
      callerId: intent.callerId,
      payerAddress: verdict.payer,
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
export function describeOrphan({ transaction, intent, platformAddress, now }: { transaction: ChainTransaction; intent: IntentRow | null; platformAddress: string; now: number }): OrphanRow | null {
  if (transaction.hasFailed || transaction.blockTime === null) return null;
  const gained = (address: string) => transaction.balanceChanges.get(address) ?? 0n;
  const callerLamports = intent && gained(intent.callerAddress);
  const platformLamports = gained(platformAddress);
  if ((callerLamports ?? 0n) <= 0n && platformLamports <= 0n) return null;
  return {
    signature: transaction.signature,
    reason: reasonOf(transaction, intent),
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

function reasonOf(transaction: ChainTransaction, intent: IntentRow | null): ErrorCode {
  const verdict = intent && matchLanded(transaction, intent);
  return verdict && 'mismatch' in verdict ? `payments.${verdict.mismatch}` : 'payments.missing_reference';
}
