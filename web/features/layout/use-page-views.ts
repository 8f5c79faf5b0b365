import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { reportPageView } from '#web/api/events.ts';

/** Reports each page once, by its route's pattern, so that no user name or query is sent. */
export function usePageViews() {
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
