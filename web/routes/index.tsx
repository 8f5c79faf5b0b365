import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import { PAGES } from '#schema/rules/page-texts.ts';
import { callersQuery } from '#web/api/callers.queries.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { mySubscriptionsQuery } from '#web/api/subscriptions.queries.ts';
import { DirectoryPage } from '#web/features/directory/directory-page.tsx';
import {
  filterOf,
  readDirectorySearch,
  type DirectorySearch,
} from '#web/features/directory/directory-search.ts';
import { usePageTitle } from '#web/lib/use-page-title.ts';
import { useSubscribe } from '#web/features/subscribe/use-subscribe.tsx';
import { useUnfollow } from '#web/features/subscribe/use-unfollow.tsx';

export const Route = createFileRoute('/')({
  validateSearch: readDirectorySearch,
  // Drops unknown parameters, so that equal pages have equal URLs.
  search: { middlewares: [({ search, next }) => readDirectorySearch({ ...next(search) })] },
  loaderDeps: ({ search }) => filterOf(search),
  // Not awaited, so that the request runs while the page's code loads. The page shows skeletons meanwhile.
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(callersQuery(deps)),
  component: DirectoryRoute,
});

function DirectoryRoute() {
  usePageTitle(PAGES['/'].title);
  const address = Route.useSearch();
  const search = useMemo(() => readDirectorySearch({ ...address }), [address]);
  const navigate = Route.useNavigate();
  const { data: user } = useQuery(currentUserQuery);
  const { data: subscriptions } = useQuery({ ...mySubscriptionsQuery, enabled: Boolean(user) });
  const { subscribe, isPaying, dialog } = useSubscribe();
  const unfollowing = useUnfollow();
  const follows = useMemo(() => {
    const rows = user ? (subscriptions ?? []) : [];
    return {
      subscribedIds: new Set(rows.filter((row) => row.isCurrentlyActive).map((row) => row.callerId)),
      freeFollows: new Map(rows.filter((row) => row.canUnfollow).map((row) => [row.callerId, row.endDate])),
    };
  }, [user, subscriptions]);
  const viewer = { id: user?.id ?? null, ...follows, isUnfollowing: unfollowing.isUnfollowing };
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
        onUnfollow={unfollowing.unfollow}
        isPaying={isPaying}
        viewer={viewer}
      />
      {dialog}
      {unfollowing.dialog}
    </>
  );
}
