import type { ConfirmTransactionAnswer, OpenIntentAnswer, PaymentIntent, SendTransactionAnswer } from '#schema/contracts/payments.ts';
import type { PaidSubscriptionBody, Subscription } from '#schema/contracts/subscriptions.ts';
import { formatSol } from '#schema/rules/lamports.ts';
import { hasCode, reasonOf } from '#web/api/api-error.ts';
import { toBase64 } from '#web/lib/base64.ts';
import { isPaidElsewhere, isRefusal, isTransient, sendingReason, signingReason } from './payment-failures.ts';
import { areSameTerms, type OpenedIntent, type PaymentTerms, readTerms, shortageText } from './payment-terms.ts';

/** The steps of a payment in their order. */
export const PAYMENT_STEPS = ['intent', 'sign', 'send', 'confirm', 'activate'] as const;
export type PaymentStep = (typeof PAYMENT_STEPS)[number];

/** A payment that the wallet has signed: from here on it is this one that goes on, never a second one. */
export interface SignedPayment {
  readonly callerId: string;
  readonly intent: PaymentIntent;
  /** Base58. */
  readonly signature: string;
  /** The signed transaction in base64, to be sent again if need be. */
  readonly transaction: string;
  /** When its blockhash was fetched, unix ms: some minutes later the chain takes it no more. */
  readonly openedAt: number;
  readonly hasLanded: boolean;
}

export interface PaymentReceipt {
  readonly terms: PaymentTerms;
  readonly signature: string;
  readonly subscription: Subscription;
}

export interface PaymentFailure {
  readonly status: 'failed';
  readonly title: 'Payment failed' | 'Subscription failed';
  readonly reason: string;
  /** What has been signed and may still land, to be gone on with; `null` when it is safe to pay anew. */
  readonly pending: SignedPayment | null;
  /** What the next attempt pays in place of what was shown; `null` when it has to be prepared first. */
  readonly opened?: OpenedIntent | null;
  /** Another transaction has made this payment or is about to: there is nothing to pay again. */
  readonly isPaidElsewhere?: true;
}

export type PaymentOutcome = { readonly status: 'complete'; readonly receipt: PaymentReceipt } | PaymentFailure;

/** Either new money on the terms that were shown, or what was signed before. */
export type PaymentRequest =
  | { readonly kind: 'new'; readonly callerId: string; readonly shown: OpenedIntent }
  | { readonly kind: 'resume'; readonly pending: SignedPayment };

export interface PaymentDependencies {
  readonly openIntent: (input: { callerId: string; payerAddress: string }) => Promise<OpenIntentAnswer>;
  readonly buildPayment: (input: { intent: PaymentIntent; payer: string; blockhash: string }) => Promise<Uint8Array>;
  readonly signTransaction: (transaction: Uint8Array) => Promise<Uint8Array>;
  /** The fee payer's signature in base58, or `null` when it is missing. */
  readonly readSignature: (signed: Uint8Array) => Promise<string | null>;
  readonly sendTransaction: (transaction: string) => Promise<SendTransactionAnswer>;
  /** `null` while the chain does not show it yet. */
  readonly confirmTransaction: (signature: string) => Promise<ConfirmTransactionAnswer | null>;
  /** `null` while the server cannot see the payment yet. */
  readonly claimSubscription: (body: PaidSubscriptionBody) => Promise<Subscription | null>;
  /** What was signed for this caller before, in this tab or another one. */
  readonly find: (callerId: string) => SignedPayment | null;
  /** Keeps what was signed across a closed tab. */
  readonly keep: (pending: SignedPayment) => void;
  readonly forget: (callerId: string) => void;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => number;
}

/** A blockhash lives about 150 slots, some 60 to 90 s; past a third of that the intent is opened anew. */
export const FRESH_INTENT_MS = 20_000;
/** After this long a transaction that no one has seen cannot land any more, with room to spare. */
export const BLOCKHASH_DEAD_MS = 3 * 60_000;
/** Pauses between questions. The server itself waits some seconds for the chain, so all in all it is about a minute. */
export const ASK_AGAIN_MS: readonly number[] = [500, 1_000, 1_500, 2_000, 3_000, 3_000, 4_000, 4_000, 5_000, 5_000];

/**
 * Pays a caller, step by step, and says where it stopped. It never throws.
 *
 * Before the signature every failure costs nothing and a retry begins anew. After it, a retry goes
 * on with the same signature until that one is on the chain or can never be.
 */
