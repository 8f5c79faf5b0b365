import { explainFailure } from '#web/api/api-error.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';

export interface LoadFailedProps {
  what: string;
  query: { readonly error: unknown; readonly refetch: () => Promise<unknown> };
}

export function LoadFailed({ what, query }: LoadFailedProps) {
  return (
    <EmptyState
      isError
      title={`Failed to load ${what}`}
      description={explainFailure(
        query.error,
        "The server didn't respond. Check your connection and try again.",
      )}
      action={<Button onClick={() => void query.refetch()}>Try again</Button>}
    />
  );
}
