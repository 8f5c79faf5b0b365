import { z } from 'zod';
import { DEXSCREENER_MAX_MINTS } from '#schema/constants.ts';
import { readPrice } from '#schema/rules/prices.ts';
import type { Clock } from '../ports/clock.ts';
import type { PriceSource, TokenQuote } from '../ports/price-source.ts';
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

  return {
    name: NAME,

    async quote(mint): Promise<TokenQuote> {
      try {
        const pair = deepestPool(await fetchPairs([mint]), mint);
        if (!pair) return failedQuote({ source: NAME, failure: 'absent', now: clock.now(), token: null });
        const token = { symbol: pair.baseToken.symbol, name: pair.baseToken.name, logoURI: readLogo(pair.info?.imageUrl) };
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
      const prices = new Map<string, string>();
      for (let start = 0; start < mints.length; start += DEXSCREENER_MAX_MINTS) {
        const batch = mints.slice(start, start + DEXSCREENER_MAX_MINTS);
        const pairs = await fetchPairs(batch);
        for (const mint of batch) {
          const price = readPrice(deepestPool(pairs, mint)?.priceUsd);
          if (price !== null) prices.set(mint, price);
        }
      }
      return prices;
    },
  };
}

/** A pair's price is its base token's, so a pool in which the mint is the quote token says nothing. */
function deepestPool(pairs: readonly Pair[], mint: string): Pair | undefined {
  const depth = (pair: Pair) => pair.liquidity?.usd ?? 0;
  return pairs.filter((pair) => pair.baseToken.address === mint).reduce<Pair | undefined>((deepest, pair) => (deepest === undefined || depth(pair) > depth(deepest) ? pair : deepest), undefined);
}
