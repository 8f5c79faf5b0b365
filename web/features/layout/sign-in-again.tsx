import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { currentUserQuery, fetchUser, LOG_OUT_PATH, sessionEndedQuery } from '#web/api/session.queries.ts';
import { prepareLogOut } from '#web/lib/session/log-out.ts';
import { SIGN_IN_TAB } from '#web/lib/session/sign-in-tab.ts';
import { useSignInUrl } from '#web/lib/session/use-sign-in-url.ts';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { toast, type ToastMessage } from '#web/ui/overlays/toast-queue.ts';

export interface SignInAgainProps {
  isRequesting?: boolean;
}

export function SignInAgain({ isRequesting = false }: SignInAgainProps) {
  useResume(isRequesting);
  const signInUrl = useSignInUrl(SIGN_IN_TAB);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
      <p role="alert" className="min-w-48 flex-1">
        <span className="font-medium text-warn">Your session has ended.</span> Sign in again to continue.
        Nothing you typed is lost.
      </p>
      <span className="flex gap-2">
        <LinkButton href={LOG_OUT_PATH} variant="ghost" size="sm" onClick={prepareLogOut}>
          Log out
        </LinkButton>
        {/* The new tab needs its opener, because a tab can close itself only if a page opened it. */}
        <LinkButton href={signInUrl} target="_blank" rel="opener" variant="primary" size="sm">
          Sign in again
        </LinkButton>
      </span>
    </div>
  );
}

function useResume(isOn: boolean): void {
  const queryClient = useQueryClient();
  const isRequesting = useRef(false);
  useEffect(() => {
    if (!isOn) return undefined;
    const resume = async () => {
      if (document.visibilityState === 'hidden' || isRequesting.current) return;
      isRequesting.current = true;
      const result = await resumeSession(queryClient);
      isRequesting.current = false;
      if (result === 'resumed') toast({ title: "You're signed in again" });
      // Another user signed in, and this page shows the earlier user's data.
      if (result === 'other_user') window.location.reload();
    };
    const handleReturn = () => void resume();
    window.addEventListener('focus', handleReturn);
    document.addEventListener('visibilitychange', handleReturn);
    return () => {
      window.removeEventListener('focus', handleReturn);
      document.removeEventListener('visibilitychange', handleReturn);
    };
  }, [isOn, queryClient]);
}

/**
 * Checks who is signed in after the session has ended. If it's the same user, the page continues with fresh
 * data. Returns null while no user is signed in or the server doesn't respond.
 */
async function resumeSession(queryClient: QueryClient): Promise<'resumed' | 'other_user' | null> {
  const user = await fetchUser().catch(() => null);
  if (user === null) return null;
  if (user.id !== queryClient.getQueryData(currentUserQuery.queryKey)?.id) return 'other_user';
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  queryClient.setQueryData(sessionEndedQuery.queryKey, false);
  void queryClient.invalidateQueries();
  return 'resumed';
}

/** Tells the user how to continue if the browser didn't close the tab that was opened to sign in again. */
export function SignInTab() {
  const { data: user } = useQuery(currentUserQuery);
  const navigate = useNavigate();
  useEffect(() => {
    if (user === undefined) return;
    if (user !== null) toast(HOW_TO_GO_ON);
    void navigate({ to: '.', search: true, hash: '', replace: true });
  }, [user, navigate]);
  return null;
}

const HOW_TO_GO_ON: ToastMessage = {
  title: "You're signed in again",
  description: 'What you typed is kept. If it is open in another tab, close this one and continue there.',
};
