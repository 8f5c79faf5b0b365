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

/** A price as a source tells it. */
export interface Quote {
  /** A number, unless a test pinned something else. */
  price: number | string;
  isPinned: boolean;
}

/** The prices that the stand-ins for Jupiter and DexScreener answer with. */
export interface Market {
  /** What a source says a mint is worth now, or undefined when it does not price it. */
  quote(options: { source: PriceSource; mint: string }): Quote | undefined;
  /** The move in percent over the time before now, by the walk alone. */
  changeOver(options: { mint: string; overMs: number }): number;
  /** Makes one source, or all of them, claim a price until it is freed. */
  pin(options: { mint: string; price: PinnedPrice; source?: PriceSource | undefined }): void;
  /** Lets every price move again. */
  unpinAll(): void;
  now(): number;
}

/** Creates the market of one local world. */
export function createMarket({ now, seed = defaultMarketSeed }: { now: () => number; seed?: string }): Market {
  const pins = new Map<string, PinnedPrice>();
  const pinKey = (source: PriceSource, mint: string): string => `${source} ${mint}`;

  return {
    now,
    quote({ source, mint }) {
      const pinned = pins.get(pinKey(source, mint));
      if (pinned === null) return undefined;
      if (pinned !== undefined) return { price: pinned, isPinned: true };
      const price = priceAt(mint, now(), seed);
      return price === null ? undefined : { price, isPinned: false };
    },
    changeOver({ mint, overMs }) {
      return percentChange({ mint, timeMs: now(), overMs, seed }) ?? 0;
    },
    pin({ mint, price, source }) {
      for (const each of source === undefined ? priceSources : [source]) pins.set(pinKey(each, mint), price);
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
