import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { subscribeFreeMutation, subscriptionsChanged } from '#web/api/subscriptions.queries.ts';
import { fullName } from '#schema/rules/person-name.ts';
import { useConnectWallet } from '#web/lib/wallets/use-connect-wallet.ts';
import { useWallet } from '#web/lib/wallets/wallet-provider.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { createPaymentDependencies } from './payment-dependencies.ts';
import { paymentTracker } from './payment-tracker.ts';
import type { OpenedIntent } from './payment-terms.ts';
import { createPendingPayments } from './pending-payments.ts';
import type {
  PaymentFailure,
  PaymentProgress,
  PaymentReceipt,
  PaymentRequest,
  SignedPayment,
} from './payment-types.ts';
import { payCaller } from './pay-caller.ts';
import type { SubscribeCaller } from './subscribe-caller.ts';
import { type Preparation, usePreparation } from './use-preparation.ts';

/** Where the dialog is. */
export type SubscribeView =
  | { readonly step: 'connect' }
  | { readonly step: 'preparing' }
  | {
      readonly step: 'confirm';
      readonly opened: OpenedIntent | null;
      readonly isRefreshing: boolean;
      readonly problem: string | null;
      readonly note: string | null;
    }
  | { readonly step: 'unfinished'; readonly pending: SignedPayment; readonly failure: PaymentFailure | null }
  | {
      readonly step: 'elsewhere';
      readonly reason: string;
      readonly isLooking: boolean;
      readonly news: string | null;
    }
  | { readonly step: 'paying'; readonly progress: PaymentProgress }
  | {
      readonly step: 'complete';
      readonly subscription: Subscription;
      readonly receipt: PaymentReceipt | null;
    };

export type SubscribeFlow = ReturnType<typeof useSubscribeFlow>;

export interface SubscribeFlowInput {
  readonly caller: SubscribeCaller;
  readonly userId: string;
  readonly onSubscribed?: ((subscription: Subscription) => void) | undefined;
}

/**
 * The subscribe dialog's steps and what moves between them. It starts at 'connect' each time it is
 * mounted, unless a payment to this caller is on its way or unfinished.
 */
