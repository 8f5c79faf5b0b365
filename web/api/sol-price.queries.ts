import { queryOptions } from '@tanstack/react-query';
import { POLL_MS } from '#schema/constants/web.ts';
import { client, read } from './client.ts';

export const solPriceQuery = queryOptions({
  queryKey: ['prices', 'sol'],
  queryFn: () => read(client.api.prices.sol.$get({ query: {} })),
  refetchInterval: POLL_MS.solPrice,
});
