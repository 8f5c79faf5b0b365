import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { ApiError } from '#web/api/api-error.ts';
import { callerHistoryQuery } from '#web/api/calls.queries.ts';
import { liveState } from '#web/api/live-state.ts';

const HTTP_FORBIDDEN = 403;

/**
 * Watches the active calls, or the number of ended calls if the viewer can't see the active ones. When it changes between
 * two polls, refetches the history and the figures. A 403 means that access has ended; then this refetches the profile.
 */
export function useFollowCalls(
  { id: callerId, endedCalls, viewer: { canSeeActiveCalls } }: CallerProfile,
  { data, error }: Pick<UseQueryResult<readonly TokenCall[]>, 'data' | 'error'>,
): void {
  const queryClient = useQueryClient();
  const ids = data?.map((call) => call.id).sort();
  const calls = canSeeActiveCalls ? ids?.join(' ') : `${endedCalls} ended`;
  const known = useRef<{ callerId: string; calls: string } | null>(null);
  useEffect(() => {
    if (calls === undefined) return;
    const before = known.current;
    known.current = { callerId, calls };
    const isSame = before === null || before.callerId !== callerId || before.calls === calls;
    if (isSame || (canSeeActiveCalls && liveState.isOn)) return;
    void queryClient.invalidateQueries({ queryKey: callerHistoryQuery(callerId).queryKey });
    void queryClient.invalidateQueries({ queryKey: ['callers', 'profile'] });
  }, [callerId, calls, canSeeActiveCalls, queryClient]);
  const isRefused = error instanceof ApiError && error.status === HTTP_FORBIDDEN;
  useEffect(() => {
    if (isRefused) void queryClient.invalidateQueries({ queryKey: ['callers', 'profile'] });
  }, [isRefused, queryClient]);
}
