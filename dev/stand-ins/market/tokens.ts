import { HOUR_MS } from '#schema/constants/time.ts';
import { hashToUnit } from './noise.ts';

/** A token (POPCAT) that the local sources don't describe. It has a price only if a test fixes one. */
export const UNLISTED_MINT = '7GCihgDB8fe6KNjn2MYtkzZcRjQy3t9GHdC8uHYMW2hr';

export interface MarketToken {
  readonly mint: string;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** Path of the icon on the stand-ins' server. */
  readonly icon: string;
  /** If set, the sources send this text as the URLs of the icon and of the token's sites. */
  readonly sentUrl?: string;
  /** The USD price around which the random walk moves. Null if no source prices the token. */
  readonly anchorPrice: number | null;
  /** Size of the price's moves: 1 for a meme coin, 0.35 for SOL, 0 for a stable coin. */
  readonly volatility: number;
  readonly liquidityUsd: number;
  readonly holders: number;
  readonly supply: number;
  /** The share of the liquidity that is traded within 24 hours. */
  readonly turnover: number;
  /** The time when the token's first pool opened (ISO 8601). */
  readonly createdAt: string;
  /** If set, the first pool is always this old. */
  readonly poolAgeMs: number | null;
  readonly isVerified: boolean;
  /** False for tokens with a made-up mint. */
  readonly isReal: boolean;
}

