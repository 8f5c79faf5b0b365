import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { useToast } from '#web/ui/toast.tsx';

/** Whom one can subscribe to: what the dialog needs to know of them. */
export interface SubscribableCaller extends CallerSummary {
  readonly monthlyFee: string | null;
  readonly canBeSubscribed: boolean;
}

/* Paying brings the chain's library along: it is loaded when somebody subscribes, not before. */
const SubscribeDialog = lazy(async () => ({
  default: (await import('#web/features/subscribe/subscribe-dialog.tsx')).SubscribeDialog,
}));

/** Opens the Subscribe dialog for signed-in users and asks others to sign in. Render `dialog` once; it refreshes what a subscription changes. */
export function useSubscribe(): { subscribe: (caller: SubscribableCaller) => void; isSubscribing: boolean; dialog: ReactNode } {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const [caller, setCaller] = useState<SubscribableCaller | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const subscribe = async (chosen: SubscribableCaller) => {
    // Who clicks before it is known who they are waits for that, instead of being called a stranger.
    const user = await queryClient.ensureQueryData(currentUserQuery).catch(() => null);
    if (!user) {
      toast({ title: 'Please Sign In', description: 'You need to sign in to subscribe to callers.', variant: 'destructive' });
      return;
    }
    setCaller(chosen);
    setIsOpen(true);
  };
  const dialog = caller !== null && (
    <Suspense fallback={null}>
      <SubscribeDialog caller={caller} open={isOpen} onOpenChange={setIsOpen} />
    </Suspense>
  );
  return { subscribe: (chosen) => void subscribe(chosen), isSubscribing: isOpen, dialog };
}
