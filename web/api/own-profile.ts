import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { callerQuery } from './callers.queries.ts';
import { myEarningsQuery } from './payments.queries.ts';
import { walletBalancesQuery } from './wallets.queries.ts';

/**
 * The signed-in caller's own profile, refetched on every visit. When its earnings change, this also
 * refetches the balances and the list of earnings, so that all of them show the payment.
 */
export function useOwnProfile(callerId: string) {
  const queryClient = useQueryClient();
  const query = useQuery({ ...callerQuery(callerId), staleTime: 0 });
  const earnings = query.data?.earnings;
  const known = useRef<string | undefined>(undefined);
  useEffect(() => {
    const hasChanged = known.current !== undefined && known.current !== earnings;
    known.current = earnings;
    if (!hasChanged) return;
    for (const { queryKey } of [walletBalancesQuery, myEarningsQuery]) {
      void queryClient.invalidateQueries({ queryKey });
    }
  }, [earnings, queryClient]);
  return query;
}
