import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, useEffect, useEffectEvent, useReducer } from 'react';
import { POLL_MS } from '#schema/constants/web.ts';
import { SUBSCRIBE_FREE_KEY, subscriptionsChanged } from '#web/api/subscriptions.mutations.ts';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { mySubscriptionsQuery } from '#web/api/subscriptions.queries.ts';
import type { SubscribeCaller } from './subscribe-caller.ts';
import { pendingPaymentsOf, isPeriodOf } from './payment/pending-payments.ts';
import { paymentTracker } from './payment/payment-tracker.ts';

/** Loaded on the first subscribe, because paying needs web3.js. */
const SubscribeDialog = lazyDialog(async () => (await import('./subscribe-dialog.tsx')).SubscribeDialog);

/**
 * Opens the Subscribe dialog for a signed-in user. Render `dialog` once.
 * - `isSubscribing`: a free subscription to the chosen caller is being made.
 * - `isPaying`: tells whether a payment to a caller is in progress. The dialog of this caller shows the
 * payment.
 * - `payingIds`: the callers with a signed payment that hasn't ended.
 */
export function useSubscribe() {
  const [caller, setCaller] = useState<SubscribeCaller | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const { isPaying, payingIds } = usePaymentsInProgress();
  const isSubscribing =
    useIsMutating({
      mutationKey: SUBSCRIBE_FREE_KEY,
      predicate: ({ state }) => caller !== null && state.variables === caller.id,
    }) > 0;
  const subscribe = (chosen: SubscribeCaller) => {
    setCaller(chosen);
    setIsOpen(true);
  };
  const dialog = caller !== null && (
    <SubscribeDialog caller={caller} open={isOpen} onOpenChange={setIsOpen} />
  );
  return { subscribe, isSubscribing, isPaying, payingIds, dialog };
}

interface PaymentsInProgress {
  readonly isPaying: (callerId: string) => boolean;
  readonly payingIds: readonly string[];
}

/** The user's payments that haven't ended. One is done once the server lists its period. */
function usePaymentsInProgress(): PaymentsInProgress {
  const { data: user } = useQuery(currentUserQuery);
  const queryClient = useQueryClient();
  const [, update] = useReducer((count: number) => count + 1, 0);
  const store = user ? pendingPaymentsOf(user.id) : null;
  const signed = store?.list() ?? [];
  const { data: subscriptions } = useQuery({
    ...mySubscriptionsQuery,
    enabled: signed.length > 0,
    refetchInterval: POLL_MS.activeCalls,
  });
  const credited = signed.filter(
    (pending) =>
      // An open dialog finishes its payment itself.
      !paymentTracker.isShown(pending.callerId) &&
      subscriptions?.some((subscription) => isPeriodOf(pending, subscription)),
  );
  useEffect(() => {
    const stop = paymentTracker.subscribe(update);
    // Another tab may sign or finish a payment.
    window.addEventListener('storage', update);
    return () => {
      stop();
      window.removeEventListener('storage', update);
    };
  }, []);
  const finish = useEffectEvent(() => {
    for (const pending of credited) store?.forget(pending);
    update();
    void subscriptionsChanged(queryClient);
  });
  const hasCredited = credited.length > 0;
  useEffect(() => {
    if (hasCredited) finish();
  }, [hasCredited]);
  const unfinished = new Set(
    signed.filter((pending) => !credited.includes(pending)).map(({ callerId }) => callerId),
  );
  return {
    isPaying: (callerId) =>
      unfinished.has(callerId) || (user != null && paymentTracker.find(callerId)?.status === 'running'),
    payingIds: [...unfinished],
  };
}
