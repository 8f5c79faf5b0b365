import type { Market, Quote } from '../market/market.ts';
import { hashText, pickFrom, hashToUnit, valueNoise } from '../market/noise.ts';
import {
  findToken,
  poolOpening,
  tokenIconUrl,
  tokens,
  unknownToken,
  type MarketToken,
} from '../market/tokens.ts';

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
const MAX_DEVIATION = 0.0025;
/**
 * The deepest pool's share of a token's liquidity. If a test pins a liquidity, it is the deepest pool's
 * liquidity.
 */
const DEEPEST_SHARE = 0.62;
/** A share of a token's liquidity that is a few USD. */
const CRUMB = 1e-6;
const MINUTE = 60_000;
const windows = { m5: 5 * MINUTE, h1: 60 * MINUTE, h6: 360 * MINUTE, h24: 1440 * MINUTE } as const;

/** The fields of a pair that the product reads, its pool and its volumes. */
export type DexPair = ReturnType<typeof describePair>;

/** Writes a price as DexScreener does, without an exponent. */
const plainDecimal = new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: 17 });
const roundedDecimal = new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: 6 });

interface Pool {
  dexId: string;
  quote: string;
  /** The pool's share of the token's liquidity. Undefined if the pool reports no liquidity. */
  share: number | undefined;
  /** The part of that liquidity in the quote token. Default: a little more than half. */
  quoteShare?: number | undefined;
}

/** The deepest pool's exchange and position differ between tokens, so that no test relies on them. */
function poolsOf(token: MarketToken): readonly Pool[] {
  const deep: Pool = {
    dexId: pickFrom(['raydium', 'orca', 'meteora'], token.mint),
    quote: token.mint === SOL ? USDC : SOL,
    share: DEEPEST_SHARE,
  };
  const shallow: Pool = {
    dexId: 'meteora',
    quote: token.mint === USDC ? SOL : USDC,
    share: 0.3,
  };
  const tiny: Pool = { dexId: 'orca', quote: token.mint === SOL ? WIF : SOL, share: 0.004 };
  const withoutLiquidity: Pool = {
    dexId: 'pumpfun',
    quote: token.mint === SOL ? USDC : SOL,
    share: undefined,
  };
  return pickFrom(
    [
      [shallow, deep, tiny],
      [deep, shallow],
      [tiny, deep, withoutLiquidity],
      [withoutLiquidity, tiny, shallow, deep],
    ],
    `order ${token.mint}`,
  );
}

interface Site {
  market: Market;
  origin: string;
}
type PairsOfOptions = Site & { mint: string };

/**
 * Returns a mint's primary pair, the only pair that DexScreener returns for a mint in a list. It isn't always the
 * deepest pair.
 */
export function primaryPairOf(options: PairsOfOptions): readonly DexPair[] {
  const asBase = pairsOf(options).filter(({ baseToken }) => baseToken.address === options.mint);
  const primary = asBase.find(({ liquidity }) => liquidity !== undefined) ?? asBase[0];
  return primary === undefined ? [] : [primary];
}

/** Returns all pairs of a mint, in no order. As on the real API, not every pair tells the mint's price (`describeFalsePairs`). */
export function pairsOf({ mint, market, origin }: PairsOfOptions): readonly DexPair[] {
  const quote = market.quote({ source: 'dexscreener', mint });
  if (quote === undefined) return [];
  const known = findToken(mint) ?? market.findAdded(mint) ?? unknownToken(mint);
  const { pinnedLiquidityUsd } = quote;
  const token =
    typeof pinnedLiquidityUsd === 'number'
      ? { ...known, liquidityUsd: pinnedLiquidityUsd / DEEPEST_SHARE }
      : known;
  const pools = poolsOf(token).map((pool) =>
    pinnedLiquidityUsd === null ? { ...pool, share: undefined } : pool,
  );
  const basePairs = pools.map((pool, index) => {
    const key = `${mint} ${index}`;
    const price =
      quote.isPinned || typeof quote.price !== 'number'
        ? quote.price
        : deviate({ price: quote.price, key, now: market.now() });
    return describePair({ token, pool, key, price, quote, market, origin });
  });
  const falsePairs = describeFalsePairs({ token, quote, market, origin });
  return hashText(`trap ${mint}`) % 2 === 0 ? [...falsePairs, ...basePairs] : [...basePairs, ...falsePairs];
}

