import { reasonOf } from '#web/api/api-error.ts';
import { ErrorState } from '#web/ui/error-state.tsx';

export interface LoadFailedProps {
  /** Completes "Failed to load …": 'active calls'. */
  what: string;
  query: { readonly error: unknown; readonly refetch: () => Promise<unknown> };
}

/** A failed query's error: the server's reason and a button to try again. */
export function LoadFailed({ what, query }: LoadFailedProps) {
  return (
    <ErrorState
      title={`Failed to load ${what}`}
      description={reasonOf(query.error, "The server didn't answer. Check your connection and try again.")}
      onRetry={() => void query.refetch()}
    />
  );
}
