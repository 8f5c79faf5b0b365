import { reasonOf } from '#web/api/api-error.ts';
import { toBase64 } from '#web/lib/base64.ts';
import { finishPayment } from './finish-payment.ts';
import { isOpened } from './open-payment.ts';
import { signingReason } from './payment-failures.ts';
import type {
  PaymentDependencies,
  PaymentFailure,
  PaymentOutcome,
  PaymentRequest,
  PaymentContext,
  PaymentStep,
  PaymentWatch,
  SignedPayment,
} from './payment-types.ts';
import { areSameTerms, findNewPeriod, fundsProblem, type OpenedIntent, readTerms } from './payment-terms.ts';

/** A blockhash lives about 150 slots, some 60 to 90 s; past a third of that the intent is opened anew. */
export const FRESH_INTENT_MS = 20_000;
/** A step that takes longer says so, and what to do. */
export const SLOW_MS = 20_000;

/**
 * Pays a caller, step by step, and says where it stopped. It never throws.
 *
 * Before the signature every failure costs nothing and a retry begins anew. After it, a retry goes
 * on with the same signature until that one is on the chain or the server says that it can never be.
 */
export async function payCaller(
  request: PaymentRequest,
  dependencies: PaymentDependencies,
  { onProgress, signal }: PaymentWatch,
): Promise<PaymentOutcome> {
  let callOff = () => {};
  const enter = (step: PaymentStep) => {
    callOff();
    onProgress({ step, isSlow: false });
    callOff = dependencies.after(SLOW_MS, () => onProgress({ step, isSlow: true }));
  };
  const run: PaymentContext = { ...dependencies, enter, signal };
  try {
    if (request.kind === 'resume') return await finishPayment({ pending: request.pending, shown: null }, run);
    const opened = await openFresh(request, run);
    if ('status' in opened) return opened;
    const pending = await sign({ callerId: request.callerId, opened }, run);
    return 'status' in pending ? pending : await finishPayment({ pending, shown: opened }, run);
  } finally {
    callOff();
  }
}

/** What was shown, on a blockhash that lives long enough to be signed. */
async function openFresh(
  { callerId, shown }: Extract<PaymentRequest, { kind: 'new' }>,
  run: PaymentContext,
): Promise<OpenedIntent | PaymentFailure> {
  run.enter('intent');
  if (run.now() - shown.openedAt <= FRESH_INTENT_MS) return shown;
  try {
    const opened = await run.open({ callerId, payer: shown.payer });
    if (!isOpened(opened)) return { ...failure(opened.reason), opened: null, elsewhere: opened };
    const isChanged = !areSameTerms(readTerms(opened.answer.intent), readTerms(shown.answer.intent));
    const problem = isChanged
      ? TERMS_CHANGED
      : findNewPeriod({ before: shown.periods, after: opened.periods })
        ? SUBSCRIBED_MEANWHILE
        : fundsProblem(opened);
    return problem === null ? opened : { ...failure(problem), opened };
  } catch (error) {
    return failure(reasonOf(error, 'Failed to prepare the payment'));
  }
}

async function sign(
  { callerId, opened }: { callerId: string; opened: OpenedIntent },
  run: PaymentContext,
): Promise<SignedPayment | PaymentFailure> {
  const { intent, result } = opened.answer;
  const fail = (reason: string): PaymentFailure => ({ ...failure(reason), opened });
  run.enter('sign');
  let unsigned: Uint8Array;
  try {
    unsigned = await run.buildPayment({ intent, payer: opened.payer, blockhash: result.value.blockhash });
  } catch {
    return fail('The transaction could not be built. Nothing was paid.');
  }
  // Another tab may have signed by now: then its payment is the one that goes on.
  const before = run.find(callerId);
  if (before !== null) return failure(SIGNED_ELSEWHERE, before);
  let signed: Uint8Array | 'stopped';
  let signature: string | null;
  try {
    signed = await Promise.race([run.signTransaction(unsigned), whenAborted(run.signal)]);
    if (signed === 'stopped') return fail(STOPPED);
    signature = await run.readSignature(signed);
  } catch (error) {
    return fail(signingReason(error));
  }
  if (signature === null) return fail(signingReason(null));
  const other = run.find(callerId);
  if (other !== null) return failure(SIGNED_ELSEWHERE, other);
  const pending: SignedPayment = {
    callerId,
    intent,
    signature,
    transaction: toBase64(signed),
    openedAt: opened.openedAt,
    hasLanded: false,
  };
  run.keep(pending);
  return pending;
}

const TERMS_CHANGED =
  'The terms changed while you looked at them. Nothing was paid: check them and confirm again.';
const SUBSCRIBED_MEANWHILE =
  'You have subscribed meanwhile, in another tab or on another device. Nothing was paid now: pay only if you want another period on top.';
const SIGNED_ELSEWHERE =
  'You have signed a payment to this caller in another tab already: go on with that one. Nothing else was sent.';
const STOPPED =
  'You stopped waiting for your wallet. Nothing was paid. If it still asks you, decline there: what it signs now is not sent.';

function whenAborted(signal: AbortSignal): Promise<'stopped'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('stopped');
    else signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
}

/** Before the signature: nothing is on its way, unless another tab's is. */
function failure(reason: string, pending: SignedPayment | null = null): PaymentFailure {
  return {
    status: 'failed',
    title: pending === null ? 'Payment failed' : 'Payment not confirmed yet',
    reason,
    pending,
  };
}
