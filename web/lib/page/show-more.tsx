import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { explainFailure } from '#web/api/api-error.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { classNames } from '#web/ui/class-names.ts';

export interface ShowMoreProps {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >;
  failure: string;
  className?: string;
  children: string;
}

/** Loads a list's next page. After the last page, the button disappears, and `useFocusRescue` moves the focus. */
export function ShowMore({ query, failure, className = 'mt-6', children }: ShowMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className={classNames('flex flex-col items-center gap-3', className)}>
      {query.isFetchNextPageError && (
        <p role="alert" className="text-center text-sm text-loss">
          {explainFailure(query.error, failure)}
        </p>
      )}
      <Button
        isPending={query.isFetchingNextPage}
        pendingText="Loading..."
        onClick={() => void query.fetchNextPage()}
      >
        {children}
      </Button>
    </div>
  );
}
