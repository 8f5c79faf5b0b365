import { createFileRoute } from '@tanstack/react-router';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { fetchDashboard } from '#web/api/client.ts';
import { DashboardPage, type DashboardView } from '#web/features/dashboard/dashboard-page.tsx';
import { useShare } from '#web/features/share/use-share.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { requireUser } from './-require-user.ts';
import { useSubscribe } from '#web/features/subscribe/use-subscribe.tsx';
import { useUnfollow } from '#web/features/subscribe/use-unfollow.tsx';
import { useUser } from '#web/lib/session/use-user.ts';

export const Route = createFileRoute('/dashboard')({
  // Sets invalid values to undefined instead of leaving them out. If a key were missing, the router would keep
  // the invalid value from the URL.
  validateSearch: ({
    token,
    view,
  }: Record<string, unknown>): { token?: string | undefined; view?: DashboardView | undefined } => ({
    token: typeof token === 'string' && token !== '' ? token : undefined,
    view: view === 'subscriber' || view === 'caller' ? view : undefined,
  }),
  beforeLoad: requireUser,
  loader: ({ preload }) => {
    if (!preload) fetchDashboard();
  },
  component: DashboardRoute,
});

function DashboardRoute() {
  usePageTitle(PAGES['/dashboard'].title);
  const { token, view } = Route.useSearch();
  const navigate = Route.useNavigate();
  const user = useUser();
  const { subscribe, isPaying, payingIds, dialog } = useSubscribe();
  const unfollowing = useUnfollow();
  const share = useShare(user);
  return (
    <>
      {/* A new token remounts the page, which resets its state. */}
      <DashboardPage
        key={token}
        user={user}
        token={token}
        view={view}
        onViewChange={(next) =>
          void navigate({ search: { token, view: next }, replace: true, resetScroll: false })
        }
        onSubscribe={subscribe}
        onUnfollow={unfollowing.unfollow}
        isUnfollowing={unfollowing.isUnfollowing}
        isPaying={isPaying}
        payingIds={payingIds}
        renderShare={share.renderShare}
      />
      {dialog}
      {unfollowing.dialog}
      {share.dialog}
    </>
  );
}
