import { useCallback } from 'react';
import { isSignedOut, explainFailure } from '#web/api/api-error.ts';
import type { ToastMessage } from '#web/ui/overlays/toast-message.ts';
import { useToast } from '#web/ui/overlays/toast.tsx';

/**
 * Returns a function that shows a failure as a toast. The toast shows the server's sentence, or `fallback` if
 * there is none. If the session has ended, the toast says that nothing was saved or lost.
 */
export function useErrorToast(): (error: unknown, fallback: string) => void {
  const { toast } = useToast();
  return useCallback(
    (error, fallback) =>
      toast(
        isSignedOut(error)
          ? SIGN_IN_FIRST
          : { title: 'Error', description: explainFailure(error, fallback), variant: 'destructive' },
      ),
    [toast],
  );
}

const SIGN_IN_FIRST: ToastMessage = {
  title: 'Sign in again',
  description: 'Your session has ended, so nothing was changed. What you typed is still here.',
};