export function useSubscribeFlow({ caller, userId, onSubscribed }: SubscribeFlowInput) {
  const { address, signTransaction } = useWallet();
  const connectWallet = useConnectWallet();
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const freeSubscription = useMutation(subscribeFreeMutation(queryClient));
  const pendingPayments = useMemo(
    () => createPendingPayments({ userId, storage: pageStorage, memory: pageMemory, now: Date.now }),
    [userId],
  );
  const run = useSyncExternalStore(paymentTracker.subscribe, () => paymentTracker.find(caller.id));
  useEffect(() => () => paymentTracker.clear(caller.id), [caller.id]);

  const announce = (title: string, description: string, subscription: Subscription) => {
    toast({ title, description });
    void subscriptionsChanged(queryClient);
    onSubscribed?.(subscription);
  };
  const announcePaid = (subscription: Subscription) =>
    announce(
      'Subscription Successful!',
      `You now see the active calls of ${fullName(caller)}.`,
      subscription,
    );
  const { preparation, prepare, lookAgain, show } = usePreparation({ caller, onArrived: announcePaid });

  const failure = run?.status === 'ended' && run.outcome.status === 'failed' ? run.outcome : null;
  const view = ((): SubscribeView => {
    if (freeSubscription.data) {
      return { step: 'complete', subscription: freeSubscription.data, receipt: null };
    }
    if (run?.status === 'running') return { step: 'paying', progress: run.progress };
    if (run?.status === 'ended' && run.outcome.status === 'complete') {
      return {
        step: 'complete',
        subscription: run.outcome.receipt.subscription,
        receipt: run.outcome.receipt,
      };
    }
    if (preparation.is === 'arrived') {
      return { step: 'complete', subscription: preparation.subscription, receipt: null };
    }
    const pending = pendingPayments.find(caller.id);
    if (pending) return { step: 'unfinished', pending, failure };
    if (preparation.is === 'elsewhere') {
      return {
        step: 'elsewhere',
        reason: preparation.elsewhere.reason,
        isLooking: preparation.isLooking,
        news: preparation.news,
      };
    }
    if (preparation.is === 'preparing') return { step: 'preparing' };
    if (preparation.is === 'none' && !failure) return { step: 'connect' };
    return confirmView(preparation, failure);
  })();

  const pay = async (request: PaymentRequest) => {
    const dependencies = createPaymentDependencies({ signTransaction, pendingPayments });
    const outcome = await paymentTracker.start(caller.id, (watch) => payCaller(request, dependencies, watch));
    if (outcome === null) return;
    if (outcome.status === 'complete') return announcePaid(outcome.receipt.subscription);
    const { opened, elsewhere, title, reason } = outcome;
    // The dialog tells the reason; who has closed it reads it here.
    const isShown = paymentTracker.find(caller.id) !== null;
    const isOver = !elsewhere && title !== 'Payment not confirmed yet';
    toast({
      title: elsewhere ? 'Payment on its way' : title,
      description: isShown ? undefined : reason,
      variant: isOver ? 'destructive' : 'default',
    });
    if (elsewhere) void subscriptionsChanged(queryClient);
    const payer = request.kind === 'new' ? request.shown.payer : address;
    if (elsewhere && payer !== null) {
      paymentTracker.clear(caller.id);
      await lookAgain({ elsewhere, payer });
    } else if (opened) show({ is: 'ready', opened, isRefreshing: false, note: null });
    else if (opened === null) show({ is: 'unprepared', problem: null });
  };

  const resume = async () => {
    const pending = pendingPayments.find(caller.id);
    if (pending) await pay({ kind: 'resume', pending });
  };

  const prepareFrom = async (payer: string) => {
    paymentTracker.clear(caller.id);
    await prepare(payer);
  };

  return {
    view,
    isSubscribingFree: freeSubscription.isPending,

    /** Connects a wallet and goes on to 'confirm'. */
    async connect(walletId: string) {
      const connected = await connectWallet(walletId);
      if (connected !== null) await prepareFrom(connected);
    },

    /** Goes on to 'confirm' with the connected wallet, or asks anew there. */
    async prepare() {
      if (address !== null) await prepareFrom(address);
    },

    /** Pays on the terms on screen; what another tab has signed meanwhile goes on instead. */
    async confirm() {
      if (pendingPayments.find(caller.id)) await resume();
      else if (preparation.is === 'ready' && address === preparation.opened.payer) {
        await pay({ kind: 'new', callerId: caller.id, shown: preparation.opened });
      }
    },

    /** Goes on with the payment that was signed before. */
    resume,

    /** Looks what became of a payment that is on its way from elsewhere. */
    async lookAgain() {
      if (preparation.is === 'elsewhere') await lookAgain(preparation);
    },

    /** Waits for the wallet no longer. */
    stopWaiting: () => paymentTracker.stopWaiting(caller.id),

    async subscribeFree() {
      try {
        announce(
          'Free Subscription Activated!',
          `The calls of ${fullName(caller)} stand on your dashboard.`,
          await freeSubscription.mutateAsync(caller.id),
        );
      } catch (error) {
        toast({
          title: 'Subscription Failed',
          description: reasonOf(error, 'Failed to create free subscription.'),
          variant: 'destructive',
        });
      }
    },

    /** Back to the choice of a wallet. */
    chooseWallet() {
      paymentTracker.clear(caller.id);
      show({ is: 'none' });
    },
  };
}

function confirmView(preparation: Preparation, failure: PaymentFailure | null): SubscribeView {
  const problem = (preparation.is === 'unprepared' ? preparation.problem : null) ?? failure?.reason ?? null;
  if (preparation.is !== 'ready') {
    return { step: 'confirm', opened: null, isRefreshing: false, problem, note: null };
  }
  const { opened, isRefreshing, note } = preparation;
  return { step: 'confirm', opened, isRefreshing, problem, note };
}

/** `localStorage`, looked up at each use because looking it up can throw. */
const pageStorage = {
  getItem: (key: string) => window.localStorage.getItem(key),
  setItem: (key: string, value: string) => window.localStorage.setItem(key, value),
  removeItem: (key: string) => window.localStorage.removeItem(key),
};

/** What that storage refuses. */
const pageMemory = new Map<string, SignedPayment>();
