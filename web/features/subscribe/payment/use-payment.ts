import { useCallback, useEffect, useSyncExternalStore } from 'react';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { payCaller } from './pay-caller.ts';
import { createPaymentDependencies } from './payment-dependencies.ts';
import { paymentTracker } from './payment-tracker.ts';
import type { PaymentFailure, PaymentRequest, PendingPayments } from './payment-types.ts';
import type { PreparationControls } from './use-preparation.ts';

export interface UsePaymentInput {
  readonly callerId: string;
  readonly pendingPayments: PendingPayments;
  readonly preparationControls: PreparationControls;
  readonly onPaid: (subscription: Subscription) => void;
}

export function usePayment({ callerId, pendingPayments, preparationControls, onPaid }: UsePaymentInput) {
  const { signTransaction, signAndSendTransaction, sendsItself } = useWallet();
  const watch = useCallback(
    (listener: () => void) => paymentTracker.subscribe(listener, callerId),
    [callerId],
  );
  const payment = useSyncExternalStore(watch, () => paymentTracker.find(callerId));
  useEffect(() => () => paymentTracker.clear(callerId), [callerId]);

  const handleFailure = ({ opened, title, reason }: PaymentFailure) => {
    // An open dialog shows the reason itself.
    const isDialogOpen = paymentTracker.isShown(callerId);
    const isFinal = title === 'Payment failed' || title === 'Subscription failed';
    toast({
      title,
      description: isDialogOpen ? undefined : reason,
      variant: isFinal ? 'destructive' : 'default',
    });
    if (opened) preparationControls.show({ status: 'ready', opened, isRefreshing: false });
    else if (opened === null) preparationControls.show({ status: 'not_ready', problem: null });
  };

  const pay = async (request: PaymentRequest) => {
    const dependencies = createPaymentDependencies({
      signTransaction,
      signAndSendTransaction: sendsItself ? signAndSendTransaction : null,
      pendingPayments,
    });
    const outcome = await paymentTracker.start(callerId, (controls) =>
      payCaller(request, dependencies, controls),
    );
    if (outcome === null) return;
    if (outcome.status === 'complete') onPaid(outcome.subscription);
    else handleFailure(outcome);
  };

  const findPending = () => pendingPayments.find(callerId);
  const resume = async () => {
    const pending = findPending();
    if (pending) await pay({ kind: 'resume', pending });
  };

  /** Removes a payment that, according to the user, the wallet never sent. */
  const startOver = () => {
    const pending = findPending();
    if (pending) pendingPayments.forget(pending);
    paymentTracker.clear(callerId);
    preparationControls.show({ status: 'none' });
  };

  return { payment, findPending, pay, resume, startOver };
}
