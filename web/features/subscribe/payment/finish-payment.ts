import { ConnectionError, hasCode, reasonOf } from '#web/api/api-error.ts';
import { ACTIVATE_RETRY_MS, findPayment, saveLanded, search } from './find-payment.ts';
import { asSentence, isRefusal, isTransient, readOtherPayment, sendingReason } from './payment-failures.ts';
import { fetchPaymentStatus, type PaymentStatus } from './payment-status.ts';
import { failure } from './prompt-wallet.ts';
import { fundsProblem, type OpenedIntent } from './payment-terms.ts';
import type { PaymentContext, PaymentFailure, PaymentOutcome, SignedPayment } from './payment-types.ts';

/** A signed payment. `shown` is null if the payment was signed in an earlier attempt. */
export interface Signed {
  readonly pending: SignedPayment;
  readonly shown: OpenedIntent | null;
}

export const SEND_RETRY_MS: readonly number[] = [1_000, 3_000];
/** Pauses in ms without a connection, together longer than a blockhash is valid. Recovery ends a pause. */
export const DISCONNECTED_RETRY_MS: readonly number[] = [
  ...SEND_RETRY_MS,
  ...Array.from({ length: 10 }, () => 10_000),
];
/**
 * Pauses in ms. Together with the server's own waiting, they take over three minutes, so a lost payment has expired
 * by then.
 */
export const CONFIRM_RETRY_MS: readonly number[] = [
  ...ACTIVATE_RETRY_MS,
  ...Array.from({ length: 14 }, () => 5_000),
];

/** Sends and confirms a signed payment, then finds its subscription. Never asks the wallet again. */
export async function finishPayment(signed: Signed, context: PaymentContext): Promise<PaymentOutcome> {
  const sent = await send(signed, context);
  if ('status' in sent) return sent;
  const landed =
    sent.state === 'landed' ? saveLanded(signed.pending, context) : await confirm(signed, sent, context);
  return 'status' in landed ? landed : findPayment(landed, context);
}

type SentStatus = PaymentStatus & { readonly isResending?: boolean };

/** Sends the transaction until the server has it. It may be sent twice, because the same bytes pay only once. */
async function send(signed: Signed, context: PaymentContext): Promise<SentStatus | PaymentOutcome> {
  const { pending, shown } = signed;
  const fetchStatus = () => fetchPaymentStatus(pending.signature, context.confirmTransaction);
  context.startStep('send');
  let status: PaymentStatus | null = shown === null ? await fetchStatus() : null;
  let error: unknown = null;
  let wasDisconnected = false;
  for (let attempt = 0; ; attempt += 1) {
    const dead = status && (await failIfDead(signed, { status, refusal: null }, context));
    if (dead) return dead;
    if (status?.state === 'landed' || (status?.state === 'unknown' && pending.hasLanded)) {
      return { state: 'landed' };
    }
    if (status?.state === 'pending' && !pending.hasLanded) return status;
    try {
      await context.sendTransaction(pending.transaction);
      return { state: 'pending' };
    } catch (caught) {
      error = caught;
    }
    // The server stores a transaction before it sends it.
    if (hasCode(error, 'chain.unavailable')) return { state: 'pending', isResending: true };
    // An earlier send may have succeeded even if its response was lost, so ask for the status before giving up.
    status = await fetchStatus();
    if (isRefusal(error)) return finishRefused(signed, { status, refusal: error }, context);
    const isDisconnected = error instanceof ConnectionError;
    const pause = (isDisconnected ? DISCONNECTED_RETRY_MS : SEND_RETRY_MS)[attempt];
    if (pause === undefined || !isTransient(error) || status.state === 'pending') break;
    if (isDisconnected !== wasDisconnected) context.startStep('send', { isDisconnected });
    wasDisconnected = isDisconnected;
    await context.wait(pause);
  }
  const dead = status && (await failIfDead(signed, { status, refusal: null }, context));
  if (dead) return dead;
  if (status?.state === 'landed' || status?.state === 'pending') return status;
  return stillPending(pending, sendingReason(error));
}

interface RefusedStatus {
  readonly status: PaymentStatus;
  readonly refusal: unknown;
}

