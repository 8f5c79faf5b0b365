import { findToken } from './tokens.ts';
import { defaultMarketSeed, percentChange, priceAt } from './walk.ts';

/** Where a price is read from. */
export type PriceSource = 'jupiter' | 'dexscreener';
export const priceSources = ['jupiter', 'dexscreener'] as const satisfies readonly PriceSource[];

/**
 * What a test may make a source claim: any number, also 0, -1 or 1e15, or a text that is no
 * number at all. Null makes the token absent.
 */
export type PinnedPrice = number | string | null;

/** What a test makes sources claim of a mint. */
export interface Pin {
  mint: string;
  price: PinnedPrice;
  /** All of them unless told. */
  source?: PriceSource | undefined;
  /** How long before every question the price was seen; Jupiter tells it by its slot, DexScreener tells no age. */
  ageMs?: number | undefined;
  /** What is behind the token; null when sources do not say. */
  liquidityUsd?: number | null | undefined;
}

/** A price as a source tells it. */
export interface Quote {
  /** A number, unless a test pinned something else. */
  price: number | string;
  isPinned: boolean;
  /** The slot in which it was seen. */
  slot: number;
  /** What a test pinned; undefined for the token's own. */
  pinnedLiquidityUsd: number | null | undefined;
}

/** The prices that the stand-ins for Jupiter and DexScreener answer with. */
export interface Market {
  /** What a source says a mint is worth now, or undefined when it does not price it. */
  quote(options: { source: PriceSource; mint: string }): Quote | undefined;
  /** The move in percent over the time before now, by the walk alone. */
  changeOver(options: { mint: string; overMs: number }): number;
  /** Makes one source, or all of them, claim a price until it is freed. */
  pin(pin: Pin): void;
  /** Lets every price move again. */
  unpinAll(): void;
  now(): number;
}

export interface MarketOptions {
  /** Unix ms. */
  now: () => number;
  /** The local chain's slot at a time, unix ms: sources and chain count the same slots. */
  slotAt: (unixMs: number) => number;
  seed?: string;
}

/** Creates the market of one local world. */
export function createMarket({ now, slotAt, seed = defaultMarketSeed }: MarketOptions): Market {
  const pins = new Map<string, Pin>();
  const pinKey = (source: PriceSource, mint: string): string => `${source} ${mint}`;

  return {
    now,
    quote({ source, mint }) {
      const pin = pins.get(pinKey(source, mint));
      const price = pin === undefined ? priceAt(mint, now(), seed) : pin.price;
      if (price === null) return undefined;
      return {
        price,
        isPinned: pin !== undefined,
        slot: slotAt(now() - (pin?.ageMs ?? 0)),
        pinnedLiquidityUsd: pin?.liquidityUsd,
      };
    },
    changeOver({ mint, overMs }) {
      return percentChange({ mint, timeMs: now(), overMs, seed }) ?? 0;
    },
    pin(pin) {
      for (const each of pin.source === undefined ? priceSources : [pin.source]) {
        pins.set(pinKey(each, pin.mint), pin);
      }
    },
    unpinAll() {
      pins.clear();
    },
  };
}

/** Decimals of a mint; a mint that only a test knows counts as a common one with six. */
export function decimalsOf(mint: string): number {
  return findToken(mint)?.decimals ?? 6;
}
