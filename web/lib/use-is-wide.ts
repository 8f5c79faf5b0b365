import { useSyncExternalStore } from 'react';

/** The same breakpoint as Tailwind's `md`. */
const WIDE = '(width >= 48rem)';

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/**
 * Whether the window is wide enough for tables. Render only the layout that fits instead of hiding the
 * other one.
 */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(WIDE).matches);
}
