import { didWalletSendNothing } from '#web/lib/wallets/wallet-errors.ts';
import { findPayment } from './find-payment.ts';
import { signingReason } from './payment-failures.ts';
import type { OpenedIntent } from './payment-terms.ts';
import type { PaymentContext, PaymentFailure, PaymentOutcome, PendingPayment } from './payment-types.ts';
import { failure, NOT_BUILT, SIGNED_IN_OTHER_TAB, startSigning, whenAborted } from './prompt-wallet.ts';

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
  const { intent } = opened.response;
  const pending: PendingPayment = { callerId, intent, openedAt: opened.openedAt, hasLanded: false };
  const signedBefore = context.find(callerId);
  if (signedBefore !== null) return failure(SIGNED_IN_OTHER_TAB, signedBefore);
  context.save(pending);
  try {
    // A returned signature proves nothing: it may be another transaction's, and the wallet may still send this one.
    await Promise.race([context.payByWallet?.(unsigned), whenAborted(context.signal)]);
  } catch (error) {
    if (didWalletSendNothing(error)) {
      context.forget(pending);
      return fail(signingReason(error));
    }
  }
  return findPayment(pending, context);
}
