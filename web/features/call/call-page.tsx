import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { callQuery } from '#web/api/calls.queries.ts';
import { buttonClassName } from '#web/ui/button-class-name.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx';
import { isCallMissing } from './call-missing.ts';
import { CallView } from './call-view.tsx';

export interface CallPageProps {
  id: string;
  /** The signed-in user's id. */
  userId: string | undefined;
  /** How an ended call is shared, by who may. */
  renderShare: (call: TokenCall) => ReactNode;
}

/** One call on a page of its own: loading, not there (any more), failed or all there is to it. */
export function CallPage({ id, userId, renderShare }: CallPageProps) {
  const query = useQuery(callQuery(id));
  // Who may no longer see it sees it no longer, whatever was shown before.
  if (isCallMissing(query.error)) return <CallMissing />;
  if (query.data) {
    return <CallView call={query.data} isOwner={query.data.callerId === userId} renderShare={renderShare} />;
  }
  if (query.isPending) return <CallLoading />;
  return (
    <div className="desk py-16">
      <h1 className="sr-only">Call</h1>
      <ErrorState
        title="Failed to load this call"
        description={reasonOf(query.error, 'There was no answer.')}
        onRetry={() => void query.refetch()}
      />
    </div>
  );
}

function CallMissing() {
  return (
    <div className="desk py-16">
      <h1 className="sr-only">This call does not exist</h1>
      <EmptyState
        title="This call does not exist"
        description="There is no such call, or it is an active one that you may not see."
        action={
          <Link to="/recent-calls" className={buttonClassName({ variant: 'primary' })}>
            Back to Recent Calls
          </Link>
        }
      />
    </div>
  );
}

function CallLoading() {
  return (
    <SkeletonGroup label="Loading call" className="desk max-w-4xl py-4 md:py-6">
      <Skeleton className="h-11 w-40" />
      <div className="mt-2 flex items-center gap-3">
        <Skeleton isRound className="size-12" />
        <Skeleton className="h-8 w-48" />
      </div>
      <Skeleton className="mt-6 h-12 w-44" />
      <Skeleton className="mt-6 h-28 w-full" />
      <Skeleton className="mt-4 h-80 w-full" />
    </SkeletonGroup>
  );
}