// mint | symbol | name | decimals | anchor price in USD (-: none) | volatility | liquidity in USD | supply | first pool (or its age) | turnover
const realTokens = `
So11111111111111111111111111111111111111112 | SOL | Wrapped SOL | 9 | 150 | 0.35 | 620e6 | 590e6 | 2021-03-29
EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v | USDC | USD Coin | 6 | 1 | 0 | 520e6 | 9.8e9 | 2021-03-29
Es9vMFrzaCERmJfrF4H2FYD4KCoNky11McCe8BenwNYB | USDT | USDT | 6 | 1 | 0 | 180e6 | 1.9e9 | 2021-03-29
DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263 | BONK | Bonk | 5 | 0.000021 | 1 | 9.4e6 | 88e12 | 2022-12-25
EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm | WIF | dogwifhat | 6 | 0.82 | 1 | 7.9e6 | 998.9e6 | 2023-11-20
JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN | JUP | Jupiter | 6 | 0.46 | 0.6 | 12.6e6 | 3.1e9 | 2024-01-29
HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3 | PYTH | Pyth Network | 6 | 0.13 | 0.6 | 3.2e6 | 5.7e9 | 2023-11-17
jtojtomepa8beP8AuQc6eXt5FriJwfFMwQx2v2f9mCL | JTO | JITO | 9 | 1.9 | 0.6 | 4.1e6 | 386e6 | 2023-11-28
4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R | RAY | Raydium | 6 | 2.4 | 0.6 | 14.8e6 | 268e6 | 2021-03-29
orcaEKTdK7LKz57vaAYr9QeNsVEPfiu6QeMU1kektZE | ORCA | Orca | 6 | 1.7 | 0.6 | 2.3e6 | 60e6 | 2021-08-09
7GCihgDB8fe6KNjn2MYtkzZcRjQy3t9GHdC8uHYmW2hr | POPCAT | POPCAT | 9 | 0.31 | 1 | 4.6e6 | 979.9e6 | 2023-12-12
MEW1gQWJ3nEXg2qgERiKu7FAFj79PHvQVREQUzScPP5 | MEW | cat in a dogs world | 5 | 0.0027 | 1 | 8.2e6 | 88.8e9 | 2024-03-25
ukHH6c7mMyiWCf1b9pnWe25TSpkDDt3H5pQZgZ74J82 | BOME | BOOK OF MEME | 6 | 0.0019 | 1 | 5.1e6 | 68.9e9 | 2024-03-14
7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU | SAMO | Samoyed Coin | 9 | 0.0024 | 0.9 | 1.1e6 | 4.7e9 | 2021-04-11
rndrizKT3MK1iimdxRdWabcF7Zg7AR5T4nud4EkHBof | RENDER | Render Token | 8 | 3.6 | 0.6 | 2.7e6 | 532e6 | 2023-10-24
hntyVP6YFm1Hg25TN9WGLqM12b8TQmcknKrdu1oxWux | HNT | Helium Network Token | 8 | 2.9 | 0.6 | 2.4e6 | 186e6 | 2023-04-18
mb1eu7TzEc71KxDpsmsKoucSSuuoGLv1drys1oP2jh6 | MOBILE | Helium Mobile | 6 | 0.00061 | 0.9 | 740_000 | 89e9 | 2023-04-18
85VBFQZC9TZkfaptBWjvUw7YbZjy52A6mjtPGjstQAmQ | W | Wormhole Token | 6 | 0.083 | 0.7 | 1.6e6 | 4.7e9 | 2024-04-03
KMNo3nJsBXfcpJTVhZcXLW7RmTwTt4GVFE7suUBo9sS | KMNO | Kamino | 6 | 0.061 | 0.7 | 3.3e6 | 2.9e9 | 2024-04-29
DriFtupJYLTosbwoN8koMbEYSx54aFAVLddWsbksjwg7 | DRIFT | Drift | 6 | 0.55 | 0.7 | 1.9e6 | 390e6 | 2024-05-15
TNSRxcUxoT9xBG3de7PiJyTDYu7kskLqcpddxnEJAS6 | TNSR | Tensor | 9 | 0.14 | 0.8 | 900_000 | 330e6 | 2024-04-05
MNDEFzGvMt87ueuHvVU9VcTqsAP5b3fTGPsHuuPA5ey | MNDE | Marinade | 9 | 0.11 | 0.8 | 640_000 | 410e6 | 2021-10-06
EchesyfXePKdLtoiZSL8pBe8Myagyy8ZRqsACNCFGnvp | FIDA | Bonfida | 6 | 0.075 | 0.8 | 480_000 | 500e6 | 2021-03-29
StepAscQoEioFxxWGnh2sLBDFp9d8rvKz2Yp39iDpyT | STEP | Step | 9 | 0.024 | 0.8 | 350_000 | 480e6 | 2021-04-24
WENWENvqqNya429ubCdR81ZmD69brwQaaBYY6p3LCpk | WEN | Wen | 5 | 0.000036 | 1 | 1.7e6 | 728e9 | 2024-01-25
7BgBvyjrZX1YKz4oh9mjb8ZScatkkwb8DzFx7LoiVkM3 | SLERF | SLERF | 9 | 0.07 | 1 | 820_000 | 499.9e6 | 2024-03-18
HhJpBhRRn4g56VsyLuT8DL5Bv31HkXqsrahTTUCZeZg4 | $MYRO | Myro | 9 | 0.018 | 1 | 560_000 | 942e6 | 2023-11-09
2zMMhcVQEXDtdE6vsFS7S7D5oUodfJHE8vd1gnBouauv | PENGU | Pudgy Penguins | 6 | 0.028 | 0.9 | 11e6 | 62.8e9 | 2024-12-17
9BB6NFEcjBCtnNLFko2FqVQBq8HHM13kCyYcdQbgpump | Fartcoin | Fartcoin | 6 | 0.74 | 1 | 13e6 | 999.9e6 | 2024-10-18`;

const madeUpTokens = `
StandinNoPriceXXXXXXXXXXXXXXXXXXXXXXXXXXXXX | NOPRICE | Nobody Trades This | 6 | - | 1 | 0 | 1e9 | 2025-06-01
StandinDustXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX | DUST0 | Eight Zeros | 9 | 0.00000001 | 0.6 | 95_000 | 900000e12 | 2025-02-14
StandinHeavyXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX | HEAVY | Heavy As Gold | 8 | 98_765.4321 | 0.04 | 2.2e6 | 21_000 | 2024-08-08
StandinQuietXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX | QUIET | Nobody Sells | 6 | 0.31 | 0.8 | 400_000 | 1e8 | 2025-07-05 | 0.04
StandinFreshXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX | FRESH | Hours Old | 6 | 0.0009 | 1 | 160_000 | 1e9 | -5h
StandinDayXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX | DAYOLD | A Day Old | 6 | 0.0021 | 1 | 130_000 | 1e9 | -26h
StandinThinXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX | THIN | Thin Ice | 6 | 0.0042 | 1 | 310 | 1e9 | 2025-09-30
StandinFakeBonkXXXXXXXXXXXXXXXXXXXXXXXXXXXX | BONK | Bonk | 5 | 0.00000037 | 1 | 4800 | 88e12 | 2025-10-11
StandinFakeWifXXXXXXXXXXXXXXXXXXXXXXXXXXXXX | W1F | dogwifhat | 6 | 0.0000081 | 1 | 2300 | 1e9 | 2025-10-19
StandinMarkupXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX | <b>GM | Click [here](https://t.me/scam) & _win_ | 6 | 0.012 | 1 | 140_000 | 1e9 | 2025-11-02`;

