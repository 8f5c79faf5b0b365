import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { endedCallsQuery } from '#web/api/calls.queries.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';
import { ShowMore } from '#web/lib/page/show-more.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { RowSkeletons } from '#web/ui/lists/row-skeletons.tsx';
import { RecentCallsTable } from './recent-calls-table.tsx';

export function RecentCallsPage() {
  return (
    <div className="desk py-6 md:py-10">
      <h1 className="text-xl font-semibold tracking-tight md:text-2xl">Recent Calls</h1>
      <p className="mt-1 mb-5 text-sm text-text-muted md:mb-7 md:text-base">
        Latest token calls from verified traders
      </p>
      <RecentCallsList />
    </div>
  );
}

function RecentCallsList(): ReactNode {
  const query = useInfiniteQuery(endedCallsQuery);
  const pages = query.data?.pages;
  const calls = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages]);
  if (query.isPending) return <RecentCallsLoading />;
  // If a refetch fails, `query.data` still has the earlier calls.
  if (!query.data) return <LoadFailed what="recent calls" query={query} />;
  if (calls.length === 0) {
    return (
      <EmptyState
        title="No recent calls available"
        description="Calls appear here once their callers end them."
      />
    );
  }
  return (
    <>
      <RecentCallsTable calls={calls} />
      <ShowMore query={query} failure="Couldn't load older calls. Try again.">
        Show older calls
      </ShowMore>
    </>
  );
}

function RecentCallsLoading() {
  return (
    <div className="mb-[50dvh]">
      <p aria-hidden="true" className="mb-3 text-sm text-text-muted">
        Loading recent calls...
      </p>
      <Card isFlush>
        <RowSkeletons count={6} label="Loading recent calls" />
      </Card>
    </div>
  );
}
