import { ENDED_CALLS_FILTERS } from '#schema/constants/market.ts';
import { TOKEN_SYMBOL_MAX_LENGTH } from '#schema/constants/prices.ts';
import { normalizeSymbol } from '#schema/rules/text/search.ts';
import type { EndedCallsFilter } from '#web/api/calls.queries.ts';

/** The filter in the URL. At most one, because each has an index of its own. */
export function readEndedCallsFilter(raw: Record<string, unknown>): EndedCallsFilter {
  const only = ENDED_CALLS_FILTERS.find((each) => each === raw['only']);
  if (only) return { only };
  const symbol = normalizeSymbol(String(raw['symbol'] ?? '').slice(0, TOKEN_SYMBOL_MAX_LENGTH));
  return symbol === '' ? {} : { symbol };
}
