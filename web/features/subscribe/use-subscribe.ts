import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { openIntent } from '#web/api/payments.queries.ts';
import { subscribeFreeMutation, subscriptionsChanged } from '#web/api/subscriptions.queries.ts';
import { fullName } from '#web/lib/person.ts';
import { useConnectWallet } from '#web/lib/wallets/use-connect-wallet.ts';
import { useWallet } from '#web/lib/wallets/wallet-provider.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { createPaymentDependencies } from './payment-dependencies.ts';
import { pagePaymentRuns } from './payment-runs.ts';
import type { OpenedIntent } from './payment-terms.ts';
import { createPendingPayments } from './pending-payments.ts';
import { type PaymentReceipt, type PaymentRequest, type PaymentStep, runPayment, type SignedPayment } from './run-payment.ts';
import type { SubscribeCaller } from './subscribe-caller.ts';

/** Where the dialog is. */
export type SubscribeView =
  | { readonly step: 'connect' }
  | { readonly step: 'confirm'; readonly opened: OpenedIntent | null; readonly isPreparing: boolean; readonly problem: string | null; readonly pending: SignedPayment | null; readonly isPaidElsewhere: boolean }
  | { readonly step: 'paying'; readonly payment: PaymentStep }
  | { readonly step: 'complete'; readonly subscription: Subscription; readonly receipt: PaymentReceipt | null };

export type SubscribeFlow = ReturnType<typeof useSubscribe>;

export interface UseSubscribeInput {
  readonly caller: SubscribeCaller;
  readonly userId: string;
  readonly onSubscribed?: ((subscription: Subscription) => void) | undefined;
}

/**
 * The subscribe dialog's steps and what moves between them. It starts at 'connect' each time it is
 * mounted, unless a payment to this caller is on its way already.
 */
export function useSubscribe({ caller, userId, onSubscribed }: UseSubscribeInput) {
  const { address, signTransaction } = useWallet();
  const connectWallet = useConnectWallet();
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const freeSubscription = useMutation(subscribeFreeMutation(queryClient));
  const pendingPayments = useMemo(() => createPendingPayments({ userId, storage: pageStorage, now: Date.now }), [userId]);
  const run = useSyncExternalStore(pagePaymentRuns.subscribe, () => pagePaymentRuns.find(caller.id));
  const [hasConfirmed, setHasConfirmed] = useState(false);
  const [opened, setOpened] = useState<OpenedIntent | null>(null);
  const [openProblem, setOpenProblem] = useState<string | null>(null);
  const [isPreparing, setIsPreparing] = useState(false);
  useEffect(() => () => pagePaymentRuns.clear(caller.id), [caller.id]);
  /** The preparation that counts: an earlier one's answer comes too late. */
  const preparation = useRef(0);

  const failure = run?.status === 'ended' && run.outcome.status === 'failed' ? run.outcome : null;
  const view = ((): SubscribeView => {
    if (freeSubscription.data) return { step: 'complete', subscription: freeSubscription.data, receipt: null };
    if (run?.status === 'running') return { step: 'paying', payment: run.step };
    if (run?.status === 'ended' && run.outcome.status === 'complete') {
      const { receipt } = run.outcome;
      return { step: 'complete', subscription: receipt.subscription, receipt };
    }
    if (!hasConfirmed && !failure) return { step: 'connect' };
    return { step: 'confirm', opened, isPreparing, problem: openProblem ?? failure?.reason ?? null, pending: pendingPayments.find(caller.id), isPaidElsewhere: failure?.isPaidElsewhere ?? false };
  })();

  const announce = (title: string, description: string, subscription: Subscription) => {
    toast({ title, description });
    void subscriptionsChanged(queryClient);
    onSubscribed?.(subscription);
  };

  const pay = async (request: PaymentRequest) => {
    const dependencies = createPaymentDependencies({ signTransaction, pendingPayments });
    const outcome = await pagePaymentRuns.start(caller.id, (onStep) => runPayment(request, dependencies, onStep));
    if (outcome === null) return;
    if (outcome.status === 'complete') return announce('Subscription Successful!', `You now see the active calls of ${fullName(caller)}.`, outcome.receipt.subscription);
    if (outcome.opened !== undefined) setOpened(outcome.opened);
    if (outcome.isPaidElsewhere) void subscriptionsChanged(queryClient);
    // The dialog tells the reason; who has closed it reads it here.
    const isShown = pagePaymentRuns.find(caller.id) !== null;
    toast({ title: outcome.title, description: isShown ? undefined : outcome.reason, variant: 'destructive' });
  };

  /** Opens the intent, so that what is confirmed are its exact terms. */
  const prepare = async (payer: string) => {
    const current = ++preparation.current;
    pagePaymentRuns.clear(caller.id);
    setHasConfirmed(true);
    setOpenProblem(null);
    setIsPreparing(true);
    try {
      const openedAt = Date.now();
      const answer = await openIntent({ callerId: caller.id, payerAddress: payer });
      if (current === preparation.current) setOpened({ answer, payer, openedAt });
    } catch (error) {
      if (current !== preparation.current) return;
      setOpened(null);
      setOpenProblem(reasonOf(error, 'The payment could not be prepared. Nothing was paid.'));
    } finally {
      if (current === preparation.current) setIsPreparing(false);
    }
  };

  return {
    view,
    isSubscribingFree: freeSubscription.isPending,
    pendingPayment: pendingPayments.find(caller.id),

    /** Connects a wallet and goes on to 'confirm'. */
    async connect(walletId: string) {
      const connected = await connectWallet(walletId);
      if (connected !== null) await prepare(connected);
    },

    /** Goes on to 'confirm' with the connected wallet, or asks anew there. */
    async prepare() {
      if (address !== null) await prepare(address);
    },

    /** Pays on the terms on screen; what another tab has signed meanwhile goes on instead. */
    async confirm() {
      const pending = pendingPayments.find(caller.id);
      if (pending) await pay({ kind: 'resume', pending });
      else if (opened && address === opened.payer) await pay({ kind: 'new', callerId: caller.id, shown: opened });
    },

    /** Goes on with the payment that was signed before. */
    async resume() {
      const pending = pendingPayments.find(caller.id);
      if (pending) await pay({ kind: 'resume', pending });
    },

    async subscribeFree() {
      try {
        announce('Free Subscription Activated!', `The calls of ${fullName(caller)} stand on your dashboard.`, await freeSubscription.mutateAsync(caller.id));
      } catch (error) {
        toast({ title: 'Subscription Failed', description: reasonOf(error, 'Failed to create free subscription.'), variant: 'destructive' });
      }
    },

    /** Back to the choice of a wallet. */
    chooseWallet() {
      preparation.current += 1;
      pagePaymentRuns.clear(caller.id);
      setIsPreparing(false);
      setHasConfirmed(false);
      setOpened(null);
      setOpenProblem(null);
    },
  };
}

/** `localStorage`, looked up at each use because looking it up can throw. */
const pageStorage = {
  getItem: (key: string) => window.localStorage.getItem(key),
  setItem: (key: string, value: string) => window.localStorage.setItem(key, value),
  removeItem: (key: string) => window.localStorage.removeItem(key),
};
