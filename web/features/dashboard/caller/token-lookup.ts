import { queryOptions } from '@tanstack/react-query';
import { POLL_MS, PRICE_RETRIES } from '#schema/constants/web.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { LookAlike, TokenLookup } from '#schema/contracts/prices.ts';
import { ApiError, ConnectionError, hasCode } from '#web/api/api-error.ts';
import { tokenQuery } from '#web/api/tokens.queries.ts';

/** Looks up a token and keeps its price current. Doesn't wait for a connection. */
export const liveTokenQuery = (mint: string | null) =>
  queryOptions({
    ...tokenQuery(mint ?? ''),
    enabled: mint !== null,
    staleTime: 0,
    networkMode: 'always',
    refetchOnReconnect: true,
    refetchInterval: ({ state }) => (state.data ? POLL_MS.prices : false),
    retry: (failures, error) =>
      failures < PRICE_RETRIES && !(error instanceof ApiError && error.status < 500),
  });

/** The specification's text for a failed lookup. A malformed address gets the text for an unknown token. */
export function lookupProblem(error: unknown): string {
  if (error instanceof ConnectionError) return error.reason;
  return hasCode(error, 'tokens.not_found') || hasCode(error, 'request.invalid')
    ? 'Token not found'
    : 'Failed to lookup token';
}

/** Adds the better-known token that the search found. The lookup alone compares only symbols. */
export function withLookAlike(token: TokenLookup, found: LookAlike | null): TokenLookup {
  if (found === null || token.lookAlikes?.some(({ mint }) => mint === found.mint)) return token;
  return { ...token, lookAlikes: [found, ...(token.lookAlikes ?? [])] };
}

/** The active call that prevents a new one: of the same mint, else of the same symbol. */
export function findActiveCall(
  activeCalls: readonly TokenCall[] | undefined,
  token: Pick<TokenLookup, 'mint' | 'symbol'>,
): TokenCall | null {
  const sameSymbol = (call: TokenCall) => call.tokenSymbol.toLowerCase() === token.symbol.toLowerCase();
  return activeCalls?.find((call) => call.tokenMint === token.mint) ?? activeCalls?.find(sameSymbol) ?? null;
}

export function priceFromMovedError(error: unknown): string | null {
  if (!hasCode(error, 'calls.price_moved')) return null;
  const { currentPrice } = error.details;
  return typeof currentPrice === 'string' ? currentPrice : null;
}
