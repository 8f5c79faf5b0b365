import { JUPITER_MAX_MINTS, MINUTE_MS, SECOND_MS, WRAPPED_SOL_MINT } from '#schema/constants.ts';
import type { ShownPrice, ShownPrices, SolPrice, TokenLookup } from '#schema/contracts/prices.ts';
import {
  decideQuote,
  isStale,
  isUnpriced,
  lowestQuote,
  seenAt,
  usableQuotes,
  type CallSide,
  type ChainSlot,
  type PricedQuote,
  type QuoteInput,
} from '#schema/rules/quotes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Lifetime } from '../../ports/lifetime.ts';
import {
  SourceBackoffError,
  type Asking,
  type PriceSource,
  type TokenIdentity,
  type TokenQuote,
} from '../../ports/price-source.ts';
import { askPrices } from './ask-sources.ts';
import { createBatchedCache } from './batched-cache.ts';
import type { StoredPrice } from './price-shards.ts';
import type { PriceStore } from './price-store.ts';
import {
  createPricesBusyError,
  createQuoteRefusedError,
  createTokenLookupFailedError,
  createTokenNotFoundError,
} from './prices.errors.ts';
import { lookUpTokens } from './token-lookup.ts';
import { createTokenNames } from './token-names.ts';

export interface FreshQuote {
  readonly price: string;
  readonly quotes: readonly TokenQuote[];
  /** The quotes that are fresh and have a known age. They confirm the price. */
  readonly usableQuotes: readonly TokenQuote[];
  readonly recordedSource: string;
  readonly token: TokenIdentity | null;
}

export interface BackgroundQuote {
  readonly quotes: readonly TokenQuote[];
  /** Null if no price may be recorded. */
  readonly fresh: FreshQuote | null;
  /** The lowest usable price, even if the sources contradict each other; null without one. */
  readonly lowest: FreshQuote | null;
  /** Whether every source answered, and none has seen a price within UNPRICED_END_MS. */
  readonly isUnpriced: boolean;
}

export interface QuoteRequest {
  readonly mint: string;
  /** The user who opens or ends a call. */
  readonly userId: string;
  readonly side: CallSide;
}

/**
 * Sources lag by a few slots. If a source saw a price at most this long before the five-second window began,
 * the price gets the start of the window as its time. The exact time would reveal that another user had
 * requested the price.
 */
const SOURCE_LAG_MS = 5 * SECOND_MS;

export interface PricesOptions {
  /** The price sources in order of preference. */
  readonly sources: readonly PriceSource[];
  readonly store: PriceStore;
  readonly readSlot: () => Promise<ChainSlot | null>;
  readonly clock: Clock;
  readonly lifetime: Lifetime;
}

