import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import { callerTitle, TITLES } from '#schema/rules/text/page-texts.ts';
import { callerQuery } from '#web/api/callers.queries.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { CalculatorCard } from '#web/features/calculator/calculator-card.tsx';
import { ProfilePage } from '#web/features/profile/profile-page.tsx';
import { useShare } from '#web/features/share/use-share.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { useShowPersonalParts } from '#web/lib/page/personal-parts.ts';
import { useSubscribeLink } from '#web/features/subscribe/use-subscribe-link.ts';
import { useViewerActions } from '#web/features/subscribe/use-viewer-actions.tsx';

export const Route = createFileRoute('/caller/$username')({
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(callerQuery(params.username)),
  component: CallerRoute,
});

function CallerRoute() {
  const { username } = Route.useParams();
  const queryClient = useQueryClient();
  const { data: caller, isError, isFetchedAfterMount } = useQuery(callerQuery(username));
  const { data: user, isPending: isUserPending } = useQuery(currentUserQuery);
  useShowPersonalParts(!isUserPending && (!user || isFetchedAfterMount));
  const { subscribe, isSubscribing, isPaying, unfollow, isUnfollowing, dialogs } = useViewerActions();
  const isSignedIn = isUserPending ? undefined : Boolean(user);
  useSubscribeLink({
    isSignedIn,
    // The first page's data is a visitor's.
    findAccess: async () => {
      const found = await queryClient.fetchQuery({ ...callerQuery(username), staleTime: 0 });
      return found.viewer.canSeeActiveCalls;
    },
    open: caller ? () => subscribe({ ...caller, accessEndsAt: caller.viewer.accessEndsAt }) : null,
  });
  const share = useShare(user);
  const missingTitle = isError ? TITLES.missingCaller : TITLES.caller;
  usePageTitle(caller ? callerTitle(caller) : missingTitle);
  const calculator = useMemo(() => caller && <CalculatorCard caller={caller} />, [caller]);
  return (
    <>
      <ProfilePage
        usernameOrId={username}
        onSubscribe={subscribe}
        isSubscribing={isSubscribing}
        onUnfollow={unfollow}
        isUnfollowing={isUnfollowing}
        isPaying={caller !== undefined && isPaying(caller.id)}
        calculator={calculator}
        renderShare={share.renderShare}
      />
      {dialogs}
      {share.dialog}
    </>
  );
}
