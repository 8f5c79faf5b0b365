import { toBase64 } from '#web/lib/base64.ts';
import { finishPayment } from './finish-payment.ts';
import { isOpened } from './open-payment.ts';
import { openingReason, signingReason } from './payment-failures.ts';
import { areSameTerms, findNewPeriod, fundsProblem, type OpenedIntent, readTerms } from './payment-terms.ts';
import type {
  PaymentContext,
  PaymentControls,
  PaymentDependencies,
  PaymentFailure,
  PaymentOutcome,
  PaymentRequest,
  SignedPayment,
} from './payment-types.ts';

/**
 * If an intent is older, a new one is opened before signing, because a blockhash expires after about 150 slots
 * (60 to 90 s).
 */
export const FRESH_INTENT_MS = 20_000;
/** A step that takes longer than this is reported as slow. */
export const SLOW_MS = 20_000;

/**
 * Pays a caller step by step. Never throws. Before the signature, a failure costs nothing and a retry starts
 * over. After the signature, a retry resumes the same payment until it has landed or the server says that it
 * never will.
 */
export async function payCaller(
  request: PaymentRequest,
  dependencies: PaymentDependencies,
  { onProgress, signal }: PaymentControls,
): Promise<PaymentOutcome> {
  let cancelTimer = () => {};
  const startStep: PaymentContext['startStep'] = (step, options) => {
    cancelTimer();
    onProgress({ step, isSlow: false, ...options });
    cancelTimer = dependencies.after(SLOW_MS, () => onProgress({ step, isSlow: true, ...options }));
  };
  const context: PaymentContext = { ...dependencies, startStep, signal };
  try {
    if (request.kind === 'resume') {
      return await finishPayment({ pending: request.pending, shown: null }, context);
    }
    const opened = await openFresh(request, context);
    if ('status' in opened) return opened;
    const pending = await sign({ callerId: request.callerId, opened }, context);
    if ('status' in pending) return pending;
    return await finishPayment({ pending, shown: opened }, context);
  } finally {
    cancelTimer();
  }
}

/**
 * Returns the intent that was shown. If its blockhash is too old to sign, returns a new intent with equal
 * terms.
 */
async function openFresh(
  { callerId, shown }: Extract<PaymentRequest, { kind: 'new' }>,
  context: PaymentContext,
): Promise<OpenedIntent | PaymentFailure> {
  context.startStep('intent');
  if (context.now() - shown.openedAt <= FRESH_INTENT_MS) return shown;
  try {
    const opened = await context.open({ callerId, payer: shown.payer });
    if (!isOpened(opened)) return { ...failure(opened.reason), opened: null, otherPayment: opened };
    const problem = findChange(shown, opened) ?? fundsProblem(opened);
    return problem === null ? opened : { ...failure(problem), opened };
  } catch (error) {
    return failure(openingReason(error));
  }
}

/**
 * Compares the terms and the user's periods with those that were shown. If they have changed, returns a
 * message, else null.
 */
function findChange(shown: OpenedIntent, opened: OpenedIntent): string | null {
  if (!areSameTerms(readTerms(opened.answer.intent), readTerms(shown.answer.intent))) return TERMS_CHANGED;
  return findNewPeriod({ before: shown.periods, after: opened.periods }) ? ALREADY_SUBSCRIBED : null;
}

async function sign(
  { callerId, opened }: { callerId: string; opened: OpenedIntent },
  context: PaymentContext,
): Promise<SignedPayment | PaymentFailure> {
  const { intent, result } = opened.answer;
  const fail = (reason: string): PaymentFailure => ({ ...failure(reason), opened });
  context.startStep('sign');
  let unsigned: Uint8Array;
  try {
    unsigned = await context.buildPayment({
      intent,
      payer: opened.payer,
      blockhash: result.value.blockhash,
    });
  } catch {
    return fail("Couldn't create the transaction. Nothing was paid. Press Pay to try again.");
  }
  // Checked before and after the wallet signs, because another tab may have signed meanwhile.
  const signedBefore = context.find(callerId);
  if (signedBefore !== null) return failure(SIGNED_IN_OTHER_TAB, signedBefore);
  let signed: Uint8Array | 'stopped';
  let signature: string | null;
  try {
    signed = await Promise.race([context.signTransaction(unsigned), whenAborted(context.signal)]);
    if (signed === 'stopped') return fail(STOPPED);
    signature = await context.readSignature(signed);
  } catch (error) {
    return fail(signingReason(error));
  }
  if (signature === null) return fail(signingReason(null));
  const signedMeanwhile = context.find(callerId);
  if (signedMeanwhile !== null) return failure(SIGNED_IN_OTHER_TAB, signedMeanwhile);
  const pending: SignedPayment = {
    callerId,
    intent,
    signature,
    transaction: toBase64(signed),
    openedAt: opened.openedAt,
    hasLanded: false,
  };
  context.keep(pending);
  return pending;
}

const TERMS_CHANGED = 'The payment details changed. Nothing was paid. Review them, then press Pay again.';
const ALREADY_SUBSCRIBED =
  "You've already subscribed in another tab or on another device. Nothing was paid this time. Pay only if you want another period.";
const SIGNED_IN_OTHER_TAB =
  'You already signed a payment to this caller in another tab. Continue with that one. Nothing else was sent.';
const STOPPED =
  'You stopped waiting for your wallet. Nothing was paid. If your wallet still asks you to sign, ' +
  "decline. A payment signed now isn't sent.";

function whenAborted(signal: AbortSignal): Promise<'stopped'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('stopped');
    else signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
}

function failure(reason: string, pending: SignedPayment | null = null): PaymentFailure {
  return {
    status: 'failed',
    title: pending === null ? 'Payment failed' : 'Payment not confirmed yet',
    reason,
    pending,
  };
}
