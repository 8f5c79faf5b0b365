import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keepLive } from '#web/api/live.ts';
import { currentUserQuery, sessionEndedQuery } from '#web/api/session.queries.ts';

/** Lets the server tell the page of a signed-in user what has changed. */
export function useLive(): void {
  const queryClient = useQueryClient();
  const userId = useQuery(currentUserQuery).data?.id;
  const hasEnded = useQuery(sessionEndedQuery).data;
  useEffect(
    () => (userId === undefined || hasEnded ? undefined : keepLive(queryClient)),
    [queryClient, userId, hasEnded],
  );
}
