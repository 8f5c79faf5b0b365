import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { currentUserQuery } from '#web/api/session.queries.ts';

/** Refetches the account when the page becomes visible: the user may have started or stopped the bot in Telegram. */
export function useRefreshUser(isEnabled: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isEnabled) return undefined;
    const refresh = () => {
      if (document.visibilityState === 'visible') {
        void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
      }
    };
    document.addEventListener('visibilitychange', refresh);
    return () => document.removeEventListener('visibilitychange', refresh);
  }, [isEnabled, queryClient]);
}
