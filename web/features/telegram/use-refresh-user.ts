import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { currentUserQuery } from '#web/api/session.queries.ts';

/** Looks at the account when one comes back to the page: whoever was in Telegram may have pressed Start there, or stopped the bot. */
export function useLookWhenBack(isEnabled: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isEnabled) return undefined;
    const look = () => {
      if (document.visibilityState === 'visible') {
        void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
      }
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [isEnabled, queryClient]);
}
