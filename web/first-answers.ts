import type { QueryKey } from '@tanstack/react-query';
import type { PublicAnswers } from '#worker/ports/page-renderer.ts';
import { callerQuery, callersQuery, callerStatisticsQuery } from './api/callers.queries.ts';
import {
  callChartQuery,
  callerHistoryQuery,
  callQuery,
  endedCallsQuery,
  tokenCallsQuery,
} from './api/calls.queries.ts';
import type { FirstAnswer } from './api/first-page.ts';
import { solPriceQuery } from './api/sol-price.queries.ts';
import { filterOf, readDirectorySearch } from './features/directory/directory-search.ts';

/** The page that is rendered: its route, as in route-tree.gen.ts, with its parameters and search. */
export interface OpenedPage {
  readonly routeId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly search: Readonly<Record<string, unknown>>;
}

type FindAnswers = (page: OpenedPage, answers: PublicAnswers) => Promise<readonly FirstAnswer[]>;

/** Each page's first requests to the API. The server can't render pages that are missing here. */
const finders: Readonly<Record<string, FindAnswers>> = {
  '/': async ({ search }, answers) => {
    const filter = filterOf(readDirectorySearch({ ...search }));
    const [rows, solPrice] = await Promise.all([answers.callers(filter), answers.solPrice()]);
    return [shared(callersQuery(filter).queryKey, onePage(rows)), shared(solPriceQuery.queryKey, solPrice)];
  },

  '/recent-calls': async (_page, answers) => [
    shared(endedCallsQuery.queryKey, onePage(await answers.endedCalls())),
  ],

  '/how-we-count': async () => [],
  '/sealed-calls': async () => [],
  '/terms': async () => [],
  '/privacy': async () => [],
  '/risk': async () => [],

  '/caller/$username': async ({ params: { username = '' } }, answers) => {
    const caller = await answers.caller(username);
    const [statistics, history, solPrice] = await Promise.all([
      answers.callerStatistics(caller.id),
      answers.callerHistory(caller.id),
      answers.solPrice(),
    ]);
    return [
      personal(callerQuery(username).queryKey, caller),
      personal(callerStatisticsQuery(caller.id).queryKey, statistics),
      personal(callerHistoryQuery(caller.id).queryKey, history),
      shared(solPriceQuery.queryKey, solPrice),
    ];
  },

  '/token/$mint': async ({ params: { mint = '' } }, answers) => [
    personal(tokenCallsQuery(mint).queryKey, await answers.tokenCalls(mint)),
  ],

  '/call/$id': async ({ params: { id = '' } }, answers) => {
    const [call, chart] = await Promise.all([answers.call(id), answers.callChart(id)]);
    const caller = await answers.caller(call.callerId);
    return [
      shared(callQuery(id).queryKey, call),
      shared(callChartQuery(call).queryKey, chart),
      personal(callerQuery(call.callerId).queryKey, caller),
    ];
  },
};

/** @throws an error if the server doesn't render this page, or if an answer fails */
export async function findFirstAnswers(
  page: OpenedPage,
  answers: PublicAnswers,
): Promise<readonly FirstAnswer[]> {
  const find = finders[page.routeId];
  if (!find) throw new Error(`The server doesn't render ${page.routeId}.`);
  return find(page, answers);
}

const onePage = (page: unknown) => ({ pages: [page], pageParams: [null] });

function shared(queryKey: QueryKey, data: unknown): FirstAnswer {
  return { queryKey, data, isPersonal: false };
}

function personal(queryKey: QueryKey, data: unknown): FirstAnswer {
  return { queryKey, data, isPersonal: true };
}
