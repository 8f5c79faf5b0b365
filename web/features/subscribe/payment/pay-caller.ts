import { MINUTE_MS } from '#schema/constants/time.ts';
import { hasCode } from '#web/api/api-error.ts';
import { toBase64 } from '#web/lib/browser/base64.ts';
import {
  failOpening,
  failure,
  NOT_BUILT,
  SIGNED_IN_OTHER_TAB,
  startSigning,
  whenAborted,
} from './prompt-wallet.ts';
import { findPayment } from './find-payment.ts';
import { finishPayment } from './finish-payment.ts';
import { payByWallet } from './pay-by-wallet.ts';
import { openingReason, signingReason } from './payment-failures.ts';
import {
  areSameTerms,
  findNewPeriod,
  fundsProblem,
  type OpenedIntent,
  readNetworkFee,
  readTerms,
} from './payment-terms.ts';
import {
  isSigned,
  type PaymentContext,
  type PaymentControls,
  type PaymentDependencies,
  type PaymentFailure,
  type PaymentOutcome,
  type PaymentRequest,
  type SignedPayment,
} from './payment-types.ts';

/**
 * Network fees change with every block. For this time, a payment uses the shown fee even if the current fee is
 * higher.
 */
export const SHOWN_FEE_MS = MINUTE_MS;
export const SLOW_CONNECTION_MS = 20_000;

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
    cancelTimer = dependencies.after(SLOW_CONNECTION_MS, () =>
      onProgress({ step, isSlow: true, ...options }),
    );
  };
  const context: PaymentContext = { ...dependencies, startStep, signal };
  try {
    if (request.kind === 'resume') {
      const { pending } = request;
      if (isSigned(pending)) return await finishPayment({ pending, shown: null }, context);
      return await findPayment(pending, context);
    }
    const opened = await openNow(request, context);
    if ('status' in opened) return opened;
    const requested = { callerId: request.callerId, opened };
    if (context.payByWallet !== null) return await payByWallet(requested, context);
    const pending = await sign(requested, context);
    if ('status' in pending) return pending;
    return await finishPayment({ pending, shown: opened }, context);
  } finally {
    cancelTimer();
  }
}

/** Opens the intent again, so that the whole life of a new blockhash is left for signing. */
async function openNow(
  { callerId, shown }: Extract<PaymentRequest, { kind: 'new' }>,
  context: PaymentContext,
): Promise<OpenedIntent | PaymentFailure> {
  context.startStep('intent');
  const isFeeKept = context.now() - shown.openedAt <= SHOWN_FEE_MS;
  try {
    const current = await context.open({ callerId, payer: shown.payer, shown: shown.response.intent });
    const opened = isFeeKept ? limitFee(current, shown) : current;
    const problem = findChange(shown, opened) ?? fundsProblem(opened);
    return problem === null ? opened : { ...failure(problem), opened };
  } catch (error) {
    if (!hasCode(error, 'payments.length_not_offered')) return failOpening(error, callerId, context);
    // The caller has stopped selling this length. The dialog shows one that is sold.
    const opened = await context.open({ callerId, payer: shown.payer }).catch(() => null);
    return { ...failure(openingReason(error)), opened };
  }
}

function limitFee(current: OpenedIntent, shown: OpenedIntent): OpenedIntent {
  if (readNetworkFee(current) <= readNetworkFee(shown)) return current;
  return { ...current, response: { ...current.response, computeBudget: shown.response.computeBudget } };
}

function findChange(shown: OpenedIntent, opened: OpenedIntent): string | null {
  if (!areSameTerms(readTerms(opened.response.intent), readTerms(shown.response.intent))) {
    return TERMS_CHANGED;
  }
  if (findNewPeriod({ before: shown.periods, after: opened.periods })) return ALREADY_SUBSCRIBED;
  return readNetworkFee(opened) > readNetworkFee(shown) ? NETWORK_FEE_ROSE : null;
}

async function sign(
  { callerId, opened }: { callerId: string; opened: OpenedIntent },
  context: PaymentContext,
): Promise<SignedPayment | PaymentFailure> {
  const { intent } = opened.response;
  const fail = (reason: string): PaymentFailure => ({ ...failure(reason), opened });
  const unsigned = await startSigning(opened, context);
  if (unsigned === null) return fail(NOT_BUILT);
  // Checked before and after the wallet signs, because another tab may have signed meanwhile.
  const signedBefore = context.find(callerId);
  if (signedBefore !== null) return failure(SIGNED_IN_OTHER_TAB, signedBefore);
  let signed: Uint8Array | 'stopped';
  let signature: string | null;
  try {
    signed = await Promise.race([context.signTransaction(unsigned), whenAborted(context.signal)]);
    if (signed === 'stopped') return fail(STOPPED);
    signature = await context.readSignature({ signed, reference: intent.reference });
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
  context.save(pending);
  return pending;
}

const TERMS_CHANGED = 'The payment details changed. Nothing was paid. Review them, then press Pay again.';
const NETWORK_FEE_ROSE = 'The network fee rose. Nothing was paid. Review it, then press Pay again.';
const ALREADY_SUBSCRIBED =
  "You've already subscribed in another tab or on another device. Nothing was paid this time. Pay only if you want another period.";
const STOPPED =
  'You stopped waiting for your wallet. Nothing was paid. If your wallet still asks you to sign, ' +
  "decline. A payment signed now isn't sent.";
