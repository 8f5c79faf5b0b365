import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, type ComponentType, type ReactNode } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { currentUserQuery, sessionEndedQuery } from '#web/api/session.queries.ts';
import { attempt } from '#web/lib/page-storage.ts';
import { SIGN_IN_TAB } from '#web/lib/sign-in-tab.ts';
import { DialogNotice } from '#web/ui/dialog-notice.ts';
import type { SignInAgainProps } from './sign-in-again.tsx';

/** Loaded on demand, because few visits need them. */
const loadSignInAgain = () => import('./sign-in-again.tsx');
const nothing: { default: ComponentType<SignInAgainProps> } = { default: () => null };
const LazySignInAgain = lazy(() =>
  loadSignInAgain().then(
    ({ SignInAgain }) => ({ default: SignInAgain }),
    () => nothing,
  ),
);
const SignInTab = lazy(() =>
  loadSignInAgain().then(
    ({ SignInTab }) => ({ default: SignInTab }),
    () => nothing,
  ),
);

function SignInAgain(props: SignInAgainProps) {
  return (
    <Suspense>
      <LazySignInAgain {...props} />
    </Suspense>
  );
}

/**
 * Asks the user to sign in again after the session has ended. Shows below the navigation bar and in open
 * dialogs. The sign-in opens in another tab, so this page keeps its state and the typed text.
 */
export function SessionEnded({ children }: { children: ReactNode }) {
  const { data: user } = useQuery(currentUserQuery);
  const hasEnded = useQuery(sessionEndedQuery).data && Boolean(user);
  useOneUser(user);
  const isSignInTab = useLocation({ select: ({ hash }) => hash === SIGN_IN_TAB });
  return (
    <>
      {hasEnded && (
        <div className="sticky top-16 z-20 border-b border-warn bg-warn-soft print:hidden">
          <div className="desk py-2">
            <SignInAgain isAsking />
          </div>
        </div>
      )}
      {isSignInTab && (
        <Suspense>
          <SignInTab />
        </Suspense>
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
