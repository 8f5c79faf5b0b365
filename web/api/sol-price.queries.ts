import { queryOptions } from '@tanstack/react-query';
import { POLL_MS } from '#schema/constants.ts';
import type { SolPrice } from '#schema/contracts/prices.ts';
import { client, read } from './client.ts';

/** The price of SOL in USD, for amounts shown in dollars. */
export const solPriceQuery = queryOptions({
  queryKey: ['prices', 'sol'],
  queryFn: (): Promise<SolPrice> => read(client.api.prices.sol.$get({ query: {} })),
  refetchInterval: POLL_MS.solPrice,
});