const DEFAULT_TURNOVER = 0.8;

export const tokens: readonly MarketToken[] = [
  ...realTokens
    .trim()
    .split('\n')
    .map((row) => readToken(row, true)),
  ...madeUpTokens
    .trim()
    .split('\n')
    .map((row) => readToken(row, false)),
];

const tokensByMint = new Map(tokens.map((token) => [token.mint, token]));

export function findToken(mint: string): MarketToken | undefined {
  return tokensByMint.get(mint);
}

export function tokenIconUrl({ origin, token }: { origin: string; token: MarketToken }): string {
  return token.sentUrl ?? `${origin}${token.icon}`;
}

export function unknownToken(mint: string): MarketToken {
  return {
    mint,
    symbol: 'UNKNOWN',
    name: 'Unknown token',
    decimals: 6,
    icon: '',
    anchorPrice: null,
    volatility: 0,
    liquidityUsd: 250_000,
    holders: 0,
    supply: 1_000_000_000,
    turnover: DEFAULT_TURNOVER,
    createdAt: '2025-01-01T00:00:00.000Z',
    poolAgeMs: null,
    isVerified: false,
    isReal: false,
  };
}

/** A date, or the first pool's age in hours such as '-5h'. */
function readOpening(text: string): Pick<MarketToken, 'createdAt' | 'poolAgeMs'> {
  const hours = /^-(\d+)h$/.exec(text)?.[1];
  return hours === undefined
    ? { createdAt: `${text}T08:00:00.000Z`, poolAgeMs: null }
    : { createdAt: '2026-01-01T00:00:00.000Z', poolAgeMs: Number(hours) * HOUR_MS };
}

function readToken(row: string, isReal: boolean): MarketToken {
  const [mint = '', symbol = '', name = '', ...figures] = row.split(' | ');
  const [
    decimals = '',
    anchorPrice = '',
    volatility = '',
    liquidity = '',
    supply = '',
    firstPool = '',
    turnover = String(DEFAULT_TURNOVER),
  ] = figures;
  const toNumber = (text: string) => Number(text.replaceAll('_', ''));
  const liquidityUsd = toNumber(liquidity);
  return {
    mint,
    symbol,
    name,
    decimals: toNumber(decimals),
    icon: `/jupiter/icons/${encodeURIComponent(symbol)}.png`,
    anchorPrice: anchorPrice === '-' ? null : toNumber(anchorPrice),
    volatility: toNumber(volatility),
    liquidityUsd,
    holders: Math.round(40 + Math.sqrt(liquidityUsd) * (20 + 180 * hashToUnit(`holders ${mint}`))),
    supply: toNumber(supply),
    turnover: toNumber(turnover),
    ...readOpening(firstPool),
    isVerified: isReal,
    isReal,
  };
}

interface OpeningOptions {
  readonly token: MarketToken;
  readonly pinnedPoolAgeMs: number | null | undefined;
  /** Unix ms. */
  readonly now: number;
}

/** The time when the token's first pool opened, in unix ms. Null if the source doesn't report it. */
export function poolOpening({ token, pinnedPoolAgeMs, now }: OpeningOptions): number | null {
  if (pinnedPoolAgeMs === null) return null;
  const age = pinnedPoolAgeMs ?? token.poolAgeMs;
  return age === null ? Date.parse(token.createdAt) : now - age;
}
