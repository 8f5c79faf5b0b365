import type { Market, Quote } from '../market/market.ts';
import { hashToUnit } from '../market/noise.ts';
import { poolOpening, tokenIconUrl, tokens, type MarketToken } from '../market/tokens.ts';

const SEARCH_LIMIT = 20;
const MINUTE = 60_000;
const windows = {
  stats5m: 5 * MINUTE,
  stats1h: 60 * MINUTE,
  stats6h: 360 * MINUTE,
  stats24h: 1440 * MINUTE,
} as const;

/** Searches as Jupiter does: by one or more mints, else by symbol or name. */
export function searchTokens(query: string, market: Market): readonly MarketToken[] {
  const listed = [...tokens, ...market.added()];
  const terms = query.split(',').map((part) => part.trim());
  const byMint = listed.filter((token) => terms.includes(token.mint));
  if (byMint.length > 0 || terms.length > 1) return byMint;
  const text = query.trim().toLowerCase().replace(/^\$/, '');
  return listed
    .map((token) => ({ token, rank: matchRank(token, text) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank || b.token.liquidityUsd - a.token.liquidityUsd)
    .slice(0, SEARCH_LIMIT)
    .map(({ token }) => token);
}

function matchRank(token: MarketToken, text: string): number {
  const symbol = token.symbol.toLowerCase().replace(/^\$/, '');
  const name = token.name.toLowerCase();
  if (symbol === text) return 4;
  if (name === text) return 3;
  if (symbol.startsWith(text)) return 2;
  return name.includes(text) ? 1 : 0;
}

interface DescribeTokenOptions {
  token: MarketToken;
  market: Market;
  origin: string;
}

/** The fields of a token that the product reads, and its volumes. */
export function describeToken({ token, market, origin }: DescribeTokenOptions): object {
  const quote = market.quote({ source: 'jupiter', mint: token.mint });
  const unscaled = quote?.scaled?.price ?? quote?.price;
  const price = typeof unscaled === 'number' ? unscaled : undefined;
  const now = market.now();
  const stats = Object.entries(windows).map(([name, overMs]) => [
    name,
    statsOver({ token, quote, market, overMs }),
  ]);
  const openedAt = poolOpening({ token, pinnedPoolAgeMs: quote?.pinnedPoolAgeMs, now });
  return {
    id: token.mint,
    // As on the real API, a token without metadata has neither a name nor a symbol.
    ...(token.name === '' ? {} : { name: token.name }),
    ...(token.symbol === '' ? {} : { symbol: token.symbol }),
    icon: tokenIconUrl({ origin, token }),
    ...(token.sentUrl === undefined ? {} : { website: token.sentUrl, twitter: token.sentUrl }),
    decimals: token.decimals,
    ...(openedAt === null
      ? {}
      : { firstPool: { id: `Pool${token.mint.slice(4)}`, createdAt: new Date(openedAt).toISOString() } }),
    holderCount: token.holders,
    audit: {
      mintAuthorityDisabled: token.isVerified && token.symbol !== 'USDC',
      freezeAuthorityDisabled: token.symbol !== 'USDC',
      topHoldersPercentage: Number(
        (token.isVerified ? 4 + 30 * hashToUnit(`top ${token.mint}`) : 71.4).toFixed(4),
      ),
      // As documented, its presence is the mark, whatever its value is.
      ...(isCopy(token) ? { isSus: null } : {}),
    },
    ...(token.isVerified ? { isVerified: true } : {}),
    ...(price === undefined ? {} : { mcap: price * token.supply }),
    ...(quote === undefined
      ? {}
      : {
          usdPrice: quote.price,
          ...describeScale(quote),
          priceBlockId: quote.slot,
          ...describeLiquidity(quote, token),
          ...Object.fromEntries(stats),
        }),
    updatedAt: new Date(now).toISOString(),
  };
}

/**
 * True if an unverified token copies a verified token's name. Jupiter marks only such tokens as
 * suspicious.
 */
function isCopy(token: MarketToken): boolean {
  return !token.isVerified && tokens.some(({ isVerified, name }) => isVerified && name === token.name);
}

/** Only a scaled token has it. As on the real API, `usdPrice` is divided by the multiplier. */
export function describeScale({ scaled }: Quote): object {
  if (scaled === undefined) return {};
  const { multiplier, newMultiplier, newMultiplierAt, price } = scaled;
  const newMultiplierEffectiveAt = new Date(newMultiplierAt).toISOString();
  return {
    scaledUiConfig: { multiplier, newMultiplier, newMultiplierEffectiveAt, usdPricePrescaled: price },
  };
}

export function describeLiquidity(
  { pinnedLiquidityUsd }: Quote,
  token: MarketToken | undefined,
): { liquidity?: number } {
  const liquidity = pinnedLiquidityUsd === undefined ? token?.liquidityUsd : pinnedLiquidityUsd;
  return liquidity === undefined || liquidity === null ? {} : { liquidity };
}

interface StatsOverOptions {
  token: MarketToken;
  quote: Quote | undefined;
  market: Market;
  overMs: number;
}

function statsOver({ token, quote, market, overMs }: StatsOverOptions): object {
  const daily = quote?.pinnedVolumeUsd ?? (quote?.pinnedLiquidityUsd ?? token.liquidityUsd) * token.turnover;
  const volume = daily * (overMs / (1440 * MINUTE));
  const buyShare = 0.45 + 0.1 * hashToUnit(`buyers ${token.mint} ${overMs}`);
  return {
    priceChange: market.changeOver({ mint: token.mint, overMs }),
    ...(quote?.pinnedVolumeUsd === null
      ? {}
      : { buyVolume: volume * buyShare, sellVolume: volume * (1 - buyShare) }),
  };
}
