import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { SUBSCRIBE_HASH } from '#web/lib/text/subscribe-hash.ts';

/**
 * Opens the Subscribe dialog if the address ends in `#subscribe`, as a link into a wallet's app does. The fragment
 * stays until the user is signed in, so that the dialog opens after they have signed in.
 * @param isSignedIn undefined while it isn't known
 * @param open null while the caller isn't loaded
 */
export function useSubscribeLink({
  isSignedIn,
  open,
}: {
  readonly isSignedIn: boolean | undefined;
  readonly open: (() => void) | null;
}): void {
  const navigate = useNavigate();
  const isLinked = useRouterState({ select: ({ location }) => location.hash === SUBSCRIBE_HASH });
  const isReady = isLinked && open !== null && isSignedIn !== undefined;
  const follow = useEffectEvent(() => {
    if (isSignedIn) void navigate({ to: '.', hash: '', replace: true });
    open?.();
  });
  useEffect(() => {
    if (isReady) follow();
  }, [isReady]);
}
