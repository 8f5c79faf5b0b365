import { useQuery } from '@tanstack/react-query';
import { POLL_MS } from '#schema/constants/web.ts';
import { ApiError } from '#web/api/api-error.ts';
import { callerQuery } from '#web/api/callers.queries.ts';
import { FailedPage, MissingPage } from '#web/lib/page/page-problem.tsx';
import { DirectoryLink } from '#web/lib/page/directory-link.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';
import { Profile, type ProfileProps } from './profile.tsx';

export type ProfilePageProps = Omit<ProfileProps, 'caller'> & { usernameOrId: string };

export function ProfilePage({ usernameOrId, ...rest }: ProfilePageProps) {
  const query = useQuery({
    ...callerQuery(usernameOrId),
    // Viewers without access get no events, so the page asks for what everybody may see.
    refetchInterval: ({ state }) =>
      state.data?.viewer.canSeeActiveCalls === false ? POLL_MS.publicProfile : false,
  });
  if (query.isPending) return LOADING;
  if (query.data) return <Profile caller={query.data} {...rest} />;
  const isMissing = query.error instanceof ApiError && query.error.status === 404;
  if (!isMissing) return <FailedPage title="Caller" what="this caller" query={query} />;
  return (
    <MissingPage
      title="Caller Not Found"
      description="The caller you're looking for doesn't exist or may have changed their username."
      action={<DirectoryLink>Back to Directory</DirectoryLink>}
    />
  );
}

const LOADING = (
  <SkeletonBars
    label="Loading caller"
    className="desk py-4 md:py-6"
    bars={['h-11 w-24', 'mt-4 h-20 w-72', 'mt-6 h-45 md:h-25', 'mt-4 h-64']}
  />
);
