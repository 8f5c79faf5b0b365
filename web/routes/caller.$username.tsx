import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useCanGoBack, useRouter } from '@tanstack/react-router';
import { callerQuery } from '#web/api/callers.queries.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { ProfilePage } from '#web/features/profile/profile-page.tsx';
import { useShare } from '#web/features/share/use-share.tsx';
import { fullName } from '#web/lib/person.ts';
import { usePageTitle } from '#web/lib/use-page-title.ts';
import { useSubscribe } from './-use-subscribe.tsx';

export const Route = createFileRoute('/caller/$username')({
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(callerQuery(params.username)),
  component: CallerRoute,
});

function CallerRoute() {
  const { username } = Route.useParams();
  const { data: caller, isError } = useQuery(callerQuery(username));
  const { data: user } = useQuery(currentUserQuery);
  const { subscribe, isSubscribing, dialog } = useSubscribe();
  const share = useShare(user);
  const router = useRouter();
  const navigate = Route.useNavigate();
  const canGoBack = useCanGoBack();
  usePageTitle(caller ? fullName(caller) : isError ? 'Caller Not Found' : 'Caller');
  // Who came from a shared link has nothing of ours to go back to.
  const goBack = () => (canGoBack ? router.history.back() : void navigate({ to: '/' }));
  return (
    <>
      <ProfilePage
        usernameOrId={username}
        onBack={goBack}
        onSubscribe={subscribe}
        isSubscribing={isSubscribing}
        isSignedIn={Boolean(user)}
        renderShare={share.renderShare}
      />
      {dialog}
      {share.dialog}
    </>
  );
}
