import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { POLL_MS } from '#schema/constants.ts';
import { ApiError } from '#web/api/api-error.ts';
import { callerQuery } from '#web/api/callers.queries.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';
import { Profile, type ProfileProps } from './profile.tsx';
import { ProfileSkeleton } from './profile-skeleton.tsx';

export interface ProfilePageProps extends Omit<ProfileProps, 'caller'> {
  usernameOrId: string;
}

export function ProfilePage({ usernameOrId, ...rest }: ProfilePageProps) {
  const query = useQuery({
    ...callerQuery(usernameOrId),
    // Viewers without access get no events, so the page asks for what everybody may see.
    refetchInterval: ({ state }) =>
      state.data?.viewer.canSeeActiveCalls === false ? POLL_MS.publicProfile : false,
  });
  if (query.isPending) return <ProfileSkeleton />;
  if (query.data) return <Profile caller={query.data} {...rest} />;
  const isMissing = query.error instanceof ApiError && query.error.status === 404;
  return (
    <div className="desk py-16">
      {isMissing ? (
        <CallerNotFound />
      ) : (
        <>
          <h1 className="sr-only">Caller</h1>
          <LoadFailed what="this caller" query={query} />
        </>
      )}
    </div>
  );
}

function CallerNotFound() {
  return (
    <>
      <h1 className="sr-only">Caller Not Found</h1>
      <EmptyState
        title="Caller Not Found"
        description="The caller you're looking for doesn't exist or may have changed their username."
        action={
          <Link to="/" className={buttonClassName({ variant: 'primary' })}>
            Back to Directory
          </Link>
        }
      />
    </>
  );
}
