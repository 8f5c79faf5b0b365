import type { LivePrices } from '#schema/contracts/live.ts';
import type { ShownPrice } from '#schema/contracts/prices.ts';
import { secureRandom } from '../../../shared/ids.ts';
import type { PricesService } from '../../market/prices/prices.service.ts';
import type { ShownCall, ViewedCaller } from './live.repository.ts';

/** All open pages together get one person's share of a price source's rate limit, and share the responses. */
const OPEN_PAGES = 'open pages';

/** The prices of the callers' active calls, by call id. Doesn't check access. */
export async function readPrices(
  prices: PricesService,
  callers: readonly ViewedCaller[],
): Promise<ReadonlyMap<string, ShownPrice>> {
  const calls = rotate(callers.flatMap((caller) => caller.calls));
  const found = await prices.livePrices({ calls, person: OPEN_PAGES, audience: OPEN_PAGES });
  return new Map(
    calls.flatMap(({ id }, index) => {
      const price = found[index];
      return price === undefined ? [] : [[id, price] as const];
    }),
  );
}

/** One message with the known prices of all these callers' calls, or none. */
export function writePrices(
  known: ReadonlyMap<string, ShownPrice>,
  callers: readonly ViewedCaller[],
): string[] {
  const ids = callers.flatMap((caller) => caller.calls.map(({ id }) => id));
  const prices = ids.flatMap((id) => {
    const price = known.get(id);
    return price === undefined ? [] : [[id, price] as const];
  });
  if (prices.length === 0) return [];
  return [JSON.stringify({ prices: Object.fromEntries(prices) } satisfies LivePrices)];
}

/** Starts at a random token, so that a source's used-up limit doesn't always leave out the same ones. */
function rotate(calls: readonly ShownCall[]): readonly ShownCall[] {
  // In the order of tokens, so that a place tells nothing about who else has called a token.
  const sorted = calls.toSorted((one, other) => (one.mint < other.mint ? -1 : 1));
  const first = Math.floor(secureRandom() * sorted.length);
  return [...sorted.slice(first), ...sorted.slice(0, first)];
}
