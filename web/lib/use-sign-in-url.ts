import { useLocation } from '@tanstack/react-router';
import { signInUrl } from './links.ts';

/**
 * The sign-in link that returns to this page.
 * @param anchor id of an element on this page to return to
 */
export function useSignInUrl(anchor?: string): string {
  return useLocation({
    select: ({ pathname, searchStr }) =>
      signInUrl(`${pathname}${searchStr}${anchor === undefined ? '' : `#${anchor}`}`),
  });
}
