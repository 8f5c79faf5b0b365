import { reportFailure } from '#web/api/connection.ts';

const MESSAGE = "Couldn't load this part of SolCallers.";

/**
 * Gives failed imports of the app's code a message of their own. By the browser's message, the router would recognise a
 * missing module and reload the page, which loses everything on it and fails while offline.
 */
export function watchChunkErrors(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = MESSAGE;
    reportFailure();
  });
}

/** Whether a part of the app's code didn't load: no connection, or a file that a newer version has replaced. */
export function isChunkError(error: unknown): boolean {
  return error instanceof Error && error.message === MESSAGE;
}
