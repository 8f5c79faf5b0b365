import { useSyncExternalStore } from 'react';

/* Tailwind's `md`: from here tables fit. */
const WIDE = '(width >= 48rem)';

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** Whether the window is wide enough for tables. One of two layouts is rendered, never both with one hidden. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(WIDE).matches);
}
