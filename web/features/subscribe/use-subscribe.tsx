import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { SUBSCRIBE_FREE_KEY } from '#web/api/subscriptions.queries.ts';
import { lazyDialog } from '#web/lib/lazy-dialog.tsx';
import { useSignInUrl } from '#web/lib/use-sign-in-url.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { SubscribeCaller } from './subscribe-caller.ts';
import { usePaymentsInProgress } from './use-payments-in-progress.ts';

/** A caller chosen from a list. If `viewer` is set, the caller was chosen on their profile. */
export interface ChosenCaller extends SubscribeCaller {
  readonly viewer?: { readonly accessEndsAt: string | null } | undefined;
}

/** Loaded on the first subscribe, because paying needs web3.js. */
const SubscribeDialog = lazyDialog(async () => (await import('./subscribe-dialog.tsx')).SubscribeDialog);

/**
 * Opens the Subscribe dialog for signed-in users and asks others to sign in. Render `dialog` once.
 * - `isSubscribing`: a free subscription to the chosen caller is being made.
 * - `isPaying`: tells whether a payment to a caller is in progress. The dialog of this caller shows the
 * payment.
 * - `payingIds`: the callers with a signed payment that hasn't ended.
 */
export function useSubscribe() {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const signInUrl = useSignInUrl();
  const [caller, setCaller] = useState<ChosenCaller | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const { isPaying, payingIds } = usePaymentsInProgress();
  const isSubscribing =
    useIsMutating({
      mutationKey: SUBSCRIBE_FREE_KEY,
      predicate: ({ state }) => caller !== null && state.variables === caller.id,
    }) > 0;
  const subscribe = async (chosen: ChosenCaller) => {
    // The session is still loading. Wait for it instead of asking a signed-in user to sign in.
    const user = await queryClient.ensureQueryData(currentUserQuery).catch(() => null);
    if (!user) {
      toast({
        title: 'Please Sign In',
        description: 'You need to sign in to subscribe to callers.',
        variant: 'destructive',
        action: { label: 'Sign in with Twitter', href: signInUrl },
      });
      return;
    }
    setCaller({ ...chosen, accessEndsAt: chosen.accessEndsAt ?? chosen.viewer?.accessEndsAt ?? null });
    setIsOpen(true);
  };
  const dialog = caller !== null && (
    <SubscribeDialog caller={caller} open={isOpen} onOpenChange={setIsOpen} />
  );
  return {
    subscribe: (chosen: ChosenCaller) => void subscribe(chosen),
    isSubscribing,
    isPaying,
    payingIds,
    dialog,
  };
}
