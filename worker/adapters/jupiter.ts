import { z } from 'zod';
import { JUPITER_MAX_MINTS, JUPITER_MAX_SEARCHED_MINTS } from '#schema/constants.ts';
import { readPrice } from '#schema/rules/prices.ts';
import type { Clock } from '../ports/clock.ts';
import type { PriceSource, TokenIdentity, TokenQuote } from '../ports/price-source.ts';
import { fetchJson } from './fetch-json.ts';
import { failedQuote, pricedQuote, readLogo } from './quotes.ts';

const NAME = 'jupiter';

// `usdPrice` stays unknown: a price that is no price is ours to name, not the parser's to drop.
const tokenSchema = z.object({
  id: z.string(),
  symbol: z.string(),
  name: z.string(),
  icon: z.string().nullish(),
  usdPrice: z.unknown().optional(),
  liquidity: z.number().nullish(),
  priceBlockId: z.number().nullish(),
});
const searchSchema = z.array(tokenSchema);
const pricesSchema = z.record(z.string(), z.object({ usdPrice: z.unknown().optional(), blockId: z.number().nullish() }).nullable());

/** Jupiter's Token API v2 (search by mint) and Price API v3 (at most 50 mints a call, unpriced ones left out). */
export function createJupiter({ baseUrl, apiKey, clock }: { baseUrl: string; apiKey: string | undefined; clock: Clock }): PriceSource {
  const init: RequestInit = apiKey === undefined ? {} : { headers: { 'x-api-key': apiKey } };
  const fetchPrices = async (mints: readonly string[]) =>
    pricesSchema.parse(await fetchJson(`${baseUrl}/price/v3?ids=${mints.slice(0, JUPITER_MAX_MINTS).join(',')}`, init));

  const searchMints = async (mints: readonly string[]) => searchSchema.parse(await fetchJson(`${baseUrl}/tokens/v2/search?query=${mints.join(',')}`, init));

  return {
    name: NAME,

    async quote(mint): Promise<TokenQuote> {
      try {
        const entry = (await searchMints([mint])).find(({ id }) => id === mint);
        const token = entry ? describeEntry(entry) : null;
        const isPriced = entry?.usdPrice !== undefined && entry.usdPrice !== null;
        const fallback = isPriced ? undefined : (await fetchPrices([mint]))[mint];
        const price = isPriced ? entry.usdPrice : fallback?.usdPrice;
        if (price === undefined || price === null) return failedQuote({ source: NAME, failure: 'absent', now: clock.now(), token });
        return pricedQuote({
          source: NAME,
          price: readPrice(price),
          now: clock.now(),
          token,
          blockId: entry?.priceBlockId ?? fallback?.blockId ?? null,
          liquidityUsd: entry?.liquidity ?? null,
        });
      } catch {
        return failedQuote({ source: NAME, failure: 'unavailable', now: clock.now(), token: null });
      }
    },

    async tokens(mints) {
      const asked = mints.slice(0, JUPITER_MAX_SEARCHED_MINTS);
      return new Map((await searchMints(asked)).filter(({ id }) => asked.includes(id)).map((entry) => [entry.id, describeEntry(entry)]));
    },

    async prices(mints) {
      const answer = await fetchPrices(mints);
      return new Map(
        Object.entries(answer).flatMap(([mint, entry]) => {
          const price = readPrice(entry?.usdPrice);
          return price === null ? [] : [[mint, price] as const];
        }),
      );
    },
  };
}

function describeEntry({ symbol, name, icon }: z.infer<typeof tokenSchema>): TokenIdentity {
  return { symbol, name, logoURI: readLogo(icon) };
}
