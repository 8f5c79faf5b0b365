import { reportFailure } from '#web/api/connection.ts';

const MESSAGE = "Couldn't load this part of SolCallers.";

/**
 * Gives failed imports of the app's code a message of their own. With the browser's message, the router would
 * take the error for a missing module and reload the page. A reload loses everything on the page and fails
 * while offline.
 */
export function watchChunkErrors(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = MESSAGE;
    reportFailure();
  });
}

/**
 * True if a part of the app's code didn't load. Either there is no connection, or a newer version has
 * replaced the file. Browsers remember a failed import until the page is reloaded.
 */
export function isChunkError(error: unknown): boolean {
  return error instanceof Error && error.message === MESSAGE;
}
