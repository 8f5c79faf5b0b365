import { useLocation } from '@tanstack/react-router';
import { useIsHydrated } from '#web/ui/use-is-hydrated.ts';
import { signInUrl } from '../text/links.ts';
import { JOIN_HASH, SUBSCRIBE_HASH } from '../text/subscribe-hash.ts';

/**
 * Returns the sign-in link that returns to this page. Includes `#subscribe` and `#join`, so that the dialog opens after
 * the sign-in.
 * @param anchor id of an element on this page to return to
 */
export function useSignInUrl(anchor?: string): string {
  // The server doesn't know the URL's fragment, so wait for hydration.
  const isHydrated = useIsHydrated();
  return useLocation({
    select({ pathname, searchStr, hash }) {
      const isLinked = hash === SUBSCRIBE_HASH || hash === JOIN_HASH;
      const fragment = anchor ?? (isHydrated && isLinked ? hash : undefined);
      return signInUrl(`${pathname}${searchStr}${fragment === undefined ? '' : `#${fragment}`}`);
    },
  });
}
