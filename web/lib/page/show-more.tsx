import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import { explainFailure } from '#web/api/api-error.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { focusHeading } from './focus-heading.ts';

export interface ShowMoreProps {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >;
  /** Shown if the next page didn't load and the server gave no reason. */
  failure: string;
  className?: string;
  children: string;
}

/**
 * Loads a list's next page. After the last page, the button disappears and the page's heading gets the focus.
 */
export function ShowMore({ query, failure, className = 'mt-6', children }: ShowMoreProps) {
  const ref = useRef<HTMLButtonElement>(null);
  const loadMore = async () => {
    const hadFocus = document.activeElement === ref.current;
    await query.fetchNextPage();
    setTimeout(() => {
      if (hadFocus && ref.current === null) focusHeading();
    });
  };
  if (!query.hasNextPage) return null;
  return (
    <div className={classNames('flex flex-col items-center gap-3', className)}>
      {query.isFetchNextPageError && (
        <p role="alert" className="text-center text-sm text-loss">
          {explainFailure(query.error, failure)}
        </p>
      )}
      <Button
        ref={ref}
        isPending={query.isFetchingNextPage}
        pendingText="Loading..."
        onClick={() => void loadMore()}
      >
        {children}
      </Button>
    </div>
  );
}
