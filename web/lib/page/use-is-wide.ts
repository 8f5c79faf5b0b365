import { useSyncExternalStore } from 'react';

/** The same breakpoint as Tailwind's `md`. */
const WIDE = '(width >= 48rem)';

/** True if the window is as wide as this media query says. On the server it's always true. */
export function useIsWide(query = WIDE): boolean {
  const subscribe = (listener: () => void) => {
    const media = window.matchMedia(query);
    media.addEventListener('change', listener);
    return () => media.removeEventListener('change', listener);
  };
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => true,
  );
}
