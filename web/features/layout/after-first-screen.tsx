import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMatch, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { reportPageView } from '#web/api/events.ts';
import { currentUserQuery, sessionEndedQuery } from '#web/api/session.queries.ts';
import { useFocusRescue } from '#web/lib/page/use-focus-rescue.ts';
import { useSlashFocus } from '#web/lib/page/use-slash-focus.ts';
import { VerifyLeaderboard } from '#web/lib/verify/verify-button.tsx';
import { Footer } from './footer.tsx';
import { useReloadOnUserChange } from './use-one-user.ts';

export { ConnectionNotice } from './connection-notice.tsx';

/** The parts of the layout that the first screen doesn't need. */
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
