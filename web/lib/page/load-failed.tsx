import { explainFailure } from '#web/api/api-error.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { ErrorState } from '#web/ui/lists/error-state.tsx';

export interface LoadFailedProps {
  /** The noun in "Failed to load …", such as 'active calls'. */
  what: string;
  query: { readonly error: unknown; readonly refetch: () => Promise<unknown> };
}

/** Shows why a query failed, with the server's reason and a button to try again. */
export function LoadFailed({ what, query }: LoadFailedProps) {
  return (
    <ErrorState
      title={`Failed to load ${what}`}
      description={explainFailure(
        query.error,
        "The server didn't answer. Check your connection and try again.",
      )}
      onRetry={() => void query.refetch()}
    />
  );
}

interface LoadFailedLineProps extends Pick<LoadFailedProps, 'what'> {
  onRetry: () => Promise<unknown>;
  className?: string;
}

/** The same as `LoadFailed`, but on one line and without the reason. */
export function LoadFailedLine({ what, onRetry, className }: LoadFailedLineProps) {
  const layout = 'flex flex-wrap items-center justify-between gap-x-3 text-sm text-text-muted';
  return (
    <p role="alert" className={classNames(layout, className)}>
      {`Failed to load ${what}.`}
      <Button size="sm" onClick={() => void onRetry()}>
        Try again
      </Button>
    </p>
  );
}
