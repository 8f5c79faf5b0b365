import { useSyncExternalStore } from 'react';

/** The same breakpoint as Tailwind's `md`. */
const WIDE = '(width >= 48rem)';

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** True if the window is wide now. Call it only in the browser. */
export const isWideNow = () => window.matchMedia(WIDE).matches;

/**
 * True if the window is wide enough for tables. On the server it's always true, so use `ResponsiveSwitch` in
 * pages that the server renders.
 */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, isWideNow, () => true);
}
