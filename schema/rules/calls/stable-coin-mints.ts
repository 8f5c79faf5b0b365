import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';

/**
 * USDC, USDT, USDS, PYUSD, USDG, FDUSD, USD1, USDe and EURC. Calls on them are unranked. Spending them can buy a
 * token, but getting them is not a buy.
 */
export const STABLE_COIN_MINTS: readonly string[] = [
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'Es9vMFrzaCERmJfrF4H2FYD4KCoNky11McCe8BenwNYB',
  'USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA',
  '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo',
  '2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH',
  '9zNQRsGLjNKwCUU5Gq5LR8beUCPzQMVMqKAi3SSZh54u',
  'USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzvEmuB',
  'DEkqHyPN7GMRJ5cArtQFAWefqbZb33Hyf6s5iCwjEonT',
  'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr',
];

/** True for the tokens that people pay with, and so for the other side of a token's pools. */
export const isSolOrStableCoin = (mint: string): boolean =>
  mint === WRAPPED_SOL_MINT || STABLE_COIN_MINTS.includes(mint);
