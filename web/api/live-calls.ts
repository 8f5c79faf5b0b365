import type { Query, QueryClient } from '@tanstack/react-query';
import type { CallDetail, TokenCall, TokenCalls } from '#schema/contracts/calls.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { LiveCall } from '#schema/contracts/live.ts';
import type { ShownPrices } from '#schema/contracts/prices.ts';
import { youngerPrice } from '#schema/rules/prices/price-age.ts';
import { activeCallsQuery, callerHistoryQuery, callQuery } from './calls.queries.ts';
import { followedCallsQuery } from './subscriptions.queries.ts';

/** Puts a changed call into the data that the page has already fetched, so that it needs no request. */
export function showChangedCall(queryClient: QueryClient, { call, caller, isFollowed }: LiveCall): void {
  const { callerId, id } = call;
  queryClient.setQueryData(callQuery(id).queryKey, (known) => known && withKnownPrice(call, known));
  queryClient.setQueryData(
    activeCallsQuery(callerId).queryKey,
    (known) => known && placeCall(known, call).filter(({ isActive }) => isActive),
  );
  queryClient.setQueryData(callerHistoryQuery(callerId).queryKey, (known) => known && placeCall(known, call));
  queryClient.setQueryData(followedCallsQuery.queryKey, (known) => {
    const isListed = isFollowed || known?.some((each) => each.id === id);
    return known && isListed ? placeCall(known, call) : known;
  });
  if (caller === null) return;
  const showCaller = (known: CallerProfile | undefined) =>
    known?.id === callerId
      ? { ...known, ...caller, activeCallCount: caller.totalCalls - caller.endedCalls }
      : known;
  queryClient.setQueriesData({ queryKey: ['callers', 'profile'] }, showCaller);
}

export function showPrices(queryClient: QueryClient, prices: ShownPrices): void {
  const showPrice = <Call extends TokenCall>(call: Call): Call => {
    const price = call.isActive ? prices[call.id] : undefined;
    return price === undefined ? call : { ...call, lastPrice: youngerPrice(price, call.lastPrice) };
  };
  for (const query of findPricedQueries(queryClient)) {
    queryClient.setQueryData(query.queryKey, (known: PricedData) => {
      if (isList(known)) return known.map(showPrice);
      return 'active' in known ? { ...known, active: known.active.map(showPrice) } : showPrice(known);
    });
  }
}

type PricedData = readonly TokenCall[] | CallDetail | TokenCalls;

const isList = (data: PricedData): data is readonly TokenCall[] => Array.isArray(data);

export function findPricedQueries(queryClient: QueryClient): Query[] {
  return queryClient.getQueryCache().findAll({
    type: 'active',
    predicate: ({ queryKey: [area, kind, , part], state: { data } }) => {
      const isPriced =
        (area === 'subscriptions' && kind === 'calls') ||
        (area === 'token-calls' && ['caller', 'one', 'token'].includes(String(kind)) && part !== 'chart');
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The keys belong to queries of calls.
      return isPriced && data !== undefined && hasActive(data as PricedData);
    },
  });
}

function hasActive(data: PricedData): boolean {
  if (isList(data)) return data.some(({ isActive }) => isActive);
  return 'active' in data ? data.active.length > 0 : data.isActive;
}

/** Events carry no price. */
function withKnownPrice<Call extends TokenCall>(call: Call, known: TokenCall | undefined): Call {
  const lastPrice = call.isActive ? known?.lastPrice : undefined;
  return lastPrice === undefined ? call : { ...call, lastPrice };
}

/** Lists have the active calls first. A call that is new or has ended moves to the front of its part. */
export function placeCall(calls: readonly TokenCall[], changed: CallDetail): TokenCall[] {
  const known = calls.find(({ id }) => id === changed.id);
  const call = withKnownPrice(changed, known);
  if (known?.isActive === call.isActive) return calls.map((each) => (each === known ? call : each));
  const others = calls.filter((each) => each !== known);
  const active = others.filter(({ isActive }) => isActive);
  const ended = others.filter(({ isActive }) => !isActive);
  return call.isActive ? [call, ...active, ...ended] : [...active, call, ...ended];
}
