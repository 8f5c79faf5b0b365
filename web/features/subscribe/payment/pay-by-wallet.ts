import { BLOCKHASH_BLOCKS } from '#schema/constants/money.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { hasCode } from '#web/api/api-error.ts';
import { failure, NOT_BUILT, SIGNED_IN_OTHER_TAB, startSigning, whenAborted } from './prompt-wallet.ts';
import { toPaidSubscriptionBody, CONFIRM_RETRY_MS, EXPIRED, FAILED_ON_CHAIN } from './finish-payment.ts';
import { isOpened } from './open-payment.ts';
import {
  isRefusal,
  isTransient,
  landedReason,
  signingReason,
  didWalletSendNothing,
} from './payment-failures.ts';
import { type OpenedIntent, readTerms } from './payment-terms.ts';
import type { PaymentContext, PaymentFailure, PaymentOutcome, WalletPayment } from './payment-types.ts';

/**
 * Pauses between searches for a payment whose signature isn't known, in ms. Their sum is longer than the time in which
 * the payment can land: an intent lasts ten minutes, and its transaction may land four minutes later.
 */
export const SEARCH_RETRY_MS: readonly number[] = [
  ...Array.from({ length: 6 }, () => 5_000),
  ...Array.from({ length: 9 }, () => 10_000),
  ...Array.from({ length: 25 }, () => 30_000),
];

/**
 * Pays with a wallet that can't sign without sending. The payment is stored before the wallet prompt, because the
 * wallet may send it while this page is closed. In that case, the server finds it by itself.
 */
export async function payByWallet(
  { callerId, opened }: { callerId: string; opened: OpenedIntent },
  context: PaymentContext,
): Promise<PaymentOutcome> {
  const fail = (reason: string): PaymentFailure => ({ ...failure(reason), opened });
  const unsigned = await startSigning(opened, context);
  if (unsigned === null) return fail(NOT_BUILT);
  const pending = describePayment({ callerId, opened });
  const signedBefore = context.find(callerId);
  if (signedBefore !== null) return failure(SIGNED_IN_OTHER_TAB, signedBefore);
  context.save(pending);
  try {
    const paid = await Promise.race([
      promptWallet({ pending, unsigned }, context),
      whenAborted(context.signal),
    ]);
    if (paid === 'stopped') return failure(STOPPED, pending);
    return await findWalletPayment(paid, context);
  } catch (error) {
    if (!didWalletSendNothing(error)) return findWalletPayment(pending, context);
    context.forget(pending);
    return fail(signingReason(error));
  }
}

function describePayment({ callerId, opened }: { callerId: string; opened: OpenedIntent }): WalletPayment {
  const { intent, result } = opened.response;
  return {
    callerId,
    intent,
    signature: null,
    payer: opened.payer,
    openedAt: opened.openedAt,
    lastValidBlockHeight: result.value.lastValidBlockHeight,
    hasLanded: false,
  };
}

/** Stores the signature as soon as the wallet returns it, even if the user has stopped waiting. */
async function promptWallet(
  { pending, unsigned }: { pending: WalletPayment; unsigned: Uint8Array },
  context: PaymentContext,
): Promise<WalletPayment> {
  const signature = (await context.payByWallet?.(unsigned)) ?? null;
  const paid = { ...pending, signature };
  const isSaved = context.find(pending.callerId)?.intent.id === pending.intent.id;
  if (isSaved) context.save(paid);
  return paid;
}

export async function findWalletPayment(
  pending: WalletPayment,
  context: PaymentContext,
): Promise<PaymentOutcome> {
  const isSearching = pending.signature === null;
  context.startStep('confirm', isSearching ? { isSearching } : {});
  let error: unknown = null;
  for (const pause of [...(isSearching ? SEARCH_RETRY_MS : CONFIRM_RETRY_MS), null]) {
    try {
      const subscription = await findPeriod(pending, context);
      if (subscription !== null) return complete({ pending, subscription }, context);
      error = null;
    } catch (caught) {
      error = caught;
      if (!isTransient(caught)) break;
    }
    if (pause === null) break;
    const waited = await Promise.race([context.wait(pause), whenAborted(context.signal)]);
    if (isSearching && waited === 'stopped') return failure(STOPPED, pending);
  }
  if (hasCode(error, 'payments.failed_on_chain')) return abandon(pending, FAILED_ON_CHAIN, context);
  if (isRefusal(error)) {
    return { ...failure(landedReason(error), pending), title: 'Subscription failed' };
  }
  if (error === null && (await canNoLongerLand(pending, context))) return finishExpired(pending, context);
  return failure(isSearching ? NOT_FOUND : UNCONFIRMED, pending);
}

function findPeriod(pending: WalletPayment, context: PaymentContext): Promise<Subscription | null> {
  const { intent, signature } = pending;
  if (signature === null) return context.searchPayment(intent.id);
  return context.claimSubscription(toPaidSubscriptionBody({ ...pending, signature }));
}

/** True if the chain is so far past the transaction's last valid block that even a lagging server has seen it. */
async function canNoLongerLand(pending: WalletPayment, context: PaymentContext): Promise<boolean> {
  const { callerId, payer, signature, lastValidBlockHeight } = pending;
  if (signature === null) return false;
  const opened = await context.open({ callerId, payer }).catch(() => null);
  if (opened === null || !isOpened(opened)) return false;
  return opened.response.result.value.lastValidBlockHeight > lastValidBlockHeight + 2 * BLOCKHASH_BLOCKS;
}

async function finishExpired(pending: WalletPayment, context: PaymentContext): Promise<PaymentOutcome> {
  const subscription = await findPeriod(pending, context).catch(() => undefined);
  if (subscription === undefined) return failure(UNCONFIRMED, pending);
  if (subscription !== null) return complete({ pending, subscription }, context);
  return abandon(pending, EXPIRED, context);
}

function complete(
  { pending, subscription }: { pending: WalletPayment; subscription: Subscription },
  context: PaymentContext,
): PaymentOutcome {
  context.forget(pending);
  const signature = pending.signature ?? subscription.payment?.transactionId ?? '';
  return { status: 'complete', receipt: { terms: readTerms(pending.intent), signature, subscription } };
}

function abandon(pending: WalletPayment, reason: string, context: PaymentContext): PaymentFailure {
  context.forget(pending);
  return { ...failure(reason), opened: null };
}

const STARTS_ALONE =
  'If it does, your subscription starts automatically, usually within two minutes and at the latest within a day.';
const STOPPED = `You stopped waiting for your wallet. It may still send the payment. ${STARTS_ALONE}`;
const NOT_FOUND = `Your wallet had time until now, and we found no payment on Solana. Check your wallet: it may have sent one. ${STARTS_ALONE}`;
const UNCONFIRMED =
  "Your wallet has sent the payment, but Solana hasn't confirmed it yet. If it goes through, your subscription starts automatically, even with this tab closed.";
