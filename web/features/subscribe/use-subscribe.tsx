import { useIsMutating } from '@tanstack/react-query';
import { useState } from 'react';
import { SUBSCRIBE_FREE_KEY } from '#web/api/subscriptions.mutations.ts';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import type { SubscribeCaller } from './subscribe-caller.ts';
import { usePaymentsInProgress } from './payment/use-payments-in-progress.ts';

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
