import { useLocation } from '@tanstack/react-router';
import { signInUrl } from './links.ts';

/**
 * Where one signs in and comes back from to this very page.
 * @param anchor the id of what one comes back to on it.
 */
export function useSignInUrl(anchor?: string): string {
  return useLocation({
    select: ({ pathname, searchStr }) =>
      signInUrl(`${pathname}${searchStr}${anchor === undefined ? '' : `#${anchor}`}`),
  });
}
