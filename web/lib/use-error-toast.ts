import { useCallback } from 'react';
import { reasonOf } from '#web/api/api-error.ts';
import { useToast } from '#web/ui/toast.tsx';

/**
 * Returns a function that shows a failure as a toast: the server's own sentence, or `fallback` if there is
 * none.
 */
export function useErrorToast(): (error: unknown, fallback: string) => void {
  const { toast } = useToast();
  return useCallback(
    (error, fallback) =>
      toast({ title: 'Error', description: reasonOf(error, fallback), variant: 'destructive' }),
    [toast],
  );
}
