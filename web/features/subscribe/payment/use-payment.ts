import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { subscriptionsChanged } from '#web/api/subscriptions.mutations.ts';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { pendingPaymentsOf } from './pending-payments.ts';
import { payCaller } from './pay-caller.ts';
import { createPaymentDependencies } from './payment-dependencies.ts';
import { paymentTracker } from './payment-tracker.ts';
import type { PaymentFailure, PaymentRequest } from './payment-types.ts';
import type { PreparationControls } from './use-preparation.ts';

export interface UsePaymentInput {
  readonly callerId: string;
  readonly userId: string;
  readonly preparationControls: PreparationControls;
  readonly onPaid: (subscription: Subscription) => void;
}

export function usePayment({ callerId, userId, preparationControls, onPaid }: UsePaymentInput) {
  const { address, signTransaction, signAndSendTransaction, sendsItself } = useWallet();
  const queryClient = useQueryClient();
  const pendingPayments = useMemo(() => pendingPaymentsOf(userId), [userId]);
  const watch = useCallback(
    (listener: () => void) => paymentTracker.subscribe(callerId, listener),
    [callerId],
  );
  const payment = useSyncExternalStore(watch, () => paymentTracker.find(callerId));
  useEffect(() => () => paymentTracker.clear(callerId), [callerId]);

  const handleFailure = async (failure: PaymentFailure, payer: string | null) => {
    const { opened, otherPayment, title, reason } = failure;
    // An open dialog shows the reason itself.
    const isDialogOpen = paymentTracker.isShown(callerId);
    const isFinal = !otherPayment && (title === 'Payment failed' || title === 'Subscription failed');
    toast({
      title: otherPayment ? 'Payment in progress' : title,
      description: isDialogOpen ? undefined : reason,
      variant: isFinal ? 'destructive' : 'default',
    });
    if (otherPayment) void subscriptionsChanged(queryClient);
    if (otherPayment && payer !== null) {
      paymentTracker.clear(callerId);
      await preparationControls.checkOtherPayment({ otherPayment, payer });
    } else if (opened) preparationControls.show({ status: 'ready', opened, isRefreshing: false, note: null });
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
    else await handleFailure(outcome, request.kind === 'new' ? request.shown.payer : address);
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
