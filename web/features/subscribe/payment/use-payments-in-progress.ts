import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useReducer } from 'react';
import { POLL_MS } from '#schema/constants.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { mySubscriptionsQuery } from '#web/api/subscriptions.queries.ts';
import { subscriptionsChanged } from '#web/api/subscriptions.mutations.ts';
import { pendingPaymentsOf } from './browser-pending-payments.ts';
import { paymentTracker } from './payment-tracker.ts';
import { isPeriodOf } from './pending-payments.ts';

export interface PaymentsInProgress {
  /** True if a payment to this caller is running on this page, or was signed in this browser and hasn't ended. */
  readonly isPaying: (callerId: string) => boolean;
  /** Callers with a signed payment that hasn't ended. */
  readonly payingIds: readonly string[];
}

/** The user's payments that haven't ended. One is done once the server lists its period. */
export function usePaymentsInProgress(): PaymentsInProgress {
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
    const stop = paymentTracker.observe(update);
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
