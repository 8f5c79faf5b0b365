import { SECOND_MS } from '#schema/constants.ts';

/** Longer than hydration takes on a slow phone. */
const TIMEOUT_MS = 5 * SECOND_MS;

let finish: () => void = () => undefined;

/**
 * Resolves when React has hydrated the page. Until then, no query may change: React hydrates the page after the layout
 * around it, and then expects what the server rendered.
 */
export function startPageHydration(): Promise<void> {
  return new Promise((resolve) => {
    finish = resolve;
    setTimeout(resolve, TIMEOUT_MS);
  });
}

export function finishPageHydration(): void {
  finish();
}
