import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { ApiError } from '#web/api/api-error.ts';
import { callerHistoryQuery } from '#web/api/calls.queries.ts';
import { liveState } from '#web/api/live-state.ts';

const HTTP_FORBIDDEN = 403;

/**
 * Watches the active calls. When a call is added or ends while they are polled, refetches the history and the figures. A
 * 403 means that access has ended; then this refetches the profile.
 */
export function useFollowActiveCalls(
  callerId: string,
  { data, error }: Pick<UseQueryResult<readonly TokenCall[]>, 'data' | 'error'>,
): void {
  const queryClient = useQueryClient();
  const ids = data
    ?.map((call) => call.id)
    .sort()
    .join(' ');
  const known = useRef<{ callerId: string; ids: string } | null>(null);
  useEffect(() => {
    if (ids === undefined) return;
    const before = known.current;
    known.current = { callerId, ids };
    const isSame = before === null || before.callerId !== callerId || before.ids === ids;
    if (isSame || liveState.isOn) return;
    void queryClient.invalidateQueries({ queryKey: callerHistoryQuery(callerId).queryKey });
    void queryClient.invalidateQueries({ queryKey: ['callers', 'profile'] });
  }, [callerId, ids, queryClient]);
  const isRefused = error instanceof ApiError && error.status === HTTP_FORBIDDEN;
  useEffect(() => {
    if (isRefused) void queryClient.invalidateQueries({ queryKey: ['callers', 'profile'] });
  }, [isRefused, queryClient]);
}