const MAX_FOUND_PAIRS = 30;

/**
 * Searches as DexScreener does: by address, symbol or name, on both sides of a pair and on all chains. Returns
 * at most 30 pairs. They aren't sorted by how well they match.
 */
export function searchPairs({ text, market, origin }: Site & { text: string }): DexPair[] {
  const wanted = text.trim().toLowerCase();
  const found = [...tokens, ...market.added()].filter(({ mint, symbol, name }) =>
    [mint, symbol, name].some((each) => each.toLowerCase().includes(wanted)),
  );
  const pairs = found.flatMap(({ mint }) => pairsOf({ mint, market, origin }));
  const elsewhere = pairs.slice(0, 1).map((pair) => ({
    ...pair,
    chainId: 'ethereum',
    baseToken: { ...pair.baseToken, address: '0xStandinOnAnotherChain' },
  }));
  return [...elsewhere, ...pairs].slice(0, MAX_FOUND_PAIRS);
}

/** Finds a pair by its address, which may be in lower case. */
export function findPair({ pool, market, origin }: Site & { pool: string }): DexPair | undefined {
  return [...tokens, ...market.added()]
    .flatMap(({ mint }) => pairsOf({ mint, market, origin }))
    .find(({ pairAddress }) => pairAddress.toLowerCase() === pool.toLowerCase());
}

/** Multiplies a pool's price by a factor near 1 that changes slowly and differs between pools. */
function deviate({ price, key, now }: { price: number; key: string; now: number }): number {
  const noise = valueNoise({ key: hashText(`pool ${key}`), position: now / (4 * MINUTE) });
  return Number((price * (1 + MAX_DEVIATION * noise)).toPrecision(6));
}

/**
 * Describes a pair in which the requested token is the quote token and a made-up token is the base. This
 * pair has more liquidity than the others.
 */
function describeQuotePair({ token, ...site }: Omit<PairFacts, 'pool' | 'key' | 'price'>): DexPair {
  const key = `${token.mint} as quote`;
  const base: MarketToken = {
    ...unknownToken(`StandinPairedWith${token.mint.slice(0, 27)}`),
    symbol: `x${token.symbol}`,
    name: `Paired with ${token.symbol}`,
    liquidityUsd: token.liquidityUsd * 4,
  };
  const price = Number((0.0005 + 40 * hashToUnit(key)).toPrecision(5));
  const pool: Pool = { dexId: 'raydium', quote: token.mint, share: 1 };
  return describePair({ ...site, token: base, pool, key, price });
}

/**
 * Describes pairs that are deeper than the real ones, but don't tell the requested token's price: the token is the
 * quote token, the pool was made for show (another quote token, no trades, or one trade and hardly any of the quote
 * token), or the pair has no price.
 */
function describeFalsePairs(options: Omit<PairFacts, 'pool' | 'key' | 'price'>): DexPair[] {
  const { token } = options;
  const idle = { m5: 0, h1: 0, h6: 0, h24: 0 };
  const [usual, foreign] = [token.mint === SOL ? USDC : SOL, token.mint === WIF ? BONK : WIF];
  const describe = (quote: string, share: number, price: number | null = 900, quoteShare?: number) => {
    const key = `${token.mint} false ${share}`;
    return describePair({ ...options, pool: { dexId: 'meteora', quote, share, quoteShare }, key, price });
  };
  const oneSided = describe(usual, 50, 900, CRUMB / 50);
  return [
    describeQuotePair(options),
    describe(foreign, 20),
    { ...describe(usual, 40), volume: idle },
    // Next to pools without a liquidity, it would be the deepest one.
    ...(options.quote.pinnedLiquidityUsd === null
      ? []
      : [{ ...oneSided, volume: { ...idle, h24: token.liquidityUsd * CRUMB } }]),
    describe(usual, 30, null),
  ];
}

