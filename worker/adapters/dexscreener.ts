import { z } from 'zod';
import { DEXSCREENER_MAX_MINTS } from '#schema/constants.ts';
import { readPrice } from '#schema/rules/prices.ts';
import type { Clock } from '../ports/clock.ts';
import type { PriceSource, TokenIdentity, TokenQuote } from '../ports/price-source.ts';
import { fetchJson } from './fetch-json.ts';
import { failedQuote, pricedQuote, readLogo } from './quotes.ts';

const NAME = 'dexscreener';

const pairSchema = z.object({
  baseToken: z.object({ address: z.string(), symbol: z.string(), name: z.string() }),
  priceUsd: z.unknown().optional(),
  liquidity: z.object({ usd: z.number().nullish() }).nullish(),
  info: z.object({ imageUrl: z.string().nullish() }).nullish(),
});
type Pair = z.infer<typeof pairSchema>;

/** DexScreener's pairs by token (at most 30 a call). A token's price is that of its deepest pool. */
export function createDexscreener({ baseUrl, clock }: { baseUrl: string; clock: Clock }): PriceSource {
  const fetchPairs = async (mints: readonly string[]): Promise<Pair[]> =>
    z.array(pairSchema).parse(await fetchJson(`${baseUrl}/tokens/v1/solana/${mints.join(',')}`));

  /** Each mint's deepest pool, for those that have one. */
  const fetchPools = async (mints: readonly string[]): Promise<Map<string, Pair>> => {
    const pools = new Map<string, Pair>();
    for (let start = 0; start < mints.length; start += DEXSCREENER_MAX_MINTS) {
      const batch = mints.slice(start, start + DEXSCREENER_MAX_MINTS);
      const pairs = await fetchPairs(batch);
      for (const mint of batch) {
        const pool = deepestPool(pairs, mint);
        if (pool) pools.set(mint, pool);
      }
    }
    return pools;
  };

  return {
    name: NAME,

    async quote(mint): Promise<TokenQuote> {
      try {
        const pair = deepestPool(await fetchPairs([mint]), mint);
        if (!pair) return failedQuote({ source: NAME, failure: 'absent', now: clock.now(), token: null });
        const token = describePair(pair);
        if (pair.priceUsd === undefined || pair.priceUsd === null) return failedQuote({ source: NAME, failure: 'absent', now: clock.now(), token });
        return pricedQuote({
          source: NAME,
          price: readPrice(pair.priceUsd),
          now: clock.now(),
          token,
          blockId: null,
          liquidityUsd: pair.liquidity?.usd ?? null,
        });
      } catch {
        return failedQuote({ source: NAME, failure: 'unavailable', now: clock.now(), token: null });
      }
    },

    async prices(mints) {
      const pools = await fetchPools(mints);
      return new Map(
        [...pools].flatMap(([mint, pair]) => {
          const price = readPrice(pair.priceUsd);
          return price === null ? [] : [[mint, price] as const];
        }),
      );
    },

    async tokens(mints) {
      return new Map([...(await fetchPools(mints))].map(([mint, pair]) => [mint, describePair(pair)]));
    },
  };
}

function describePair({ baseToken, info }: Pair): TokenIdentity {
  return { symbol: baseToken.symbol, name: baseToken.name, logoURI: readLogo(info?.imageUrl) };
}

/** A pair's price is its base token's, so a pool in which the mint is the quote token says nothing. */
function deepestPool(pairs: readonly Pair[], mint: string): Pair | undefined {
  const depth = (pair: Pair) => pair.liquidity?.usd ?? 0;
  return pairs.filter((pair) => pair.baseToken.address === mint).reduce<Pair | undefined>((deepest, pair) => (deepest === undefined || depth(pair) > depth(deepest) ? pair : deepest), undefined);
}
