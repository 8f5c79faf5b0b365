import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keepLive } from '#web/api/live.ts';
import { currentUserQuery, sessionEndedQuery } from '#web/api/session.queries.ts';

/** Receives change events from the server while the user is signed in. */
export function useLive(): void {
  const queryClient = useQueryClient();
  const userId = useQuery(currentUserQuery).data?.id;
  const hasEnded = useQuery(sessionEndedQuery).data;
  useEffect(
    () => (userId === undefined || hasEnded ? undefined : keepLive(queryClient)),
    [queryClient, userId, hasEnded],
  );
}
