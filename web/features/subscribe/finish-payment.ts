import type { PaidSubscriptionBody } from '#schema/contracts/subscriptions.ts';
import { formatSol } from '#schema/rules/lamports.ts';
import { hasCode, reasonOf } from '#web/api/api-error.ts';
import { isOpened } from './open-payment.ts';
import { asSentence, isPaidByOther, isRefusal, isTransient, sendingReason } from './payment-failures.ts';
import { fundsProblem, type OpenedIntent, readTerms } from './payment-terms.ts';
import type { PaymentFailure, PaymentOutcome, PaymentContext, SignedPayment } from './payment-types.ts';
import { fetchPaymentStatus, type PaymentStatus } from './payment-status.ts';

/** A signed payment, and the terms that it was just signed on; `null` where it was signed before. */
export interface Signed {
  readonly pending: SignedPayment;
  readonly shown: OpenedIntent | null;
}

/** Pauses between tries to hand the transaction over. */
export const SEND_AGAIN_MS: readonly number[] = [1_000, 3_000];
/** Pauses between claims. */
export const CLAIM_AGAIN_MS: readonly number[] = [
  500, 1_000, 1_500, 2_000, 3_000, 3_000, 4_000, 4_000, 5_000, 5_000,
];
/** Pauses between looks. The server itself waits some seconds each time, so all in all it is over three minutes: longer than it takes a lost transaction to be certain never to land. */
export const LOOK_AGAIN_MS: readonly number[] = [
  ...CLAIM_AGAIN_MS,
  ...Array.from({ length: 14 }, () => 5_000),
];

/** From the signature to the subscription. It asks no wallet: there is one payment, and this is it. */
export async function finishPayment(signed: Signed, run: PaymentContext): Promise<PaymentOutcome> {
  const word = await deliver(signed, run);
  if ('status' in word) return word;
  const landed = word.is === 'landed' ? keepLanded(signed.pending, run) : await confirm(signed, run);
  return 'status' in landed ? landed : activate({ ...signed, pending: landed }, run);
}

/** Sees to it that the server has the transaction. The same bytes again are taken at most once. */
async function deliver(signed: Signed, run: PaymentContext): Promise<PaymentStatus | PaymentFailure> {
  const { pending, shown } = signed;
  const hear = () => fetchPaymentStatus(pending.signature, run.confirmTransaction);
  run.enter('send');
  let word: PaymentStatus | null = shown === null ? await hear() : null;
  let error: unknown = null;
  for (const pause of [...SEND_AGAIN_MS, null]) {
    const end = word && (await readEnd(signed, { word, refusal: null }, run));
    if (end) return end;
    if (word?.is === 'landed' || (word?.is === 'silent' && pending.hasLanded)) return { is: 'landed' };
    try {
      await run.sendTransaction(pending.transaction);
      return { is: 'on_its_way' };
    } catch (caught) {
      error = caught;
    }
    // Whether it was the first try that was refused, or an earlier one went out, the server knows.
    word = await hear();
    if (isRefusal(error)) return settleRefused(signed, { word, refusal: error }, run);
    if (pause === null || !isTransient(error)) break;
    await run.wait(pause);
  }
  const end = word && (await readEnd(signed, { word, refusal: null }, run));
  return (
    end ??
    (word?.is === 'landed' || word?.is === 'on_its_way' ? word : stillPending(pending, sendingReason(error)))
  );
}

/** The server said no. Unless it has the transaction all the same, nobody has sent it and nobody will. */
async function settleRefused(
  signed: Signed,
  { word, refusal }: { word: PaymentStatus; refusal: unknown },
  run: PaymentContext,
): Promise<PaymentStatus | PaymentFailure> {
  const end = await readEnd(signed, { word, refusal }, run);
  if (end) return end;
  if (word.is === 'missing') return letGo(signed, { reason: sendingReason(refusal), refusal }, run);
  return word.is === 'silent' ? stillPending(signed.pending, sendingReason(refusal)) : word;
}

/** Waits until it stands on the chain, or never will. */
async function confirm(signed: Signed, run: PaymentContext): Promise<SignedPayment | PaymentFailure> {
  const { pending } = signed;
  run.enter('confirm');
  let reason = '';
  for (const pause of [...LOOK_AGAIN_MS, null]) {
    const word = await fetchPaymentStatus(pending.signature, run.confirmTransaction);
    if (word.is === 'landed') return keepLanded(pending, run);
    const end = await readEnd(signed, { word, refusal: null }, run);
    if (end) return end;
    reason =
      word.is === 'silent'
        ? reasonOf(word.error, CONFIRM_FAILED)
        : word.is === 'missing'
          ? NOT_RECEIVED
          : STILL_LOOKING;
    if (word.is === 'missing' || (word.is === 'silent' && !isTransient(word.error))) break;
    if (pause !== null) await run.wait(pause);
  }
  return stillPending(pending, reason);
}

