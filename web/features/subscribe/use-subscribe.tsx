import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState, useSyncExternalStore, type ReactNode } from 'react';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { SUBSCRIBE_FREE_KEY } from '#web/api/subscriptions.queries.ts';
import { paymentTracker } from './payment-tracker.ts';
import { useSignInUrl } from '#web/lib/use-sign-in-url.ts';
import { useToast } from '#web/ui/toast.tsx';

/** Whom one can subscribe to: what the dialog needs to know of them. */
export interface SubscribableCaller extends CallerSummary {
  readonly monthlyFee: string | null;
  readonly canBeSubscribed: boolean;
  /** Until when the viewer has access (ISO 8601), as a subscription tells it ... */
  readonly accessEndsAt?: string | null | undefined;
  /** ... or a profile. */
  readonly viewer?: { readonly accessEndsAt: string | null } | undefined;
}

/* Paying brings the chain's library along: it is loaded when somebody subscribes, not before. */
const SubscribeDialog = lazy(async () => ({
  default: (await import('./subscribe-dialog.tsx')).SubscribeDialog,
}));

/** Opens the Subscribe dialog for signed-in users and asks others to sign in. Render `dialog` once; it refreshes what a subscription changes. `isSubscribing` while a payment, or a free follow, of that caller runs. */
export function useSubscribe(): {
  subscribe: (caller: SubscribableCaller) => void;
  isSubscribing: boolean;
  dialog: ReactNode;
} {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const signInUrl = useSignInUrl();
  const [caller, setCaller] = useState<SubscribableCaller | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const isPaying = useSyncExternalStore(
    paymentTracker.observe,
    () => caller !== null && paymentTracker.find(caller.id)?.status === 'running',
  );
  const isFollowing =
    useIsMutating({
      mutationKey: SUBSCRIBE_FREE_KEY,
      predicate: ({ state }) => caller !== null && state.variables === caller.id,
    }) > 0;
  const subscribe = async (chosen: SubscribableCaller) => {
    // Who clicks before it is known who they are waits for that, instead of being called a stranger.
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
    <Suspense fallback={null}>
      <SubscribeDialog caller={caller} open={isOpen} onOpenChange={setIsOpen} />
    </Suspense>
  );
  return { subscribe: (chosen) => void subscribe(chosen), isSubscribing: isPaying || isFollowing, dialog };
}
