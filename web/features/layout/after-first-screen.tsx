import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMatch, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { reportPageView } from '#web/api/events.ts';
import { currentUserQuery, sessionEndedQuery } from '#web/api/session.queries.ts';
import { VerifyLeaderboard } from '#web/lib/verify/verify-button.tsx';
import { pageStorage } from '#web/lib/browser/page-storage.ts';
import { focusHeading } from '#web/lib/page/focus-heading.ts';
import { Footer } from './footer.tsx';

export { ConnectionNotice } from './connection-notice.tsx';

export function AfterFirstScreen() {
  useFocusRescue();
  useSlashFocus();
  useLive();
  useReloadOnUserChange();
  usePageViews();
  const directory = useMatch({ from: '/', shouldThrow: false });
  const { view: _view, ...filter } = directory?.search ?? {};
  return (
    <>
      {directory && <VerifyLeaderboard filter={filter} />}
      <Footer />
    </>
  );
}

/** Receives change events from the server while the user is signed in. If the code doesn't load, the page polls. */
function useLive(): void {
  const queryClient = useQueryClient();
  const userId = useQuery(currentUserQuery).data?.id;
  const hasEnded = useQuery(sessionEndedQuery).data;
  useEffect(() => {
    if (userId === undefined || hasEnded) return undefined;
    const stops = import('#web/api/live.ts').then(({ keepLive }) => keepLive(queryClient)).catch(() => null);
    return () => void stops.then((stop) => stop?.());
  }, [queryClient, userId, hasEnded]);
}

/** Reports each page once, by its route's pattern, so that no user name or query is sent. */
function usePageViews() {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const pattern = useRouterState({
    select: (state) => (state.matches.length > 1 ? state.matches.at(-1)?.fullPath : '/not-found'),
  });
  const reported = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (path === undefined || path === reported.current) return;
    reported.current = path;
    reportPageView(pattern ?? '/not-found');
  }, [path, pattern]);
}

const USER_KEY = 'solcallers.user';

/** Reloads the page when another user has signed in from another tab. */
function useReloadOnUserChange(): void {
  const userId = useQuery(currentUserQuery).data?.id;
  useEffect(() => {
    if (userId === undefined) return undefined;
    pageStorage.setItem(USER_KEY, userId);
    const handleStorage = ({ key, newValue }: StorageEvent) => {
      if (key === USER_KEY && newValue !== null && newValue !== userId) window.location.reload();
    };
    window.addEventListener('storage', handleStorage);
    return () => window.removeEventListener('storage', handleStorage);
  }, [userId]);
}

/**
 * Focuses the page's search box (if any) when the user presses the slash key outside of text fields and
 * dialogs.
 */
function useSlashFocus(): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || handlesKeys(event.target)) {
        return;
      }
      const searchBox = document.querySelector<HTMLElement>('main [aria-keyshortcuts="/"]');
      if (!searchBox) return;
      event.preventDefault();
      searchBox.focus();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
}

function handlesKeys(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]',
    ) !== null
  );
}

/**
 * Focuses the page's heading when the focused element disappears, so that reading and tabbing continue on the
 * page. Open dialogs manage the focus themselves.
 */
export function useFocusRescue(): void {
  useEffect(() => {
    let focused: Element | null = null;
    const rescue = () => {
      if (focused === null || focused.isConnected) return;
      focused = null;
      // Wait, because an effect of the same update may set the focus.
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (isLost && !document.querySelector('[role=dialog], [role=alertdialog]')) focusHeading();
      });
    };
    const observer = new MutationObserver(rescue);
    const remember = ({ target }: { readonly target: EventTarget | null }) => {
      focused = target instanceof Element && target !== document.body ? target : null;
      observer.disconnect();
      // Watching only the ancestors is cheaper than watching everything below the body.
      for (let node = focused?.parentNode; node; node = node.parentNode) {
        observer.observe(node, { childList: true });
      }
    };
    // Some browsers also fire this event shortly before they remove an element, so check again afterwards.
    const forget = ({ target }: FocusEvent) => {
      queueMicrotask(() => {
        if (target === focused && focused?.isConnected) focused = null;
      });
    };
    remember({ target: document.activeElement });
    document.addEventListener('focusin', remember);
    document.addEventListener('focusout', forget);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('focusout', forget);
    };
  }, []);
}
