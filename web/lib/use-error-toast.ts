import { useCallback } from 'react';
import { reasonOf } from '#web/api/api-error.ts';
import { useToast } from '#web/ui/toast.tsx';

/**
 * Returns a function that shows a failure as a toast. The toast has the server's own sentence or, if there
 * is none, `fallback`.
 */
export function useErrorToast(): (error: unknown, fallback: string) => void {
  const { toast } = useToast();
  return useCallback(
    (error, fallback) =>
      toast({ title: 'Error', description: reasonOf(error, fallback), variant: 'destructive' }),
    [toast],
  );
}
