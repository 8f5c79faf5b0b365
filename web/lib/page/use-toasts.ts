import { useCallback } from 'react';
import { isSignedOut, explainFailure } from '#web/api/api-error.ts';
import type { ToastMessage } from '#web/ui/overlays/toast-message.ts';
import { useToast } from '#web/ui/overlays/toast.tsx';

/**
 * Shows toasts. `showError` shows the server's sentence about a failure, or `fallback` if there is none. If the session
 * has ended, it says that nothing was saved or lost.
 */
export function useToasts() {
  const { toast } = useToast();
  const showError = useCallback(
    (error: unknown, fallback: string) =>
      toast(
        isSignedOut(error)
          ? SIGN_IN_FIRST
          : { title: 'Error', description: explainFailure(error, fallback), variant: 'destructive' },
      ),
    [toast],
  );
  return { toast, showError };
}

const SIGN_IN_FIRST: ToastMessage = {
  title: 'Sign in again',
  description: 'Your session has ended, so nothing was changed. What you typed is still here.',
};
