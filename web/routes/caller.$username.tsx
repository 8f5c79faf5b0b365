import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useCanGoBack, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import { callerTitle, TITLES } from '#schema/rules/page-texts.ts';
import { callerQuery } from '#web/api/callers.queries.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { ProfilePage } from '#web/features/profile/profile-page.tsx';
import { MuteToggle } from '#web/features/telegram/mute-toggle.tsx';
import { useShare } from '#web/features/share/use-share.tsx';
import { cameFromHere } from '#web/lib/came-from-here.ts';
import { usePageTitle } from '#web/lib/use-page-title.ts';
import { useSettled } from '#web/lib/use-settled.ts';
import { useViewerActions } from '#web/features/subscribe/use-viewer-actions.tsx';

export const Route = createFileRoute('/caller/$username')({
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(callerQuery(params.username)),
  component: CallerRoute,
});

function CallerRoute() {
  const { username } = Route.useParams();
  const { data: caller, isError, isFetchedAfterMount } = useQuery(callerQuery(username));
  const { data: user, isPending: isUserPending } = useQuery(currentUserQuery);
  useSettled(!isUserPending && (!user || isFetchedAfterMount));
  const { subscribe, isSubscribing, isPaying, unfollow, isUnfollowing, dialogs } = useViewerActions();
  const share = useShare(user);
  const router = useRouter();
  const navigate = Route.useNavigate();
  const canGoBack = useCanGoBack();
  const missingTitle = isError ? TITLES.missingCaller : TITLES.caller;
  usePageTitle(caller ? callerTitle(caller) : missingTitle);
  // If there is no page to go back to, for example after opening a shared link, go to the directory.
  const goBack = useCallback(
    () => (canGoBack || cameFromHere() ? router.history.back() : void navigate({ to: '/' })),
    [canGoBack, router, navigate],
  );
  const unfollowShown = useCallback(
    (followed: CallerProfile) => unfollow({ ...followed, accessEndsAt: followed.viewer.accessEndsAt }),
    [unfollow],
  );
  return (
    <>
      <ProfilePage
        usernameOrId={username}
        onBack={goBack}
        onSubscribe={subscribe}
        isSubscribing={isSubscribing}
        onUnfollow={unfollowShown}
        isUnfollowing={isUnfollowing}
        isPaying={caller !== undefined && isPaying(caller.id)}
        isSignedIn={Boolean(user)}
        muteToggle={caller && user?.telegramConnected ? <MuteToggle caller={caller} /> : null}
        renderShare={share.renderShare}
      />
      {dialogs}
      {share.dialog}
    </>
  );
}