interface PairFacts extends Site {
  token: MarketToken;
  pool: Pool;
  key: string;
  price: number | string | null;
  quote: Quote;
}

function describePair({ token, pool, key, price, quote, market, origin }: PairFacts) {
  const pairAddress = `Pair${hashText(`a ${key}`)}${hashText(`b ${key}`)}${token.mint}`
    .replaceAll('0', 'z')
    .slice(0, 43);
  const { share } = pool;
  const { pinnedVolumeUsd, pinnedPoolAgeMs } = quote;
  const now = market.now();
  const openedAt = poolOpening({ token, pinnedPoolAgeMs, now });
  const isAgeFixed = (pinnedPoolAgeMs ?? token.poolAgeMs) !== null;
  const volume = Object.entries(windows).map(([name, overMs]) => [
    name,
    typeof pinnedVolumeUsd === 'number'
      ? pinnedVolumeUsd * (overMs / windows.h24)
      : tradedOver(overMs, token, share),
  ]);
  const sentQuotePrice = market.quote({ source: 'dexscreener', mint: pool.quote })?.price;
  const quotePrice = typeof sentQuotePrice === 'number' && sentQuotePrice > 0 ? sentQuotePrice : 1;
  const priceNative = typeof price === 'string' ? price : roundedDecimal.format((price ?? 1) / quotePrice);
  return {
    chainId: 'solana',
    dexId: pool.dexId,
    pairAddress,
    baseToken: nameOf(token),
    quoteToken: nameOf(findToken(pool.quote) ?? market.findAdded(pool.quote) ?? unknownToken(pool.quote)),
    priceNative,
    ...(price === null ? {} : { priceUsd: typeof price === 'number' ? plainDecimal.format(price) : price }),
    ...(pinnedVolumeUsd === null ? {} : { volume: Object.fromEntries(volume) }),
    ...describeLiquidity({ token, pool, key, price, quotePrice }),
    ...(typeof price === 'number' && price > 0 ? { marketCap: Math.round(price * token.supply) } : {}),
    ...(openedAt === null
      ? {}
      : { pairCreatedAt: isAgeFixed ? openedAt : openedAt + (hashText(key) % 30) * 1440 * MINUTE }),
    ...describeInfo({ token, origin }),
  };
}

type LiquidityFacts = Pick<PairFacts, 'token' | 'pool' | 'key' | 'price'> & { quotePrice: number };

function describeLiquidity({ token, pool, key, price, quotePrice }: LiquidityFacts) {
  if (pool.share === undefined) return {};
  const usd = Number((token.liquidityUsd * pool.share).toFixed(2));
  const quoteShare = pool.quoteShare ?? 0.51 + 0.04 * hashToUnit(`sides ${key}`);
  const base = typeof price === 'number' && price > 0 ? (usd * (1 - quoteShare)) / price : 0;
  return { liquidity: { usd, base, quote: (usd * quoteShare) / quotePrice } };
}

function describeInfo({ token, origin }: Pick<PairFacts, 'token' | 'origin'>) {
  const { icon, sentUrl, symbol, name } = token;
  if (icon === '' && sentUrl === undefined) return {};
  const links =
    sentUrl === undefined
      ? { websites: [], socials: [] }
      : { websites: [{ label: name, url: sentUrl }], socials: [{ type: symbol, url: sentUrl }] };
  return { info: { imageUrl: tokenIconUrl({ origin, token }), ...links } };
}

function tradedOver(overMs: number, token: MarketToken, share = 0.001): number {
  return Number((token.liquidityUsd * share * token.turnover * (overMs / windows.h24)).toFixed(2));
}

function nameOf({ mint, name, symbol }: MarketToken) {
  return { address: mint, name, symbol };
}
