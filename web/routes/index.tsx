import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { MySubscription } from '#schema/contracts/subscriptions.ts';
import { DIRECTORY_TITLE } from '#schema/rules/text/document-title.ts';
import { callersQuery } from '#web/api/callers.queries.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { mySubscriptionsQuery } from '#web/api/subscriptions.queries.ts';
import { DirectoryPage } from '#web/features/directory/directory-page.tsx';
import {
  filterOf,
  readDirectorySearch,
  type DirectorySearch,
} from '#web/features/directory/directory-search.ts';
import { LazyCallersTable } from '#web/features/directory/lazy-callers-table.ts';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { useShowPersonalParts } from '#web/lib/page/personal-parts.ts';
import { useViewerActions } from '#web/features/subscribe/use-viewer-actions.tsx';

export const Route = createFileRoute('/')({
  validateSearch: readDirectorySearch,
  // Drops unknown parameters, so that equal pages have equal URLs.
  search: { middlewares: [({ search, next }) => readDirectorySearch({ ...next(search) })] },
  loaderDeps: ({ search }) => ({ filter: filterOf(search), isTable: search.view === 'table' }),
  loader: async ({ cause, context, deps: { filter, isTable } }) => {
    // Not awaited, so that the request runs while the page's code loads. The page shows skeletons meanwhile.
    void context.queryClient.prefetchInfiniteQuery(callersQuery(filter));
    const table = isTable ? LazyCallersTable.preload?.() : undefined;
    // A change of the view inside the directory doesn't wait for the table's code.
    if (cause === 'enter') await table;
  },
  component: DirectoryRoute,
});

function followsOf(rows: readonly MySubscription[]) {
  return {
    subscribedIds: new Set(rows.filter((row) => row.isCurrentlyActive).map((row) => row.callerId)),
    freeFollows: new Map(rows.filter((row) => row.canUnfollow).map((row) => [row.callerId, row.endDate])),
  };
}

function DirectoryRoute() {
  usePageTitle(DIRECTORY_TITLE);
  const address = Route.useSearch();
  const search = useMemo(() => readDirectorySearch({ ...address }), [address]);
  const navigate = Route.useNavigate();
  const { data: user, isPending: isUserPending } = useQuery(currentUserQuery);
  const { data: subscriptions, isPending: areSubscriptionsPending } = useQuery({
    ...mySubscriptionsQuery,
    enabled: Boolean(user),
  });
  useShowPersonalParts(!isUserPending && !(user && areSubscriptionsPending));
  const { subscribe, isPaying, unfollow, isUnfollowing, dialogs } = useViewerActions();
  const viewerId = user?.id ?? null;
  const rows = user ? subscriptions : undefined;
  // Memoized, so that the list renders again only if something in it changes.
  const viewer = useMemo(
    () => ({ id: viewerId, ...followsOf(rows ?? []), isUnfollowing }),
    [viewerId, rows, isUnfollowing],
  );
  // Typing replaces the history entry, so that it doesn't add an entry for each pause.
  const changeSearch = (next: DirectorySearch) => {
    const isTyping = next.search !== search.search || next.maxFee !== search.maxFee;
    void navigate({ search: next, replace: isTyping, resetScroll: false });
  };
  return (
    <>
      <DirectoryPage
        search={search}
        onSearchChange={changeSearch}
        onSubscribe={subscribe}
        onUnfollow={unfollow}
        isPaying={isPaying}
        viewer={viewer}
      />
      {dialogs}
    </>
  );
}
