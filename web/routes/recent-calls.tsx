import { createFileRoute } from '@tanstack/react-router';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { endedCallsQuery } from '#web/api/calls.queries.ts';
import { RecentCallsPage } from '#web/features/recent-calls/recent-calls-page.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';

export const Route = createFileRoute('/recent-calls')({
  loader: ({ context }) => void context.queryClient.prefetchInfiniteQuery(endedCallsQuery),
  component: RecentCallsRoute,
});

function RecentCallsRoute() {
  usePageTitle(PAGES['/recent-calls'].title);
  return <RecentCallsPage />;
}
