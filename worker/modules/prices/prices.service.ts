import { JUPITER_MAX_MINTS, MAX_SHOWN_PRICE_AGE_MS } from '#schema/constants.ts';
import type { ShownPrice, ShownPrices, TokenLookup } from '#schema/contracts/prices.ts';
import { decideQuote, type QuoteDecision } from '#schema/rules/quotes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PriceSource, TokenIdentity, TokenQuote } from '../../ports/price-source.ts';
import type { StoredPrice } from './price-shards.ts';
import type { PriceStore } from './price-store.ts';
import { createQuoteRefusedError, createTokenLookupFailedError, createTokenNotFoundError } from './prices.errors.ts';

/** A price that may open or end a call, with everything that was asked for it. */
export interface FreshQuote {
  readonly price: string;
  readonly quotes: readonly TokenQuote[];
  readonly recordedSource: string;
  /** What the sources call the token; null when none says. */
  readonly token: TokenIdentity | null;
}

/** Which mints have an active call now. */
export interface ActiveMints {
  listActiveMints(): Promise<string[]>;
}

export type PricesService = ReturnType<typeof createPricesService>;

/** `sources` in order of preference; `recent` is this isolate's memory of shown prices. */
export function createPricesService({
  sources,
  store,
  activeMints,
  clock,
  recent,
}: {
  sources: readonly [PriceSource, ...PriceSource[]];
  store: PriceStore;
  activeMints: ActiveMints;
  clock: Clock;
  recent: Map<string, StoredPrice>;
}) {
  const askAll = (mint: string) => Promise.all(sources.map((source) => source.quote(mint)));
  const isFreshEnough = (price: StoredPrice | undefined) => price !== undefined && clock.now() - price.at <= MAX_SHOWN_PRICE_AGE_MS;

  /** Prices from the first source that answers, in calls of at most 50 mints. */
  const fetchPrices = async (mints: readonly string[]): Promise<Map<string, StoredPrice>> => {
    const fetched = new Map<string, StoredPrice>();
    for (let start = 0; start < mints.length; start += JUPITER_MAX_MINTS) {
      const batch = mints.slice(start, start + JUPITER_MAX_MINTS);
      for (const source of sources) {
        const prices = await source.prices(batch).catch(() => null);
        if (prices === null) continue;
        for (const [mint, price] of prices) fetched.set(mint, { price, at: clock.now(), source: source.name });
        break;
      }
    }
    return fetched;
  };

  return {
    /**
     * Asks every source now, past all caches.
     * @param action what does not happen when the price is refused, for the error's sentence.
     * @throws prices.unavailable, prices.missing, prices.stale, prices.disagree
     */
    async freshQuote({ mint, action }: { mint: string; action: string }): Promise<FreshQuote> {
      const quotes = await askAll(mint);
      const decision: QuoteDecision = decideQuote(quotes, clock.now());
      if ('refusal' in decision) throw createQuoteRefusedError({ refusal: decision.refusal, action });
      return {
        price: decision.recorded.price,
        quotes,
        recordedSource: decision.recorded.source,
        token: quotes.find((quote) => quote.token !== null)?.token ?? null,
      };
    },

    /** Prices for people: at most ten seconds old where a source answers, else the last known with its time. */
    async shownPrices(mints: readonly string[]): Promise<ShownPrices> {
      const known = new Map<string, StoredPrice>();
      for (const mint of mints) {
        const price = recent.get(mint);
        if (price) known.set(mint, price);
      }
      const stale = mints.filter((mint) => !isFreshEnough(known.get(mint)));
      if (stale.length > 0) {
        const fetched = await fetchPrices(stale);
        const stored = await store.read(stale.filter((mint) => !fetched.has(mint) && !known.has(mint)));
        for (const [mint, price] of [...fetched, ...stored]) {
          known.set(mint, price);
          remember(recent, mint, price);
        }
      }
      const shown: Record<string, ShownPrice> = {};
      for (const [mint, { price, at, source }] of known) shown[mint] = { price, at: new Date(at).toISOString(), source };
      return shown;
    },

    /** A token by its mint, with its price now. @throws tokens.not_found, prices.unavailable */
    async lookupToken(mint: string): Promise<TokenLookup> {
      const quotes = await askAll(mint);
      const known = quotes.find((quote) => quote.token !== null);
      if (!known?.token) {
        throw quotes.every((quote) => quote.failure === 'unavailable') ? createTokenLookupFailedError() : createTokenNotFoundError();
      }
      const priced = quotes.find((quote) => quote.price !== null);
      return { mint, ...known.token, price: priced?.price ?? null, liquidityUsd: priced?.liquidityUsd ?? null };
    },

    /** Refreshes the stored prices of all mints in active calls. */
    async refreshStored(): Promise<{ mints: number; priced: number; writes: number }> {
      const mints = await activeMints.listActiveMints();
      const prices = await fetchPrices(mints);
      const writes = await store.replace(prices, mints);
      return { mints: mints.length, priced: prices.size, writes };
    },
  };
}

const MAX_REMEMBERED = 2_000;

function remember(recent: Map<string, StoredPrice>, mint: string, price: StoredPrice): void {
  if (recent.size >= MAX_REMEMBERED) recent.clear();
  recent.set(mint, price);
}
