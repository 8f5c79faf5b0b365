import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { LengthOffer } from '#schema/contracts/payments.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { explainFailure } from '#web/api/api-error.ts';
import { ownPeriodsQuery } from '#web/api/payments.queries.ts';
import { subscribeFreeMutation, subscriptionsChanged } from '#web/api/subscriptions.mutations.ts';
import { useConnectWallet, useWallet } from '#web/lib/wallets/use-wallet.ts';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { lastPaymentIn, withLength } from './payment/payment-terms.ts';
import { paymentTracker } from './payment/payment-tracker.ts';
import { pendingPaymentsOf } from './payment/pending-payments.ts';
import type { SubscribeCaller } from './subscribe-caller.ts';
import { currentView, type SubscribeView } from './subscribe-view.ts';
import { usePayment } from './payment/use-payment.ts';
import { usePreparation } from './payment/use-preparation.ts';

export type SubscribeFlow = ReturnType<typeof useSubscribeFlow>;

export interface StepProps<Step extends SubscribeView['step']> {
  view: Extract<SubscribeView, { step: Step }>;
  flow: SubscribeFlow;
}

export interface SubscribeFlowInput {
  readonly caller: SubscribeCaller;
  readonly userId: string;
}

/** The steps of the subscribe dialog. Starts at 'connect' unless a payment is running or unfinished. */
export function useSubscribeFlow({ caller, userId }: SubscribeFlowInput) {
  const { address } = useWallet();
  const connectWallet = useConnectWallet();
  const queryClient = useQueryClient();
  const freeSubscription = useMutation(subscribeFreeMutation);
  const navigate = useNavigate();
  const [isToStart, setIsToStart] = useState(false);
  const name = fullName(caller);

  const announce = (title: string, description: string, subscription: Subscription) => {
    // An open dialog has its own link to the receipt.
    const signature = paymentTracker.isShown(caller.id) ? undefined : subscription.payment?.transactionId;
    const action = signature && {
      label: 'View receipt',
      onClick: () => void navigate({ to: '/payments/$signature', params: { signature } }),
    };
    toast({ title, description, ...(action && { action }) });
    void subscriptionsChanged(queryClient);
  };
  const announcePaid = (subscription: Subscription) =>
    announce('Subscription Successful!', `You can now see ${name}'s active calls.`, subscription);

  const pendingPayments = useMemo(() => pendingPaymentsOf(userId), [userId]);
  const preparationControls = usePreparation(caller, pendingPayments);
  const { preparation, prepare, show } = preparationControls;
  const { payment, findPending, pay, resume, startOver } = usePayment({
    callerId: caller.id,
    pendingPayments,
    preparationControls,
    onPaid: announcePaid,
  });
  const view = currentView({ freeSubscription: freeSubscription.data, payment, preparation, findPending });
  const choosesWallet = view.step === 'connect' && !isFreeCaller(caller) && caller.canBeSubscribed;
  const { data: periods = null } = useQuery({ ...ownPeriodsQuery(caller.id), enabled: choosesWallet });
  const prepareFrom = async (payer: string) => {
    paymentTracker.clear(caller.id);
    await prepare(payer);
  };

  return {
    view,
    /** The wallet of the user's last payment to the caller. */
    lastPayer: lastPaymentIn(periods)?.payerAddress,
    isSubscribingFree: freeSubscription.isPending,
    /** The user asks that access begins at once. */
    isToStart,
    setIsToStart,
    resume,
    startOver,
    stopWaiting: () => paymentTracker.stopWaiting(caller.id),

    async connect(walletId: string) {
      const connected = await connectWallet(walletId);
      if (connected !== null) await prepareFrom(connected);
    },

    async prepare() {
      if (address !== null) await prepareFrom(address);
    },

    chooseLength(offer: LengthOffer) {
      if (preparation.status !== 'ready') return;
      paymentTracker.clear(caller.id);
      show({ ...preparation, opened: withLength(preparation.opened, offer) });
    },

    /** Pays on the shown terms. If another tab has signed a payment meanwhile, resumes that payment. */
    async confirm() {
      if (findPending()) await resume();
      else if (preparation.status === 'ready' && address === preparation.opened.payer) {
        await pay({ kind: 'new', callerId: caller.id, shown: preparation.opened });
      }
    },

    async subscribeFree() {
      try {
        const subscription = await freeSubscription.mutateAsync(caller.id);
        announce('Free Subscription Activated!', `${name}'s calls are on your dashboard.`, subscription);
      } catch (error) {
        toast({
          title: 'Subscription Failed',
          description: explainFailure(error, 'Failed to create free subscription.'),
          variant: 'destructive',
        });
      }
    },

    chooseWallet() {
      paymentTracker.clear(caller.id);
      show({ status: 'none' });
    },
  };
}
