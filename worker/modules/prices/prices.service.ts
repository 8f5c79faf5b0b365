import { JUPITER_MAX_MINTS, MAX_MINTS_PER_REQUEST, MAX_SHOWN_PRICE_AGE_MS } from '#schema/constants.ts';
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

/** `sources` in order of preference; `recent` is this isolate's memory of shown prices. */
export function createPricesService({
  sources,
  store,
  clock,
  recent,
}: {
  sources: readonly [PriceSource, ...PriceSource[]];
  store: PriceStore;
  clock: Clock;
  recent: Map<string, StoredPrice>;
}) {
  const askAll = (mint: string) => Promise.all(sources.map((source) => source.quote(mint)));
  // Shown prices are of whole windows of ten seconds: an age that differs from mint to mint would tell
  // which ones somebody watches.
  const windowStart = () => Math.floor(clock.now() / MAX_SHOWN_PRICE_AGE_MS) * MAX_SHOWN_PRICE_AGE_MS;

  /** Prices from the first source that answers, in calls of at most 50 mints. */
  const fetchPrices = async (mints: readonly string[], at: number): Promise<Map<string, StoredPrice>> => {
    const fetched = new Map<string, StoredPrice>();
    for (let start = 0; start < mints.length; start += JUPITER_MAX_MINTS) {
      const batch = mints.slice(start, start + JUPITER_MAX_MINTS);
      for (const source of sources) {
        const prices = await source.prices(batch).catch(() => null);
        if (prices === null) continue;
        for (const [mint, price] of prices) fetched.set(mint, { price, at, source: source.name });
        break;
      }
    }
    return fetched;
  };

  // Names do not change: what was once heard is not asked again while the isolate lives.
  const named = new Map<string, TokenIdentity>();

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

    /**
     * Prices for people, at most ten seconds old. What no source answers is left out: an older price that
     * is kept for the mints of active calls would tell everybody which those are.
     */
    async shownPrices(mints: readonly string[]): Promise<ShownPrices> {
      const at = windowStart();
      const missing = mints.filter((mint) => recent.get(mint)?.at !== at);
      const fetched = missing.length === 0 ? new Map<string, StoredPrice>() : await fetchPrices(missing, at);
      const shown: Record<string, ShownPrice> = {};
      for (const mint of mints) {
        const price = fetched.get(mint) ?? (missing.includes(mint) ? undefined : recent.get(mint));
        if (price) shown[mint] = describeStored(price);
      }
      for (const [mint, price] of fetched) remember(recent, mint, price);
      return shown;
    },

    /** The last prices that the cron stored, each with its time. Only for who may know the mints. */
    async storedPrices(mints: readonly string[]): Promise<ShownPrices> {
      const stored = await store.read(mints);
      return Object.fromEntries([...stored].map(([mint, price]) => [mint, describeStored(price)]));
    },

    /** A token by its mint, with its price now. @throws tokens.not_found, prices.unavailable */
    async lookupToken(mint: string): Promise<TokenLookup> {
      const quotes = await askAll(mint);
      const known = quotes.find((quote) => quote.token !== null);
      if (!known?.token) {
        throw quotes.every((quote) => quote.failure === 'unavailable') ? createTokenLookupFailedError() : createTokenNotFoundError();
      }
      const priced = quotes.find((quote) => quote.price !== null);
      return { mint, ...known.token, price: priced?.price ?? null, liquidityUsd: priced?.liquidityUsd ?? null, createdAt: null, holderCount: null,
        safety: { isMintAuthorityDisabled: null, isFreezeAuthorityDisabled: null, topHoldersPercent: null, isSuspicious: null, isVerified: null }, lookAlikes: [], at: new Date(clock.now()).toISOString() };
    },

    /**
     * What tokens are called, for lists of them. A mint that no source knows is left out, and so is one that
     * would need more than one answer of each source. Never throws: a name is no reason to fail.
     */
    async describeTokens(mints: readonly string[]): Promise<ReadonlyMap<string, TokenIdentity>> {
      const found = new Map(mints.flatMap((mint) => (named.has(mint) ? [[mint, named.get(mint) as TokenIdentity] as const] : [])));
      const asked = [...new Set(mints)].filter((mint) => !found.has(mint)).slice(0, MAX_MINTS_PER_REQUEST);
      for (const source of sources) {
        const missing = asked.filter((mint) => !found.has(mint));
        if (missing.length === 0) break;
        const tokens = await source.tokens(missing).catch(() => new Map<string, TokenIdentity>());
        for (const [mint, token] of tokens) {
          found.set(mint, token);
          remember(named, mint, token);
        }
      }
      return found;
    },
  };
}

function describeStored({ price, at, source }: StoredPrice): ShownPrice {
  return { price, at: new Date(at).toISOString(), source };
}

const MAX_REMEMBERED = 2_000;

function remember<Value>(memory: Map<string, Value>, mint: string, value: Value): void {
  if (memory.size >= MAX_REMEMBERED) memory.clear();
  memory.set(mint, value);
}
