import { z } from 'zod';
import { PRICE_SOURCES, type PriceSourceName } from '#schema/constants/prices.ts';
import type { MintScale } from '../chain/token-account.ts';
import { findToken, unknownToken, type MarketToken } from './tokens.ts';
import { percentChange, priceAt } from './walk.ts';

export type PriceSource = PriceSourceName;
export const priceSources = Object.keys(PRICE_SOURCES) as PriceSource[];

/** A price that a test sets: a number, or a text to test validation. Null removes the token. */
export const pinSchema = z.strictObject({
  mint: z.string().min(1),
  price: z.union([z.number(), z.string(), z.null()]),
  /** The source that reports the price; default: all sources. */
  source: z.enum(priceSources).optional(),
  /** The price's age at each request. Jupiter reports the age as a slot. DexScreener doesn't report it. */
  ageMs: z.int().min(0).optional(),
  liquidityUsd: z.number().min(0).nullable().optional(),
  /** Each pool's 24-hour volume; by default it follows from the liquidity. */
  volume24hUsd: z.number().min(0).nullable().optional(),
  /** Age of each pool. */
  poolAgeMs: z.int().min(0).nullable().optional(),
  /** The multiplier by which the source divides the price of a scaled token; default: the chain's at Jupiter, 1 at DexScreener. */
  usedMultiplier: z.number().positive().optional(),
  /** False if Jupiter doesn't know that the token is scaled. */
  knowsScale: z.boolean().optional(),
});
export type Pin = z.infer<typeof pinSchema>;

/** A token that a test adds. Both sources send its texts unchanged. It has no price until the test pins one. */
export const addedTokenSchema = z.strictObject({
  mint: z.string(),
  symbol: z.string(),
  name: z.string(),
  sentUrl: z.string(),
  isVerified: z.boolean().default(false),
});

export interface Quote {
  /** A number, unless a test pinned the price as text. */
  price: number | string;
  isPinned: boolean;
  /** Only for a scaled token: its multipliers on the chain, and its price for one unscaled token. */
  scaled: (MintScale & { price: number | string }) | undefined;
  slot: number;
  /** The liquidity that a test has pinned; undefined if no test has. */
  pinnedLiquidityUsd: number | null | undefined;
  pinnedVolumeUsd: number | null | undefined;
  pinnedPoolAgeMs: number | null | undefined;
}

export interface MarketOptions {
  now: () => number;
  /** Returns the local chain's slot at a time (unix ms). Jupiter's prices report it. */
  slotAt: (unixMs: number) => number;
  /** The scaling that the chain says, for a scaled token. */
  scaleOf: (mint: string) => MintScale | undefined;
}

export type Market = ReturnType<typeof createMarket>;

export function createMarket({ now, slotAt, scaleOf }: MarketOptions) {
  const pins = new Map<string, Pin>();
  const added = new Map<string, MarketToken>();
  const pinKey = (source: PriceSource, mint: string): string => `${source} ${mint}`;

  return {
    now,
    quote({ source, mint }: { source: PriceSource; mint: string }) {
      const pin = pins.get(pinKey(source, mint));
      const price = pin === undefined ? priceAt(mint, now()) : pin.price;
      if (price === null) return undefined;
      const scale = scaleOf(mint);
      const used = pin?.usedMultiplier ?? (source === 'jupiter' && scale ? multiplierAt(scale, now()) : 1);
      return {
        price: typeof price === 'number' ? price / used : price,
        isPinned: pin !== undefined,
        scaled: scale && pin?.knowsScale !== false ? { ...scale, price } : undefined,
        slot: slotAt(now() - (pin?.ageMs ?? 0)),
        pinnedLiquidityUsd: pin?.liquidityUsd,
        pinnedVolumeUsd: pin?.volume24hUsd,
        pinnedPoolAgeMs: pin?.poolAgeMs,
      };
    },
    /** Returns the change in percent over the period until now. Ignores pinned prices. */
    changeOver({ mint, overMs }: { mint: string; overMs: number }) {
      return percentChange({ mint, timeMs: now(), overMs }) ?? 0;
    },
    /** Fixes a price until `unpinAll`. */
    pin(pin: Pin) {
      for (const each of pin.source === undefined ? priceSources : [pin.source]) {
        pins.set(pinKey(each, pin.mint), pin);
      }
    },
    unpinAll() {
      pins.clear();
    },
    add(tokens: readonly z.infer<typeof addedTokenSchema>[]) {
      for (const token of tokens) added.set(token.mint, { ...unknownToken(token.mint), ...token });
    },
    added: () => [...added.values()],
    findAdded: (mint: string) => added.get(mint),
    removeAdded: () => added.clear(),
  };
}

const multiplierAt = ({ multiplier, newMultiplier, newMultiplierAt }: MintScale, time: number) =>
  time >= newMultiplierAt ? newMultiplier : multiplier;

/** The decimals of a mint. An unknown mint has 6. */
export function decimalsOf(mint: string): number {
  return findToken(mint)?.decimals ?? 6;
}
