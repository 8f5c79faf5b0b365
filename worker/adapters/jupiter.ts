import { z } from 'zod';
import { PRICE_SOURCES } from '#schema/constants/prices.ts';
import { UNKNOWN_SAFETY, type TokenSafety } from '#schema/rules/prices/token-safety.ts';
import { readPrice } from '#schema/rules/prices/prices.ts';
import type { Clock } from '../ports/clock.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { PriceSource, RequestPriority, SourcePrice, TokenFacts } from '../ports/price-source.ts';
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
import type { SharedBudget } from './shared-budget.ts';

const NAME = 'jupiter';
const LIMITS = PRICE_SOURCES[NAME];

// A malformed field counts as missing, so that the price in the same entry stays usable.
const amountSchema = z.number().min(0).nullish().catch(null);
const slotSchema = z.int().min(0).nullish().catch(null);
const flagSchema = z.boolean().nullish().catch(null);

/** Only scaled tokens have it. `usdPrice` is then the price of one scaled token. */
const scaledUiConfig = z
  .object({ usdPricePrescaled: amountSchema })
  .nullish()
  .catch({ usdPricePrescaled: null });

// `usdPrice` isn't parsed here, because `readPrice` reports an invalid price instead of dropping the token.
const tokenSchema = z.object({
  id: z.string(),
  symbol: textSchema,
  name: textSchema,
  icon: z.string().nullish().catch(null),
  usdPrice: z.unknown().optional(),
  scaledUiConfig,
  liquidity: amountSchema,
  mcap: amountSchema,
  priceBlockId: slotSchema,
  holderCount: z.int().min(0).nullish().catch(null),
  firstPool: z.object({ createdAt: z.string() }).nullish().catch(null),
  stats24h: z.object({ buyVolume: amountSchema, sellVolume: amountSchema }).nullish().catch(null),
  audit: z
    .object({
      mintAuthorityDisabled: flagSchema,
      freezeAuthorityDisabled: flagSchema,
      topHoldersPercentage: amountSchema,
      isSus: flagSchema,
    })
    .nullish()
    .catch(null),
  isVerified: flagSchema,
});
type Token = z.infer<typeof tokenSchema>;

const priceSchema = z.object({
  usdPrice: z.unknown().optional(),
  scaledUiConfig,
  blockId: slotSchema,
  liquidity: amountSchema,
});
type Price = z.infer<typeof priceSchema>;
const pricesSchema = z.record(z.string(), priceSchema.nullable().catch(null));

export interface JupiterOptions {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly clock: Clock;
  readonly perMinute: number;
  readonly budget: SharedBudget;
  readonly metrics?: Metrics;
}

/** Jupiter's Token API v2 (search by mint or symbol) and Price API v3 (at most 50 mints per request). */
export function createJupiter({ baseUrl, apiKey, clock, ...limits }: JupiterOptions): PriceSource {
  const guard = createSourceGuard({ source: NAME, clock, ...limits });
  const init: RequestInit = apiKey === undefined ? {} : { headers: { 'x-api-key': apiKey } };
  const fetchPrices = (mints: readonly string[], priority: RequestPriority) =>
    guard.sendRequest({
      ...priority,
      url: `${baseUrl}/price/v3?ids=${mints.join(',')}`,
      init,
      read: (body) => pricesSchema.parse(body),
    });

  const search = (query: string, priority: RequestPriority) =>
    guard.sendRequest({
      ...priority,
      url: `${baseUrl}/tokens/v2/search?query=${encodeURIComponent(query)}`,
      init,
      read: readEntries(tokenSchema),
    });

  return {
    name: NAME,
    statesUnits: true,

    quote: (mint, priority) =>
      quoteFrom(NAME, clock, async () => {
        const entry = (await search(mint, priority)).find(({ id }) => id === mint);
        if (entry?.usdPrice !== undefined && entry.usdPrice !== null) return readToken(entry);
        const fallback = (await fetchPrices([mint], priority))[mint];
        return {
          ...(entry ? readToken(entry) : UNKNOWN_TOKEN),
          ...unscale(fallback),
          blockId: fallback?.blockId ?? null,
          liquidityUsd: entry?.liquidity ?? fallback?.liquidity ?? null,
          // The market cap is valid only together with the same entry's price.
          marketCapUsd: null,
        };
      }),

    async prices(mints, priority) {
      const found = new Map<string, SourcePrice>();
      for (const batch of splitBatches(mints, LIMITS.maxMints)) {
        const response = await fetchPrices(batch, priority);
        for (const mint of batch) {
          const entry = response[mint];
          const { price: sent, multiplier } = unscale(entry);
          const price = readPrice(sent);
          if (price === null) continue;
          found.set(mint, {
            price,
            multiplier,
            blockId: entry?.blockId ?? null,
            liquidityUsd: entry?.liquidity ?? null,
          });
        }
      }
      return found;
    },

    async tokens(mints, priority) {
      const found = new Map<string, TokenFacts>();
      for (const batch of splitBatches(mints, LIMITS.maxSearchedMints)) {
        for (const entry of await search(batch.join(','), priority)) {
          if (batch.includes(entry.id)) found.set(entry.id, describeEntry(entry));
        }
      }
      return found;
    },

    async search(text, priority) {
      return (await search(text, priority)).map(describeEntry);
    },
  };
}

/** Returns the price of one unscaled token, with the multiplier that Jupiter has used if the token is scaled. */
function unscale(entry: Pick<Price, 'usdPrice' | 'scaledUiConfig'> | null | undefined) {
  if (!entry?.scaledUiConfig) return { price: entry?.usdPrice, multiplier: null };
  const unscaled = entry.scaledUiConfig.usdPricePrescaled;
  if (unscaled == null) return { price: undefined, multiplier: null };
  return { price: unscaled, multiplier: unscaled / Number(entry.usdPrice) };
}

/** Jupiter leaves out the side on which nobody has traded. */
function volumeOf({ stats24h }: Token): number | null {
  const sides = [stats24h?.buyVolume, stats24h?.sellVolume].flatMap((volume) => volume ?? []);
  return sides.length === 0 ? null : sides.reduce((sum, volume) => sum + volume, 0);
}

function openingOf({ firstPool }: Token): number | null {
  const at = firstPool ? Date.parse(firstPool.createdAt) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

const UNKNOWN_TOKEN = { token: null, volume24hUsd: null, poolCreatedAt: null, safety: UNKNOWN_SAFETY };

const readToken = (entry: Token): FoundPrice => ({
  ...unscale(entry),
  token: readIdentity(entry),
  blockId: entry.priceBlockId ?? null,
  liquidityUsd: entry.liquidity ?? null,
  volume24hUsd: volumeOf(entry),
  poolCreatedAt: openingOf(entry),
  marketCapUsd: entry.mcap ?? null,
  safety: safetyOf(entry),
});

const describeEntry = (entry: Token) => describeToken(entry.id, readToken(entry), entry.holderCount ?? null);

/** Jupiter omits `isVerified` if it's false. `isSus` is a mark by its presence, whatever its value is. */
function safetyOf({ audit, isVerified }: Token): TokenSafety {
  return {
    isMintAuthorityDisabled: audit?.mintAuthorityDisabled ?? null,
    isFreezeAuthorityDisabled: audit?.freezeAuthorityDisabled ?? null,
    topHoldersPercent: audit?.topHoldersPercentage ?? null,
    isSuspicious: audit ? audit.isSus !== undefined : null,
    isVerified: isVerified ?? false,
  };
}
