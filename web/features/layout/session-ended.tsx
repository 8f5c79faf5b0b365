import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import {
  currentUserQuery,
  LOG_OUT_PATH,
  resumeSession,
  sessionEndedQuery,
} from '#web/api/session.queries.ts';
import { prepareLogOut } from '#web/lib/log-out.ts';
import { attempt } from '#web/lib/page-storage.ts';
import { SIGN_IN_TAB } from '#web/lib/sign-in-tab.ts';
import { useSignInUrl } from '#web/lib/use-sign-in-url.ts';
import { DialogNotice } from '#web/ui/dialog-notice.ts';
import { LinkButton } from '#web/ui/link-button.tsx';
import type { ToastMessage } from '#web/ui/toast-message.ts';
import { useToast } from '#web/ui/toast.tsx';

/**
 * Asks the user to sign in again after the session has ended. Shows below the navigation bar and in open
 * dialogs. The sign-in opens in another tab, so this page keeps its state and the typed text.
 */
export function SessionEnded({ children }: { children: ReactNode }) {
  const { data: user } = useQuery(currentUserQuery);
  const hasEnded = useQuery(sessionEndedQuery).data && Boolean(user);
  useResume(hasEnded);
  useOneUser(user);
  useSignInTab();
  return (
    <>
      {hasEnded && (
        <div className="sticky top-16 z-20 border-b border-warn bg-warn-soft print:hidden">
          <div className="desk py-2">
            <SignInAgain />
          </div>
        </div>
      )}
      <DialogNotice
        value={
          hasEnded && (
            <div className="border-b border-warn bg-warn-soft py-2 pr-2 pl-5">
              <SignInAgain />
            </div>
          )
        }
      >
        {children}
      </DialogNotice>
    </>
  );
}

function SignInAgain() {
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

const USER_KEY = 'solcallers.user';

/**
 * Loads the page again when another user signs in in another tab. Nothing on the page is meant for them. public/early.js
 * reads the key, too.
 */
function useOneUser(user: CurrentUser | null | undefined): void {
  const userId = user?.id;
  const isSignedOut = user === null;
  useEffect(() => {
    if (isSignedOut) attempt(() => localStorage.removeItem(USER_KEY));
    if (userId === undefined) return undefined;
    attempt(() => localStorage.setItem(USER_KEY, userId));
    const handleStorage = ({ key, newValue }: StorageEvent) => {
      if (key === USER_KEY && newValue !== null && newValue !== userId) window.location.reload();
    };
    window.addEventListener('storage', handleStorage);
    return () => window.removeEventListener('storage', handleStorage);
  }, [userId, isSignedOut]);
}

/** When the user returns to this tab, checks whether they have signed in again in another tab. */
function useResume(hasEnded: boolean): void {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const isAsking = useRef(false);
  useEffect(() => {
    if (!hasEnded) return undefined;
    const resume = async () => {
      if (document.visibilityState === 'hidden' || isAsking.current) return;
      isAsking.current = true;
      const result = await resumeSession(queryClient);
      isAsking.current = false;
      if (result === 'resumed') toast({ title: "You're signed in again" });
      // Nothing on the page is meant for the other user.
      if (result === 'other_user') window.location.reload();
    };
    const handleReturn = () => void resume();
    window.addEventListener('focus', handleReturn);
    document.addEventListener('visibilitychange', handleReturn);
    return () => {
      window.removeEventListener('focus', handleReturn);
      document.removeEventListener('visibilitychange', handleReturn);
    };
  }, [hasEnded, queryClient, toast]);
}

/**
 * For a tab that was opened only to sign in again, if the browser refused to close it. Tells the user how to
 * continue.
 */
function useSignInTab(): void {
  const { data: user } = useQuery(currentUserQuery);
  const isSignInTab = useLocation({ select: ({ hash }) => hash === SIGN_IN_TAB });
  const navigate = useNavigate();
  const { toast } = useToast();
  useEffect(() => {
    if (!isSignInTab || user === undefined) return undefined;
    // Wait, because the toast provider is mounted after this component.
    const timer = setTimeout(() => {
      if (user !== null) toast(HOW_TO_GO_ON);
      void navigate({ to: '.', search: true, hash: '', replace: true });
    });
    return () => clearTimeout(timer);
  }, [isSignInTab, user, navigate, toast]);
}

const HOW_TO_GO_ON: ToastMessage = {
  title: "You're signed in again",
  description: 'What you typed is kept. If it is open in another tab, close this one and continue there.',
};
