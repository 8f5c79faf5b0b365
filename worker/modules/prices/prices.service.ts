import { JUPITER_MAX_MINTS, MAX_MINTS_PER_REQUEST, SECOND_MS } from '#schema/constants.ts';
import type { ShownPrice, ShownPrices, TokenLookup } from '#schema/contracts/prices.ts';
import { decideQuote, seenAt, type QuoteDecision } from '#schema/rules/quotes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Lifetime } from '../../ports/lifetime.ts';
import type { PriceSource, TokenIdentity, TokenQuote } from '../../ports/price-source.ts';
import { askInTurn } from './bulk-prices.ts';
import type { StoredPrice } from './price-shards.ts';
import type { PriceStore } from './price-store.ts';
import {
  createQuoteRefusedError,
  createTokenLookupFailedError,
  createTokenNotFoundError,
} from './prices.errors.ts';
import { createBatchedCache } from './batched-cache.ts';
import { createSlotReader, type SlotPort } from './chain-slot.ts';
import { lookUpTokens } from './token-lookup.ts';

/** A price that may open or end a call, with everything that was asked for it. */
export interface FreshQuote {
  readonly price: string;
  readonly quotes: readonly TokenQuote[];
  readonly recordedSource: string;
  /** What the sources call the token; null when none says. */
  readonly token: TokenIdentity | null;
}

/**
 * Sources are a few slots behind: a price that was seen so shortly before its window began is of that window. Else its
 * time would say when in the window it was asked for, and so whether somebody watches.
 */
const SEEN_AT_ONCE_MS = 5 * SECOND_MS;

/** `sources` in order of preference. */
export function createPricesService({
  sources,
  store,
  slots,
  clock,
  lifetime,
}: {
  sources: readonly [PriceSource, ...PriceSource[]];
  store: PriceStore;
  slots: SlotPort;
  clock: Clock;
  lifetime: Lifetime;
}) {
  const readSlot = createSlotReader({ slots, clock });

  /** At most 50 prices from the first source that answers, and from the next ones what it leaves out. @throws when none answers */
  const askPrices = async (mints: readonly string[]): Promise<ReadonlyMap<string, StoredPrice>> => {
    const current = readSlot();
    let failure: unknown;
    for (const [index, source] of sources.entries()) {
      try {
        return await askInTurn({ sources: [source, ...sources.slice(index + 1)], mints, current, clock });
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  };

  // What is shown is of whole windows of five seconds: an age that differs from mint to mint would tell
  // which ones somebody watches.
  const shared = { batchSize: JUPITER_MAX_MINTS, clock, lifetime };
  const shownPrices = createBatchedCache({ ...shared, ask: askPrices });
  const shownTokens = createBatchedCache({
    ...shared,
    ask: (mints) => lookUpTokens({ sources, mints, current: readSlot(), clock }),
  });

  // Names do not change: what was once heard is not asked again while the isolate lives.
  const named = new Map<string, TokenIdentity>();

  return {
    /**
     * Asks every source now, past all caches.
     * @param action what does not happen when the price is refused, for the error's sentence.
     * @throws prices.unavailable, prices.missing, prices.stale, prices.disagree
     */
    async freshQuote({ mint, action }: { mint: string; action: string }): Promise<FreshQuote> {
      const [fetched, current] = await Promise.all([
        Promise.all(sources.map((source) => source.quote(mint))),
        readSlot(),
      ]);
      const quotes = fetched.map((quote) => ({
        ...quote,
        quotedAt: seenAt({ fetchedAt: quote.quotedAt, blockId: quote.blockId, current }),
      }));
      const decision: QuoteDecision = decideQuote({
        quotes,
        now: clock.now(),
        isSlotKnown: current !== null,
      });
      if ('refusal' in decision) throw createQuoteRefusedError({ refusal: decision.refusal, action });
      return {
        price: decision.recorded.price,
        quotes,
        recordedSource: decision.recorded.source,
        token: quotes.find((quote) => quote.token !== null)?.token ?? null,
      };
    },

    /**
     * Prices for people, fetched at most five seconds ago, and as old as their source saw them before. What no source
     * answers is left out: an older price that is kept for the mints of active calls would tell everybody which those are.
     */
    async shownPrices(mints: readonly string[]): Promise<ShownPrices> {
      const at = shownPrices.windowStart();
      const found = await Promise.all(mints.map((mint) => shownPrices.get(mint).catch(() => undefined)));
      return Object.fromEntries(
        mints.flatMap((mint, index) =>
          found[index]
            ? [
                [
                  mint,
                  describeStored({ ...found[index], at: shownAt({ window: at, seenAt: found[index].at }) }),
                ],
              ]
            : [],
        ),
      );
    },

    /** The last prices that the cron stored, each with its time. Only for who may know the mints. */
    async storedPrices(mints: readonly string[]): Promise<ShownPrices> {
      const stored = await store.read(mints);
      return Object.fromEntries([...stored].map(([mint, price]) => [mint, describeStored(price)]));
    },

    /** A token by its mint, with what it costs and what is known of it, fetched at most five seconds ago. @throws tokens.not_found, prices.unavailable */
    async lookupToken(mint: string): Promise<TokenLookup> {
      const window = shownTokens.windowStart();
      const token = await shownTokens.get(mint).catch(() => {
        throw createTokenLookupFailedError();
      });
      if (!token) throw createTokenNotFoundError();
      const { seenAt: at, ...known } = token;
      return { ...known, at: new Date(shownAt({ window, seenAt: at })).toISOString() };
    },

    /**
     * What tokens are called, for lists of them. A mint that no source knows is left out, and so is one that
     * would need more than one answer of each source. Never throws: a name is no reason to fail.
     */
    async describeTokens(mints: readonly string[]): Promise<ReadonlyMap<string, TokenIdentity>> {
      const found = new Map(
        mints.flatMap((mint) => (named.has(mint) ? [[mint, named.get(mint) as TokenIdentity] as const] : [])),
      );
      const asked = [...new Set(mints)].filter((mint) => !found.has(mint)).slice(0, MAX_MINTS_PER_REQUEST);
      for (const source of sources) {
        const missing = asked.filter((mint) => !found.has(mint));
        if (missing.length === 0) break;
        const tokens = await source.tokens(missing).catch(() => new Map<string, never>());
        for (const [mint, { symbol, name, logoURI }] of tokens) {
          const token = { symbol, name, logoURI };
          found.set(mint, token);
          remember(named, mint, token);
        }
      }
      return found;
    },
  };
}

/** As of when a price is that is shown, unix ms: of its window, unless its source saw it well before. */
function shownAt({ window, seenAt }: { window: number; seenAt: number }): number {
  return seenAt < window - SEEN_AT_ONCE_MS ? seenAt : window;
}

function describeStored({ price, at, source }: StoredPrice): ShownPrice {
  return { price, at: new Date(at).toISOString(), source };
}

const MAX_REMEMBERED = 2_000;

function remember<Value>(memory: Map<string, Value>, mint: string, value: Value): void {
  if (memory.size >= MAX_REMEMBERED) memory.clear();
  memory.set(mint, value);
}