/** A refused send: if the server never got the transaction earlier, the payment can never land. */
async function finishRefused(
  signed: Signed,
  { status, refusal }: RefusedStatus,
  context: PaymentContext,
): Promise<PaymentStatus | PaymentOutcome> {
  const dead = await failIfDead(signed, { status, refusal }, context);
  if (dead) return dead;
  if (status.state === 'not_received') {
    return abandon(signed, { reason: sendingReason(refusal), refusal }, context);
  }
  return status.state === 'unknown' ? stillPending(signed.pending, sendingReason(refusal)) : status;
}

async function confirm(
  signed: Signed,
  { isResending = false }: SentStatus,
  context: PaymentContext,
): Promise<SignedPayment | PaymentOutcome> {
  const { pending } = signed;
  context.startStep('confirm', isResending ? { isResending } : {});
  let reason = '';
  for (const pause of [...CONFIRM_RETRY_MS, null]) {
    const status = await fetchPaymentStatus(pending.signature, context.confirmTransaction);
    if (status.state === 'landed') return saveLanded(pending, context);
    const dead = await failIfDead(signed, { status, refusal: null }, context);
    if (dead) return dead;
    reason = unconfirmedReason(status);
    const canRetry = status.state === 'pending' || (status.state === 'unknown' && isTransient(status.error));
    if (!canRetry) break;
    if (pause !== null) await context.wait(pause);
  }
  return stillPending(pending, reason);
}

function unconfirmedReason(status: PaymentStatus): string {
  if (status.state === 'unknown') return reasonOf(status.error, UNKNOWN);
  return status.state === 'not_received' ? NOT_RECEIVED : UNCONFIRMED;
}

const FAILED_ON_CHAIN =
  'Transaction failed on blockchain. Only the network fee was taken. You can pay again in a minute or two.';
const EXPIRED = 'The transaction expired before it reached the chain. Nothing was paid. You can pay again.';
const UNCONFIRMED =
  "Solana hasn't confirmed your payment yet. If it goes through, your subscription starts automatically, even with this tab closed.";
const NOT_RECEIVED = "Your payment hasn't reached our server, so it hasn't been sent yet.";
const UNKNOWN = 'Failed to confirm transaction';
const STILL_SAFE = "You can check this payment again. You won't pay twice.";

async function failIfDead(
  signed: Signed,
  { status, refusal }: RefusedStatus,
  context: PaymentContext,
): Promise<PaymentOutcome | null> {
  if (status.state === 'failed') return abandon(signed, { reason: FAILED_ON_CHAIN, refusal }, context);
  if (status.state !== 'expired') return null;
  const reason = refusal === null ? reasonOf(status.error, EXPIRED) : sendingReason(refusal);
  return abandon(signed, { reason, refusal: refusal ?? status.error }, context);
}

/**
 * Removes a payment whose transaction never moves money, unless another transaction has paid the intent. The next
 * attempt needs a new intent and blockhash.
 */
async function abandon(
  { pending, shown }: Signed,
  { reason, refusal }: { reason: string; refusal: unknown },
  context: PaymentContext,
): Promise<PaymentOutcome> {
  try {
    const found = await search(pending, context);
    if (found !== null) return found;
  } catch (error) {
    if (!isRefusal(error)) return stillPending(pending, reasonOf(error, UNKNOWN));
  }
  context.forget(pending);
  const failed: PaymentFailure = { ...failure(reason), opened: null };
  const other = readOtherPayment(refusal, pending.callerId, context.now());
  if (other !== null) {
    context.save(other);
    return failure(reason, other);
  }
  // If the payment failed on the chain, the server opens no new intent until that failure is final.
  if (shown === null || refusal === null) return failed;
  const again = { callerId: pending.callerId, payer: shown.payer, shown: shown.response.intent };
  const opened = await context.open(again).catch(() => null);
  if (opened === null) return failed;
  const lacksFunds = hasCode(refusal, 'payments.insufficient_funds');
  return { ...failed, reason: (lacksFunds ? fundsProblem(opened) : null) ?? reason, opened };
}

function stillPending(pending: SignedPayment, reason: string): PaymentFailure {
  return failure(`${asSentence(reason)} ${STILL_SAFE}`, pending);
}
