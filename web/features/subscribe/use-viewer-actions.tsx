import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { noResponseReason } from '#web/api/api-error.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { loadToasts, useToast } from '#web/ui/toast.tsx';
import { useSignedInCheck } from './use-signed-in-check.ts';
import type { ChosenCaller } from './use-subscribe.tsx';
import type { FollowedForFree } from './use-unfollow.tsx';
import type { ViewerActions, ViewerActionsRunner, ViewerRequest } from './viewer-actions.tsx';

type Runner = typeof ViewerActionsRunner;

const NONE: ViewerActions = {
  isSubscribing: false,
  isPaying: () => false,
  isUnfollowing: () => false,
};

let loaded: Runner | null = null;

async function loadRunner(): Promise<Runner> {
  loaded ??= (await import('./viewer-actions.tsx')).ViewerActionsRunner;
  return loaded;
}

/**
 * Subscribing and unfollowing, for pages that visitors see, too. Loads the code once the user is known to be signed in;
 * asks others to sign in. Render `dialogs` once.
 */
export function useViewerActions(): ViewerActions & {
  readonly subscribe: (caller: ChosenCaller) => void;
  readonly unfollow: (caller: FollowedForFree) => void;
  readonly dialogs: ReactNode;
} {
  const { toast } = useToast();
  const checkSignedIn = useSignedInCheck();
  const { data: user } = useQuery(currentUserQuery);
  const isSignedIn = Boolean(user);
  const [Runner, setRunner] = useState<Runner | null>(() => loaded);
  const [actions, setActions] = useState(NONE);
  const [request, setRequest] = useState<ViewerRequest | null>(null);
  useEffect(() => {
    if (!isSignedIn) return;
    void loadToasts();
    loadRunner().then(
      (runner) => setRunner(() => runner),
      () => undefined,
    );
  }, [isSignedIn]);
  const run = async (wanted: ViewerRequest) => {
    try {
      const runner = await loadRunner();
      setRunner(() => runner);
      setRequest(wanted);
    } catch {
      toast({ title: "Couldn't open this", description: noResponseReason(), variant: 'destructive' });
    }
  };
  const subscribe = async (caller: ChosenCaller) => {
    if (!(await checkSignedIn())) return;
    await run({ kind: 'subscribe', caller });
  };
  return {
    ...(isSignedIn ? actions : NONE),
    subscribe: (caller) => void subscribe(caller),
    unfollow: (caller) => void run({ kind: 'unfollow', caller }),
    dialogs: isSignedIn && Runner && <Runner request={request} onChange={setActions} />,
  };
}
