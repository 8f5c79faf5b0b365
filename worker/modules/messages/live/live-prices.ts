import { MAX_LIVE_CALLS, MAX_LIVE_TOKENS } from '#schema/constants/messages.ts';
import type { LivePrices } from '#schema/contracts/live.ts';
import type { ShownPrice } from '#schema/contracts/prices.ts';
import { secureRandom } from '../../../shared/ids.ts';
import type { PricesService } from '../../market/prices/prices.service.ts';
import type { LiveRepository, ViewedCaller } from './live.repository.ts';

/** All open pages together get one person's share of a price source's rate limit. */
const OPEN_PAGES = 'open pages';

type KnownPrice = readonly [callId: string, price: ShownPrice];
/** The prices of active calls, by caller. */
export type KnownPrices = ReadonlyMap<string, readonly KnownPrice[]>;

interface PricesToRead {
  readonly repository: LiveRepository;
  readonly prices: PricesService;
  /** The starts of the callers' ids. */
  readonly starts: readonly string[];
  /** The hub. Hubs share no responses: a fresh price would reveal a call that only viewers in another hub see. */
  readonly audience: string;
}

/**
 * The prices of the callers' active calls. Doesn't check access. With too many, each time reads others. Asks for the
 * tokens in random order, each once. So a token's chance of a fresh price doesn't tell whether others have called it, even
 * if a source's limit is used up.
 */
export async function readPrices(options: PricesToRead): Promise<KnownPrices> {
  const { repository, prices, starts, audience } = options;
  const some = inRandomOrder(starts).slice(0, MAX_LIVE_CALLS);
  const calls = await repository.listActiveCalls(some, MAX_LIVE_CALLS);
  const byMint = Map.groupBy(calls, ({ mint }) => mint);
  const chosen = inRandomOrder([...byMint.values()])
    .slice(0, MAX_LIVE_TOKENS)
    .flat();
  const found = await prices.livePrices({ calls: chosen, person: OPEN_PAGES, audience });
  const known = chosen.flatMap(({ callerId, id }, index) => {
    const price = found[index];
    return price === undefined ? [] : [{ callerId, known: [id, price] as const }];
  });
  return new Map(
    [...Map.groupBy(known, ({ callerId }) => callerId)].map(([callerId, group]) => [
      callerId,
      group.map((each) => each.known),
    ]),
  );
}

/** One message with the known prices of all these callers' calls, or none. */
export function writePrices(known: KnownPrices, callers: readonly ViewedCaller[]): string[] {
  const prices = callers.flatMap(({ callerId }) => known.get(callerId) ?? []);
  if (prices.length === 0) return [];
  return [JSON.stringify({ prices: Object.fromEntries(prices) } satisfies LivePrices)];
}

const inRandomOrder = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, place: secureRandom() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
