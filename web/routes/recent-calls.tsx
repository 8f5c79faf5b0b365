import { createFileRoute } from '@tanstack/react-router';
import { endedCallsQuery } from '#web/api/calls.queries.ts';
import { RecentCallsPage } from '#web/features/recent-calls/recent-calls-page.tsx';
import { readEndedCallsFilter } from '#web/features/recent-calls/recent-calls-search.ts';

export const Route = createFileRoute('/recent-calls')({
  validateSearch: readEndedCallsFilter,
  // Drops unknown parameters, so that equal pages have equal URLs.
  search: { middlewares: [({ search, next }) => readEndedCallsFilter({ ...next(search) })] },
  loaderDeps: ({ search }) => readEndedCallsFilter({ ...search }),
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(endedCallsQuery(deps)),
  component: RecentCallsRoute,
});

function RecentCallsRoute() {
  return <RecentCallsPage filter={Route.useLoaderDeps()} />;
}
