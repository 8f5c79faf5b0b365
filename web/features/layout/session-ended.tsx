import { useQuery } from '@tanstack/react-query';
import { lazyRouteComponent, useLocation } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { currentUserQuery, sessionEndedQuery } from '#web/api/session.queries.ts';
import { SIGN_IN_TAB } from '#web/lib/session/sign-in-tab.ts';
import { DialogNotice } from '#web/ui/overlays/dialog-notice.ts';

/** Loaded on demand, because few visits need it. */
const load = () =>
  import('./sign-in-again.tsx').catch(() => ({ SignInAgain: () => null, SignInTab: () => null }));
const SignInAgain = lazyRouteComponent(load, 'SignInAgain');
const SignInTab = lazyRouteComponent(load, 'SignInTab');

/**
 * Asks the user to sign in again after the session has ended. Shows below the navigation bar and in open
 * dialogs. The sign-in opens in another tab, so this page keeps its state and the typed text.
 */
export function SessionEnded({ children }: { children: ReactNode }) {
  const { data: user } = useQuery(currentUserQuery);
  const hasEnded = useQuery(sessionEndedQuery).data && Boolean(user);
  const isSignInTab = useLocation({ select: ({ hash }) => hash === SIGN_IN_TAB });
  return (
    <>
      {hasEnded && (
        <aside
          aria-label="Session"
          className="sticky top-16 z-20 border-b border-warn bg-warn-soft print:hidden"
        >
          <div className="desk py-2">
            <Suspense>
              <SignInAgain isRequesting />
            </Suspense>
          </div>
        </aside>
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
              <Suspense>
                <SignInAgain />
              </Suspense>
            </div>
          )
        }
      >
        {children}
      </DialogNotice>
    </>
  );
}
