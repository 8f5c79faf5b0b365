import { useQuery } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, type RefObject } from 'react';
import { isConnectionFailure } from '#web/api/api-error.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import {
  LazyAfterFirstScreen,
  LazyConnectionNotice,
  LazyNotFoundPage,
} from '#web/features/layout/lazy-after-first-screen.ts';
import { NavBar } from '#web/features/layout/nav-bar.tsx';
import { StatusBanner } from '#web/features/layout/status-banner.tsx';
import { SessionEnded } from '#web/features/layout/session-ended.tsx';
import { focusHeading } from '#web/lib/page/focus-heading.ts';
import { followLogOut } from '#web/lib/session/log-out.ts';
import type { RouterContext } from '#web/lib/page/router-context.ts';
import { removeServerHead } from '#web/lib/page/server-head.ts';
import { showPersonalParts } from '#web/lib/page/personal-parts.ts';
import { WalletProvider } from '#web/lib/wallets/wallet-context.tsx';
import { Toasts } from '#web/ui/overlays/toast.tsx';

export const Route = createRootRouteWithContext<RouterContext>()({
  component: RootLayout,
  notFoundComponent: LazyNotFoundPage,
});

function RootLayout() {
  const { data: user, error } = useQuery(currentUserQuery);
  const isUnreadable = user === undefined && error !== null && !isConnectionFailure(error);
  const mainRef = useRef<HTMLElement>(null);
  useNavigation(mainRef);
  useEffect(() => followLogOut(), []);
  return (
    <>
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-accent px-4 py-3 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <div className="flex min-h-dvh flex-col">
        {/** If the session can't be read, the bar shows the sign-in button, because signing in may help. */}
        <NavBar user={isUnreadable ? null : user} />
        <StatusBanner />
        <Suspense>
          <LazyConnectionNotice />
        </Suspense>
        <SessionEnded>
          <main ref={mainRef} id="main" tabIndex={-1} className="pb-10 outline-none">
            <WalletProvider>
              <Outlet />
            </WalletProvider>
          </main>
        </SessionEnded>
        <Suspense>
          <LazyAfterFirstScreen />
        </Suspense>
      </div>
      <Toasts />
    </>
  );
}

/**
 * After navigation, drops what the server rendered for the first page and its visitor, and focuses the new page's heading, so
 * that reading and tabbing continue there.
 */
function useNavigation(mainRef: RefObject<HTMLElement | null>) {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const shown = useRef<string | undefined>(undefined);
  useEffect(() => {
    const isFirstPage = shown.current === undefined;
    if (path === undefined || path === shown.current) return;
    shown.current = path;
    if (isFirstPage) return;
    removeServerHead();
    showPersonalParts();
    focusHeading();
    const main = mainRef.current;
    if (!main || document.activeElement !== main) return;
    // The heading isn't rendered yet. Focus it once it appears, unless the user has moved the focus.
    const observer = new MutationObserver(() => {
      if (document.activeElement !== main) observer.disconnect();
      else if (main.querySelector('h1')) focusHeading();
    });
    observer.observe(main, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [path, mainRef]);
}
