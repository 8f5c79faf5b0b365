import { isSignedOut, explainFailure } from '#web/api/api-error.ts';
import { toast, type ToastMessage } from '#web/ui/overlays/toast-queue.ts';

/**
 * Shows the server's sentence about a failure as a toast, or `fallback` if there is none. If the session has ended, the
 * toast says that nothing was saved or lost.
 */
export function showError(error: unknown, fallback: string): void {
  toast(
    isSignedOut(error)
      ? SIGN_IN_FIRST
      : { title: 'Error', description: explainFailure(error, fallback), variant: 'destructive' },
  );
}

const SIGN_IN_FIRST: ToastMessage = {
  title: 'Sign in again',
  description: 'Your session has ended, so nothing was changed. What you typed is still here.',
};