export async function runPayment(request: PaymentRequest, dependencies: PaymentDependencies, onStep: (step: PaymentStep) => void): Promise<PaymentOutcome> {
  const signed = await (request.kind === 'resume' ? resend(request.pending, dependencies, onStep) : signAndSend(request, dependencies, onStep));
  if ('status' in signed) return signed;
  const landed = await confirm(signed, dependencies, onStep);
  return 'status' in landed ? landed : activate(landed, dependencies, onStep);
}

async function signAndSend(
  { callerId, shown }: Extract<PaymentRequest, { kind: 'new' }>,
  dependencies: PaymentDependencies,
  onStep: (step: PaymentStep) => void,
): Promise<SignedPayment | PaymentFailure> {
  onStep('intent');
  let opened = shown;
  if (dependencies.now() - shown.openedAt > FRESH_INTENT_MS) {
    try {
      opened = await open(callerId, shown.payer, dependencies);
    } catch (error) {
      return failure('Payment failed', reasonOf(error, 'Failed to prepare the payment'));
    }
    if (!areSameTerms(readTerms(opened.answer.intent), readTerms(shown.answer.intent))) {
      return { ...failure('Payment failed', 'The terms changed while you looked at them. Nothing was paid: check them and confirm again.'), opened };
    }
  }

  onStep('sign');
  const { intent, result } = opened.answer;
  let unsignedBytes: Uint8Array;
  try {
    unsignedBytes = await dependencies.buildPayment({ intent, payer: opened.payer, blockhash: result.value.blockhash });
  } catch {
    return failure('Payment failed', 'The transaction could not be built. Nothing was paid.');
  }
  let signedBytes: Uint8Array;
  let signature: string | null;
  try {
    signedBytes = await dependencies.signTransaction(unsignedBytes);
    signature = await dependencies.readSignature(signedBytes);
  } catch (error) {
    return failure('Payment failed', signingReason(error));
  }
  if (signature === null) return failure('Payment failed', signingReason(null));

  // While the wallet asked, another tab may have signed: its payment is the one that goes on.
  const other = dependencies.find(callerId);
  if (other !== null) return failure('Payment failed', SIGNED_ELSEWHERE, other);
  const transaction = toBase64(signedBytes);
  const pending: SignedPayment = { callerId, intent, signature, transaction, openedAt: opened.openedAt, hasLanded: false };
  dependencies.keep(pending);

  onStep('send');
  try {
    await dependencies.sendTransaction(transaction);
    return pending;
  } catch (error) {
    // A refusal comes before the chain has seen anything. Without an answer it may be on its way.
    if (isRefusal(error)) return refused(pending, { error, payer: opened.payer }, dependencies);
    return failure('Payment failed', `${asSentence(sendingReason(error))} ${STILL_SAFE}`, pending);
  }
}

/** What was refused is refused for good, its intent or its blockhash being at fault: the next attempt gets new ones. */
async function refused(pending: SignedPayment, { error, payer }: { error: unknown; payer: string }, dependencies: PaymentDependencies): Promise<PaymentFailure> {
  const failed = abandon(pending, sendingReason(error), dependencies);
  if (isPaidElsewhere(error)) return { ...failed, opened: null, isPaidElsewhere: true };
  const opened = await open(pending.callerId, payer, dependencies).catch(() => null);
  const shortage = opened && hasCode(error, 'payments.insufficient_funds') ? shortageText(opened) : null;
  return { ...failed, reason: shortage ?? failed.reason, opened };
}

async function open(callerId: string, payer: string, { openIntent, now }: PaymentDependencies): Promise<OpenedIntent> {
  const openedAt = now();
  return { answer: await openIntent({ callerId, payerAddress: payer }), payer, openedAt };
}

/** Sends the same bytes again: the chain takes them at most once, and the first time may have been lost. */
async function resend(pending: SignedPayment, dependencies: PaymentDependencies, onStep: (step: PaymentStep) => void): Promise<SignedPayment | PaymentFailure> {
  if (pending.hasLanded) return pending;
  onStep('confirm');
  const seen = await dependencies.confirmTransaction(pending.signature).catch((error: unknown) => (isUnseen(error) ? null : undefined));
  if (seen) return pending;
  onStep('send');
  try {
    await dependencies.sendTransaction(pending.transaction);
  } catch (error) {
    // Refused, unseen and too old: it can never land. Any other trouble does not tell, so we look on.
    if (isRefusal(error) && seen === null && isDead(pending, dependencies)) {
      return isPaidElsewhere(error) ? { ...abandon(pending, sendingReason(error), dependencies), opened: null, isPaidElsewhere: true } : abandon(pending, EXPIRED, dependencies);
    }
  }
  return pending;
}

