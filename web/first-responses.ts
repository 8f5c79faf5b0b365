import type { QueryKey } from '@tanstack/react-query';
import { CALCULATOR_STAKE_USD } from '#schema/constants/market.ts';
import type { PublicResponses } from '#worker/ports/page-renderer.ts';
import { callerQuery, callersQuery, comparisonQuery } from './api/callers.queries.ts';
import { callerHistoryQuery, callQuery, endedCallsQuery, tokenCallsQuery } from './api/calls.queries.ts';
import type { FirstResponse } from './api/first-page.ts';
import { statusQuery } from './api/status.queries.ts';
import { solPriceQuery } from './api/sol-price.queries.ts';
import { callersOf, readCompareSearch } from './features/calculator/compare-search.ts';
import { filterOf, readDirectorySearch } from './features/directory/directory-search.ts';
import { readEndedCallsFilter } from './features/recent-calls/recent-calls-search.ts';
import { readStake } from './lib/money/amount-per-call.tsx';

export interface OpenedPage {
  readonly routeId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly search: Readonly<Record<string, unknown>>;
}

type FindResponses = (page: OpenedPage, responses: PublicResponses) => Promise<readonly FirstResponse[]>;

/** Finds the first API responses of each page's content by route. The server can't render pages that are missing here. */
const finders: Readonly<Record<string, FindResponses>> = {
  '/': async ({ search }, responses) => {
    const filter = filterOf(readDirectorySearch({ ...search }));
    const [rows, solPrice] = await Promise.all([responses.callers(filter), responses.solPrice()]);
    return [shared(callersQuery(filter).queryKey, onePage(rows)), shared(solPriceQuery.queryKey, solPrice)];
  },

  '/recent-calls': async ({ search }, responses) => {
    const filter = readEndedCallsFilter(search);
    return [shared(endedCallsQuery(filter).queryKey, onePage(await responses.endedCalls(filter)))];
  },

  '/compare': async ({ search }, responses) => {
    const { amount = '', since, ...named } = readCompareSearch({ ...search });
    const callers = callersOf(named);
    if (callers.length === 0) return [];
    const filter = { callers, amount: readStake(amount) ?? CALCULATOR_STAKE_USD, since };
    return [shared(comparisonQuery(filter).queryKey, await responses.comparison(filter))];
  },

  '/how-we-count': async () => [],
  '/sealed-calls': async () => [],
  '/terms': async () => [],
  '/privacy': async () => [],
  '/risk': async () => [],

  '/caller/$username': async ({ params: { username = '' } }, responses) => {
    const caller = await responses.caller(username);
    const [history, solPrice] = await Promise.all([responses.callerHistory(caller.id), responses.solPrice()]);
    return [
      personal(callerQuery(username).queryKey, caller),
      {
        ...personal(callerHistoryQuery(caller.id).queryKey, history.rows),
        isPartial: history.nextCursor !== null,
      },
      shared(solPriceQuery.queryKey, solPrice),
    ];
  },

  '/token/$mint': async ({ params: { mint = '' } }, responses) => [
    personal(tokenCallsQuery(mint).queryKey, await responses.tokenCalls(mint)),
  ],

  '/call/$id': async ({ params: { id = '' } }, responses) => {
    const call = await responses.call(id);
    const caller = await responses.caller(call.callerId);
    return [shared(callQuery(id).queryKey, call), personal(callerQuery(call.callerId).queryKey, caller)];
  },
};

/** @throws an error if the server doesn't render this page, or if a response fails */
export async function findFirstResponses(
  page: OpenedPage,
  responses: PublicResponses,
): Promise<readonly FirstResponse[]> {
  const find = finders[page.routeId];
  if (!find) throw new Error(`The server doesn't render ${page.routeId}.`);
  const [found, status] = await Promise.all([find(page, responses), responses.status()]);
  return [...found, shared(statusQuery.queryKey, status)];
}

const onePage = (page: unknown) => ({ pages: [page], pageParams: [null] });

function shared(queryKey: QueryKey, data: unknown): FirstResponse {
  return { queryKey, data, isPersonal: false };
}

function personal(queryKey: QueryKey, data: unknown): FirstResponse {
  return { queryKey, data, isPersonal: true };
}
