import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { JOIN_HASH, SUBSCRIBE_HASH } from '#web/lib/text/subscribe-hash.ts';

/**
 * Opens the Subscribe dialog if the address ends in `#subscribe`, as a link into a wallet's app does, or in `#join` for a
 * viewer without access. The fragment stays until the user is signed in, so that the dialog opens after they have signed in.
 * @param isSignedIn undefined while it isn't known
 * @param open null while the caller isn't loaded
 */
export function useSubscribeLink({
  isSignedIn,
  findAccess,
  open,
}: {
  readonly isSignedIn: boolean | undefined;
  readonly findAccess: () => Promise<boolean>;
  readonly open: (() => void) | null;
}): void {
  const navigate = useNavigate();
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const isLinked = hash === SUBSCRIBE_HASH || hash === JOIN_HASH;
  const isReady = isLinked && open !== null && isSignedIn !== undefined;
  const follow = useEffectEvent(async () => {
    if (isSignedIn) void navigate({ to: '.', hash: '', replace: true });
    const hasAccess = isSignedIn && hash === JOIN_HASH && (await findAccess().catch(() => false));
    if (!hasAccess) open?.();
  });
  useEffect(() => {
    if (isReady) void follow();
  }, [isReady]);
}