async function confirm(pending: SignedPayment, dependencies: PaymentDependencies, onStep: (step: PaymentStep) => void): Promise<SignedPayment | PaymentFailure> {
  if (pending.hasLanded) return pending;
  onStep('confirm');
  const asked = await askUntilSeen(() => dependencies.confirmTransaction(pending.signature), dependencies);
  if ('answer' in asked) {
    if (asked.answer.result.value[0].err !== null) return abandon(pending, FAILED_ON_CHAIN, dependencies);
    const landed = { ...pending, hasLanded: true };
    dependencies.keep(landed);
    return landed;
  }
  if (hasCode(asked.error, 'payments.failed_on_chain')) return abandon(pending, FAILED_ON_CHAIN, dependencies);
  if (isUnseen(asked.error) && isDead(pending, dependencies)) return abandon(pending, EXPIRED, dependencies);
  return failure('Payment failed', `${asSentence(reasonOf(asked.error, 'Failed to confirm transaction'))} ${STILL_SAFE}`, pending);
}

async function activate(landed: SignedPayment, dependencies: PaymentDependencies, onStep: (step: PaymentStep) => void): Promise<PaymentOutcome> {
  onStep('activate');
  const terms = readTerms(landed.intent);
  const total = formatSol(terms.totalLamports);
  const body: PaidSubscriptionBody = {
    callerId: landed.callerId,
    monthlyFee: total,
    platformFee: formatSol(terms.platformLamports),
    totalAmount: total,
    transactionId: landed.signature,
  };
  const asked = await askUntilSeen(() => dependencies.claimSubscription(body), dependencies);
  if ('answer' in asked) {
    dependencies.forget(landed.callerId);
    return { status: 'complete', receipt: { terms, signature: landed.signature, subscription: asked.answer } };
  }
  if (hasCode(asked.error, 'payments.failed_on_chain')) return abandon(landed, FAILED_ON_CHAIN, dependencies);
  return failure('Subscription failed', `${asSentence(reasonOf(asked.error, 'The subscription is not active yet'))} ${PAID_ALREADY}`, landed);
}

const FAILED_ON_CHAIN = 'Transaction failed on blockchain';
const SIGNED_ELSEWHERE = 'You have signed a payment to this caller in another tab already. This one was not sent: go on with the other.';
const EXPIRED = 'The transaction expired before it reached the chain. Nothing was paid: you can pay again.';
const STILL_SAFE = 'Checking again looks for the same transaction and never pays twice.';
const PAID_ALREADY = 'Your payment is on the chain and is credited by itself within minutes; you need not pay again.';

/**
 * Asks until there is an answer, as often as `ASK_AGAIN_MS` says. Lost connections and overloaded servers are asked
 * again too; any other error ends it.
 * @returns the answer, or the last error (`null` when the last word was "not visible yet").
 */
async function askUntilSeen<T>(ask: () => Promise<T | null>, { wait }: PaymentDependencies): Promise<{ readonly answer: T } | { readonly error: unknown }> {
  let error: unknown = null;
  for (const pause of [...ASK_AGAIN_MS, null]) {
    try {
      const answer = await ask();
      if (answer !== null) return { answer };
      error = null;
    } catch (caught) {
      error = caught;
      if (!isTransient(caught)) break;
    }
    if (pause !== null) await wait(pause);
  }
  return { error };
}

/** Not on the chain as far as anyone knows: the last word was "not visible yet", or the server never got to send it. */
function isUnseen(error: unknown): boolean {
  return error === null || hasCode(error, 'payments.intent_missing');
}

function isDead(pending: SignedPayment, { now }: PaymentDependencies): boolean {
  return now() - pending.openedAt > BLOCKHASH_DEAD_MS;
}

/** It has moved no money and never will: the next attempt may pay anew. */
function abandon(pending: SignedPayment, reason: string, { forget }: PaymentDependencies): PaymentFailure {
  forget(pending.callerId);
  return failure('Payment failed', reason);
}

function asSentence(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

function failure(title: PaymentFailure['title'], reason: string, pending: SignedPayment | null = null): PaymentFailure {
  return { status: 'failed', title, reason, pending };
}