async function activate(signed: Signed, run: PaymentContext): Promise<PaymentOutcome> {
  const { pending } = signed;
  run.enter('activate');
  const terms = readTerms(pending.intent);
  const total = formatSol(terms.totalLamports);
  const body: PaidSubscriptionBody = {
    callerId: pending.callerId,
    monthlyFee: total,
    platformFee: formatSol(terms.platformLamports),
    totalAmount: total,
    transactionId: pending.signature,
  };
  let error: unknown = null;
  for (const pause of [...CLAIM_AGAIN_MS, null]) {
    try {
      const subscription = await run.claimSubscription(body);
      if (subscription !== null) {
        run.forget(pending);
        return { status: 'complete', receipt: { terms, signature: pending.signature, subscription } };
      }
      error = null;
    } catch (caught) {
      error = caught;
      if (!isTransient(caught)) break;
    }
    if (pause !== null) await run.wait(pause);
  }
  if (hasCode(error, 'payments.failed_on_chain')) {
    return letGo(signed, { reason: FAILED_ON_CHAIN, refusal: null }, run);
  }
  const reason = `${asSentence(reasonOf(error, 'The subscription is not active yet'))} ${isRefusal(error) ? PAID_AND_REFUSED : PAID_ALREADY}`;
  return { status: 'failed', title: 'Subscription failed', reason, pending };
}

const FAILED_ON_CHAIN =
  'Transaction failed on blockchain. Only the network fee was taken. You can pay again in a minute or two.';
const EXPIRED = 'The transaction expired before it reached the chain. Nothing was paid: you can pay again.';
const CONFIRM_FAILED = 'Failed to confirm transaction';
const STILL_LOOKING =
  'Solana has neither confirmed nor dropped your payment yet. If it lands, your subscription starts by itself, also with this tab closed.';
const NOT_RECEIVED = 'Your payment has not reached us, so it was not sent yet.';
const STILL_SAFE = 'Checking again looks for the same transaction and never pays twice.';
const PAID_ALREADY =
  'Your payment is on the chain and is credited by itself within minutes; you need not pay again.';
const PAID_AND_REFUSED =
  'Your payment is on the chain, so do not pay again: we look at every payment that opened no subscription.';

/** What is over by the server's word; `null` while it may still land. */
async function readEnd(
  signed: Signed,
  { word, refusal }: { word: PaymentStatus; refusal: unknown },
  run: PaymentContext,
): Promise<PaymentFailure | null> {
  if (word.is === 'failed') return letGo(signed, { reason: FAILED_ON_CHAIN, refusal }, run);
  if (word.is === 'expired') {
    return letGo(
      signed,
      {
        reason: refusal === null ? reasonOf(word.error, EXPIRED) : sendingReason(refusal),
        refusal: refusal ?? word.error,
      },
      run,
    );
  }
  return null;
}

/** It has moved no money and never will. The next attempt may pay anew, on an intent and a blockhash of its own. */
async function letGo(
  { pending, shown }: Signed,
  { reason, refusal }: { reason: string; refusal: unknown },
  run: PaymentContext,
): Promise<PaymentFailure> {
  run.forget(pending);
  const failed: PaymentFailure = {
    status: 'failed',
    title: 'Payment failed',
    reason,
    pending: null,
    opened: null,
  };
  if (isPaidByOther(refusal)) return { ...failed, elsewhere: { reason, periods: shown?.periods ?? null } };
  // One that failed holds others up until that is final.
  if (shown === null || refusal === null) return failed;
  const opened = await run.open({ callerId: pending.callerId, payer: shown.payer }).catch(() => null);
  if (opened === null) return failed;
  if (!isOpened(opened)) return { ...failed, reason: opened.reason, elsewhere: opened };
  return {
    ...failed,
    reason: (hasCode(refusal, 'payments.insufficient_funds') ? fundsProblem(opened) : null) ?? reason,
    opened,
  };
}

function stillPending(pending: SignedPayment, reason: string): PaymentFailure {
  return {
    status: 'failed',
    title: 'Payment not confirmed yet',
    reason: `${asSentence(reason)} ${STILL_SAFE}`,
    pending,
  };
}

function keepLanded(pending: SignedPayment, { keep }: PaymentContext): SignedPayment {
  const landed = { ...pending, hasLanded: true };
  keep(landed);
  return landed;
}
