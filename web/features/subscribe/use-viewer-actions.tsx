import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import { lazyRouteComponent } from '@tanstack/react-router';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { noResponseReason } from '#web/api/api-error.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { useSignInUrl } from '#web/lib/session/use-sign-in-url.ts';
import type { SubscribeCaller } from './subscribe-caller.ts';
import type { ViewerActions, ViewerActionsRunnerProps, ViewerRequest } from './viewer-actions.tsx';

const NONE: ViewerActions = {
  isSubscribing: false,
  isPaying: () => false,
  isUnfollowing: () => false,
};

/** Loaded once the user is known to be signed in. */
const ViewerActionsRunner = lazyRouteComponent(
  () => import('./viewer-actions.tsx').catch(() => ({ ViewerActionsRunner: NotLoaded })),
  'ViewerActionsRunner',
);

function NotLoaded({ request }: ViewerActionsRunnerProps) {
  useEffect(() => {
    if (request === null) return;
    toast({ title: "Couldn't open this", description: noResponseReason(), variant: 'destructive' });
  }, [request]);
  return null;
}

/**
 * Subscribing and unfollowing, for public pages. Asks visitors to sign in. The functions stay the same between
 * renders, for memoized lists. Render `dialogs` once.
 */
export function useViewerActions(): ViewerActions & {
  readonly subscribe: (caller: SubscribeCaller) => void;
  readonly unfollow: (caller: SubscribeCaller) => void;
  readonly dialogs: ReactNode;
} {
  const checkSignedIn = useSignedInCheck();
  const isSignedIn = Boolean(useQuery(currentUserQuery).data);
  const [actions, setActions] = useState(NONE);
  const [request, setRequest] = useState<ViewerRequest | null>(null);
  const subscribe = useCallback(
    (caller: SubscribeCaller) =>
      void checkSignedIn().then((isKnown) => isKnown && setRequest({ kind: 'subscribe', caller })),
    [checkSignedIn],
  );
  const unfollow = useCallback((caller: SubscribeCaller) => setRequest({ kind: 'unfollow', caller }), []);
  return {
    ...(isSignedIn ? actions : NONE),
    subscribe,
    unfollow,
    dialogs: isSignedIn && (
      <Suspense>
        <ViewerActionsRunner request={request} onChange={setActions} />
      </Suspense>
    ),
  };
}

/** Returns a function that resolves to true if the user is signed in. If not, a toast asks them to sign in. */
function useSignedInCheck(): () => Promise<boolean> {
  const queryClient = useQueryClient();
  const signInUrl = useSignInUrl();
  return useCallback(async () => {
    // The session may still be loading. Wait for it instead of asking a signed-in user to sign in.
    const user = await queryClient.ensureQueryData(currentUserQuery).catch(() => null);
    if (user) return true;
    toast({
      title: 'Please Sign In',
      description: 'You need to sign in to subscribe to callers.',
      variant: 'destructive',
      action: { label: 'Sign in with Twitter', href: signInUrl },
    });
    return false;
  }, [queryClient, signInUrl]);
}
