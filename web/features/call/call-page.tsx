import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { hasCode } from '#web/api/api-error.ts';
import { callQuery } from '#web/api/calls.queries.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { FailedPage, MissingPage } from '#web/lib/page/page-problem.tsx';
import { SignInLink } from '#web/lib/session/sign-in-link.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';
import { CallView } from './call-view.tsx';

export interface CallPageProps {
  id: string;
  /** Renders the share button of an ended call. Only its caller sees it. */
  renderShare: (call: TokenCall) => ReactNode;
}

/** The server sends the same error for a call that doesn't exist and for a call that the viewer can't see. */
export const isCallMissing = (error: unknown) => hasCode(error, 'calls.not_found');

export function CallPage({ id, renderShare }: CallPageProps) {
  const { data: viewer } = useQuery(currentUserQuery);
  const query = useQuery(callQuery(id));
  // Access lost: hide the call even though it's cached.
  if (isCallMissing(query.error)) return <CallMissing isSignedOut={viewer === null} />;
  if (query.data) {
    const isOwner = query.data.callerId === viewer?.id;
    return <CallView call={query.data} isOwner={isOwner} share={renderShare(query.data)} />;
  }
  if (query.isPending) return LOADING;
  return <FailedPage title="Call" what="this call" query={query} />;
}

function CallMissing({ isSignedOut }: { isSignedOut: boolean }) {
  return (
    <MissingPage
      title="Call Not Found"
      description={
        <>
          The call may not exist, or it may be an active call that only subscribers can see.
          {isSignedOut && ' If you subscribe to its caller, sign in to see it.'}
        </>
      }
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {isSignedOut && <SignInLink variant="primary" />}
          <Link
            to="/recent-calls"
            className={buttonClassName({ variant: isSignedOut ? 'secondary' : 'primary' })}
          >
            Back to Recent Calls
          </Link>
        </div>
      }
    />
  );
}

const LOADING = (
  <SkeletonBars
    label="Loading call"
    className="desk max-w-4xl py-4 md:py-6"
    bars={['h-11 w-40', 'mt-2 h-45 w-72 md:h-24', 'mt-6 h-65 md:h-38', 'mt-6 h-33 md:h-21', 'mt-4 h-88']}
  />
);
