import { useLocation } from '@tanstack/react-router';
import { signInUrl } from './links.ts';

/** Where one signs in and comes back from to this very page. */
export function useSignInUrl(): string {
  return useLocation({ select: ({ pathname, searchStr }) => signInUrl(`${pathname}${searchStr}`) });
}
