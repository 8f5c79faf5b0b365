import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { currentUserQuery, sessionEndedQuery } from '#web/api/session.queries.ts';
import { lazyPart } from '#web/lib/page/lazy-part.tsx';
import { SIGN_IN_TAB } from '#web/lib/session/sign-in-tab.ts';
import { DialogNotice } from '#web/ui/overlays/dialog-notice.ts';

/** Loaded on demand, because few visits need it. */
const SignInAgain = lazyPart(async () => (await import('./sign-in-again.tsx')).SignInAgain);
const SignInTab = lazyPart(async () => (await import('./sign-in-again.tsx')).SignInTab);

/**
 * Asks the user to sign in again after the session has ended. Shows over the window's bottom and in open
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
          className="fixed inset-x-0 bottom-0 z-20 border-t border-warn bg-warn-soft print:hidden"
        >
          <div className="desk py-2">
            <SignInAgain isRequesting />
          </div>
        </aside>
      )}
      {isSignInTab && <SignInTab />}
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
