import { z } from 'zod';
import { PRICE_SOURCES } from '#schema/constants/prices.ts';
import { isSolOrStableCoin } from '#schema/rules/calls/stable-coin-mints.ts';
import { readPrice } from '#schema/rules/prices/prices.ts';
import { UNKNOWN_SAFETY } from '#schema/rules/prices/token-safety.ts';
import type { Clock } from '../ports/clock.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { PriceSource, RequestPriority } from '../ports/price-source.ts';
import { splitBatches } from '../shared/batches.ts';
import { createSourceGuard } from './guarded-source.ts';
import {
  describeToken,
  quoteFrom,
  readEntries,
  readIdentity,
  textSchema,
  type FoundPrice,
} from './quotes.ts';

const NAME = 'dexscreener';
const LIMITS = PRICE_SOURCES[NAME];
const MAX_TIME_MS = 8.64e15;

// A malformed field counts as missing, so that the price in the same entry stays usable.
const figureSchema = z.number().min(0).nullish().catch(null);
const pairSchema = z.object({
  chainId: z.string().nullish().catch(null),
  baseToken: z.object({
    address: z.string(),
    symbol: textSchema,
    name: textSchema,
  }),
  quoteToken: z.object({ address: z.string() }),
  priceUsd: z.unknown().optional(),
  priceNative: z.unknown().optional(),
  liquidity: z.object({ usd: figureSchema, quote: figureSchema }).nullish().catch(null),
  volume: z.object({ h24: figureSchema }).nullish().catch(null),
  marketCap: figureSchema,
  pairCreatedAt: z.int().min(0).max(MAX_TIME_MS).nullish().catch(null),
  info: z.object({ imageUrl: z.string().nullish() }).nullish().catch(null),
});
type Pair = z.infer<typeof pairSchema>;

const CHAIN = 'solana';
const readPairs = readEntries(pairSchema);
/** DexScreener may send null instead of an empty list. */
const searchSchema = z.object({ pairs: z.unknown() }).transform(({ pairs }) => readPairs(pairs ?? []));

export interface DexscreenerOptions {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly metrics?: Metrics;
}

/**
 * Reads prices from DexScreener. A request for one mint reads all its pools, and price, liquidity, volume
 * and age are the deepest pool's.
 * A request for several mints (at most 30) gets only each mint's primary pool, as DexScreener chooses it.
 */
export function createDexscreener({ baseUrl, clock, metrics }: DexscreenerOptions): PriceSource {
  const guard = createSourceGuard({
    source: NAME,
    clock,
    perMinute: LIMITS.perMinute,
    ...(metrics && { metrics }),
  });
  const fetchPairs = (mints: readonly string[], priority: RequestPriority): Promise<Pair[]> => {
    const path = mints.length === 1 ? 'token-pairs' : 'tokens';
    const url = `${baseUrl}/${path}/v1/${CHAIN}/${mints.join(',')}`;
    return guard.sendRequest({ ...priority, url, read: readPairs });
  };

  const fetchPools = async (mints: readonly string[], priority: RequestPriority) => {
    const batches = splitBatches(mints, LIMITS.maxMints);
    const pairs = await Promise.all(batches.map((batch) => fetchPairs(batch, priority)));
    return deepestPools(pairs.flat(), mints);
  };

  return {
    name: NAME,
    statesUnits: false,
    readsOnePool: true,

    quote: (mint, priority) =>
      quoteFrom(NAME, clock, async () => {
        const pair = (await fetchPools([mint], priority)).get(mint);
        return pair ? readPair(pair) : null;
      }),

    async prices(mints, priority) {
      return new Map(
        [...(await fetchPools(mints, priority))].flatMap(([mint, pair]) => {
          const price = readPrice(pair.priceUsd);
          const sent = { multiplier: null, blockId: null, liquidityUsd: liquidityOf(pair) };
          return price === null ? [] : [[mint, { price, ...sent }] as const];
        }),
      );
    },

    async tokens(mints, priority) {
      const pools = await fetchPools(mints, priority);
      return new Map([...pools].map(([mint, pair]) => [mint, describeToken(mint, readPair(pair), null)]));
    },

    /** DexScreener's search covers all chains and both tokens of a pair. */
    async search(text, priority) {
      const found = await guard.sendRequest({
        ...priority,
        url: `${baseUrl}/latest/dex/search?q=${encodeURIComponent(text)}`,
        read: (body) => searchSchema.parse(body),
      });
      const pairs = found.filter(({ chainId }) => chainId === CHAIN);
      const mints = new Set(pairs.map(({ baseToken }) => baseToken.address));
      return [...deepestPools(pairs, [...mints])].map(([mint, pair]) =>
        describeToken(mint, readPair(pair), null),
      );
    },

    async findMintOfPool(pool, priority) {
      const url = `${baseUrl}/latest/dex/pairs/${CHAIN}/${encodeURIComponent(pool)}`;
      const [pair] = await guard.sendRequest({ ...priority, url, read: (body) => searchSchema.parse(body) });
      if (pair === undefined) return null;
      const { baseToken, quoteToken } = pair;
      return isSolOrStableCoin(baseToken.address) ? quoteToken.address : baseToken.address;
    },
  };
}

const readPair = (pair: Pair): FoundPrice => ({
  price: pair.priceUsd,
  multiplier: null,
  token: readIdentity({ ...pair.baseToken, icon: pair.info?.imageUrl }),
  blockId: null,
  liquidityUsd: liquidityOf(pair),
  volume24hUsd: pair.volume?.h24 ?? null,
  poolCreatedAt: pair.pairCreatedAt ?? null,
  marketCapUsd: pair.marketCap ?? null,
  safety: UNKNOWN_SAFETY,
});

/**
 * Finds each mint's deepest pool that counts, if possible one with a price. The mint is the base token, because a
 * pair's price is the price of its base token. Pools with another quote token and pools without known trades don't count,
 * because anybody can open one with any depth and price.
 */
function deepestPools(pairs: readonly Pair[], mints: readonly string[]): Map<string, Pair> {
  const found = mints.flatMap((mint) => {
    const pools = pairs.filter(
      ({ baseToken, quoteToken, volume }) =>
        baseToken.address === mint && isSolOrStableCoin(quoteToken.address) && (volume?.h24 ?? 0) > 0,
    );
    const [deepest] = pools.toSorted(
      (one, other) => rankOf(one) - rankOf(other) || depthOf(other) - depthOf(one),
    );
    return deepest === undefined ? [] : [[mint, deepest] as const];
  });
  return new Map(found);
}

/** A pool of unknown liquidity comes last. */
const depthOf = (pair: Pair) => liquidityOf(pair) ?? -1;

/**
 * Twice the worth of the pool's SOL or stablecoins, but at most what the pool states: anybody can put many tokens of their
 * own beside little SOL, at any price. Null if either is unknown.
 */
function liquidityOf({ liquidity, priceUsd, priceNative }: Pair): number | null {
  const [price, inQuoteTokens] = [readPrice(priceUsd), readPrice(priceNative)];
  const { usd, quote } = liquidity ?? {};
  if (price === null || inQuoteTokens === null || usd == null || quote == null) return null;
  return Math.min(usd, (2 * quote * Number(price)) / Number(inQuoteTokens));
}

/** 0 with a price, 1 with an invalid one, 2 without. */
function rankOf({ priceUsd }: Pair): number {
  if (priceUsd == null) return 2;
  return readPrice(priceUsd) === null ? 1 : 0;
}
