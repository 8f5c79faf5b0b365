import { createFileRoute } from '@tanstack/react-router';
import { endedCallsQuery } from '#web/api/calls.queries.ts';
import { RecentCallsPage } from '#web/features/recent-calls/recent-calls-page.tsx';

export const Route = createFileRoute('/recent-calls')({
  loader: ({ context }) => void context.queryClient.prefetchInfiniteQuery(endedCallsQuery),
  component: RecentCallsPage,
});