export function createPricesService({ sources, store, readSlot, clock, lifetime }: PricesOptions) {
  // In both caches, the lifetime of all prices starts at the same moment. Otherwise the age of a price
  // would show that another user has watched its mint.
  const shared = { batchSize: JUPITER_MAX_MINTS, clock, lifetime };
  const priceCache = createBatchedCache({
    ...shared,
    fetch: async (mints) => (await askPrices({ sources, mints, current: readSlot(), clock })).answers,
  });
  const tokenCache = createBatchedCache({
    ...shared,
    fetch: (mints) => lookUpTokens({ sources, mints, current: readSlot(), clock }),
  });

  /** @throws SourceBackoffError if we have used up a source's rate limit */
  const askForQuotes = async (mint: string, asking: Asking) => {
    const [fetched, current] = await Promise.all([
      Promise.all(sources.map((source) => source.quote(mint, asking))),
      readSlot(),
    ]);
    const quotes = fetched.map((quote) => ({
      ...quote,
      quotedAt: seenAt({ fetchedAt: quote.quotedAt, blockId: quote.blockId, current }),
    }));
    return { quotes, now: clock.now(), isSlotKnown: current !== null };
  };

  return {
    ...createTokenNames({ sources, clock }),

    /**
     * Asks all sources now, without a cache.
     * @throws prices.unavailable, prices.missing, prices.stale, prices.disagree, prices.busy
     */
    async freshQuote({ mint, userId, side }: QuoteRequest): Promise<FreshQuote> {
      const input = await askForQuotes(mint, { isUrgent: true, person: userId }).catch((error: unknown) => {
        if (!(error instanceof SourceBackoffError)) throw error;
        throw createPricesBusyError({ side, waitMs: error.retryAt - clock.now() });
      });
      const decision = decideQuote(input, side);
      if ('refusal' in decision) throw createQuoteRefusedError(decision.refusal, side);
      return describeQuotes(input, decision.recorded);
    },

    /** Like `freshQuote`, but with low priority, for the cron. Never throws. */
    async backgroundQuote(mint: string): Promise<BackgroundQuote> {
      const input = await askForQuotes(mint, { isUrgent: false, person: null }).catch((error: unknown) => {
        if (error instanceof SourceBackoffError) return null;
        throw error;
      });
      if (input === null) return { quotes: [], fresh: null, lowest: null, isUnpriced: false };
      const decision = decideQuote(input, 'end');
      const lowest = lowestQuote(input);
      return {
        quotes: input.quotes,
        fresh: 'refusal' in decision ? null : describeQuotes(input, decision.recorded),
        lowest: lowest && describeQuotes(input, lowest),
        isUnpriced: isUnpriced(input),
      };
    },

    /**
     * The price that everybody is shown, at most five seconds old; null if there is none. It never opens or
     * ends a call.
     */
    async recentPrice(mint: string): Promise<string | null> {
      const recent = await priceCache.get(mint).catch(() => undefined);
      return recent === undefined || isStale({ at: recent.at, now: clock.now() }) ? null : recent.price;
    },

    /**
     * Prices fetched at most five seconds ago. Leaves out mints without a current price instead of
     * returning their stored price. Only mints with active calls have a stored price, so returning it would
     * reveal these calls.
     */
    async shownPrices(mints: readonly string[]): Promise<ShownPrices> {
      const window = priceCache.windowStart();
      const found = await Promise.all(
        mints.map(async (mint) => {
          const price = await priceCache.get(mint).catch(() => undefined);
          if (price === undefined) return [];
          return [[mint, describePrice({ ...price, at: shownAt({ window, seenAt: price.at }) })] as const];
        }),
      );
      return Object.fromEntries(found.flat());
    },

    /** The last stored prices. Check first that the viewer has access to calls of these mints. */
    async storedPrices(mints: readonly string[]): Promise<ShownPrices> {
      const stored = await store.read(mints);
      return Object.fromEntries([...stored].map(([mint, price]) => [mint, describePrice(price)]));
    },

    /** The stored price of SOL. Only for display. */
    solPrice: () => readSolPrice(store),

    /** A token, fetched at most five seconds ago. @throws tokens.not_found, prices.unavailable */
    async lookupToken(mint: string): Promise<TokenLookup> {
      const window = tokenCache.windowStart();
      const token = await tokenCache.get(mint).catch(() => {
        throw createTokenLookupFailedError();
      });
      if (!token) throw createTokenNotFoundError();
      const { seenAt: at, ...facts } = token;
      return { ...facts, at: new Date(shownAt({ window, seenAt: at })).toISOString() };
    },
  };
}

/**
 * The cron refreshes this price whether or not SOL is called, so it reveals no call. Its time is a whole minute, because
 * the exact one would show how many mints were refreshed before it.
 */
async function readSolPrice(store: PriceStore): Promise<SolPrice> {
  const stored = (await store.read([WRAPPED_SOL_MINT])).get(WRAPPED_SOL_MINT);
  if (stored === undefined) return { sol: null };
  return { sol: describePrice({ ...stored, at: stored.at - (stored.at % MINUTE_MS) }) };
}

function describeQuotes(input: QuoteInput<TokenQuote>, recorded: PricedQuote): FreshQuote {
  return {
    price: recorded.price,
    quotes: input.quotes,
    usableQuotes: usableQuotes(input),
    recordedSource: recorded.source,
    token: input.quotes.find((quote) => quote.token !== null)?.token ?? null,
  };
}

function shownAt({ window, seenAt }: { window: number; seenAt: number }): number {
  return seenAt < window - SOURCE_LAG_MS ? seenAt : window;
}

function describePrice({ price, at, source }: StoredPrice): ShownPrice {
  return { price, at: new Date(at).toISOString(), source };
}
