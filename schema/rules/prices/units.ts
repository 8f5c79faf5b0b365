import { HOUR_MS, MINUTE_MS } from '../../constants/time.ts';
import { formatTokenAmount } from '../text/format-amounts.ts';
import type { SourceQuote } from './quotes.ts';
import { isTooFarApart, readPrice } from './prices.ts';

/**
 * The ScaledUiAmount extension of a Token-2022 mint. Wallets show amounts times the multiplier, and sources may divide
 * prices by it. All prices that we store and compute with are those of one unscaled token
 * (docs/decisions/069-units.md).
 */
export interface MintScale {
  readonly multiplier: number;
  readonly newMultiplier: number;
  /** From this time on (unix ms), the new multiplier is in effect. */
  readonly newMultiplierAt: number;
}

export function multiplierAt({ multiplier, newMultiplier, newMultiplierAt }: MintScale, now: number): number {
  return now >= newMultiplierAt ? newMultiplier : multiplier;
}

export interface SentPrice {
  readonly price: string | null;
  /** If the source states a multiplier, the price is for one unscaled token. Otherwise its unit isn't known. */
  readonly multiplier: number | null;
}

/** Sources round prices, and we compute a stated multiplier from two of them. */
const ROUNDING = 1e-3;

/** How long sources may take to notice a new multiplier, and how far their clocks may be ahead. */
const NOTICED_MS = 6 * HOUR_MS;
const AHEAD_MS = 10 * MINUTE_MS;

export interface ChainScale {
  /** Null if the mint isn't scaled, undefined if its account doesn't say. */
  readonly scale: MintScale | null | undefined;
  readonly now: number;
}

/** A source may not have noticed a new multiplier yet, or not know that the token is scaled. */
const possibleMultipliers = ({ scale, now }: ChainScale) =>
  scale ? [1, multiplierAt(scale, now - NOTICED_MS), multiplierAt(scale, now + AHEAD_MS)] : [1];

/**
 * True if the price is for one unscaled token. A source's statement counts only if a multiplier on the chain explains it.
 */
export function isUnscaled({ multiplier }: SentPrice, chain: ChainScale): boolean {
  if (chain.scale === undefined) return false;
  const possible = possibleMultipliers(chain);
  if (multiplier === null) return possible.every((each) => each === 1);
  return possible.some((each) => Math.abs(multiplier / each - 1) <= ROUNDING);
}

/** A converted price, and the one that the source sent; null if that is the same. */
export interface ConvertedPrice {
  readonly price: string | null;
  readonly sentPrice: string | null;
}

export interface UnscaledQuotes<Quote> {
  readonly quotes: readonly Quote[];
  /** `lowest`: prices are the lowest possible ones, because no source states a unit that the chain explains. */
  readonly unit: 'known' | 'unknown' | 'lowest';
}

/**
 * Converts the prices of a mint's quotes to prices of one unscaled token. A source that doesn't state its unit gets the one
 * whose price is the nearest to a known price.
 */
export function unscaleQuotes<Quote extends SourceQuote & SentPrice & ConvertedPrice>(
  quotes: readonly Quote[],
  { isRead, ...chain }: ChainScale & { readonly isRead: boolean },
): UnscaledQuotes<Quote> {
  if (quotes.every(({ price }) => price === null)) return { quotes, unit: 'known' };
  const known = quotes.find((quote) => quote.price !== null && isUnscaled(quote, chain))?.price ?? null;
  const isAwaited = !isRead || quotes.some(({ failure }) => failure === 'unavailable');
  if (known === null && isAwaited) return { quotes, unit: 'unknown' };
  const distance = (price: string) =>
    known === null ? Number(price) : Math.abs(Math.log(Number(price) / Number(known)));
  const unscale = (quote: Quote): Quote => {
    if (quote.price === null || quote.multiplier !== null) return quote;
    const possible = possibleMultipliers(chain).flatMap(
      (each) => (each === 1 ? quote.price : readPrice(Number(quote.price) * each)) ?? [],
    );
    const [price = null] = possible.toSorted((one, other) => distance(one) - distance(other));
    return { ...quote, price, sentPrice: price === quote.price ? null : quote.price };
  };
  return { quotes: quotes.map(unscale), unit: known === null ? 'lowest' : 'known' };
}

interface RecordedUnit extends ConvertedPrice {
  readonly source: string;
  readonly multiplier: number | null;
}

/**
 * True if the quotes of a call's end are for the same units as those of its entry. Otherwise, the issuer may have chosen
 * a multiplier with which DexScreener's price seems to confirm a false price.
 */
export function areSameUnits(entry: readonly RecordedUnit[], end: readonly RecordedUnit[]): boolean {
  return end.every((quote) => {
    const earlier = entry.find(({ source }) => source === quote.source) ?? quote;
    return !isTooFarApart(unitOf(quote), unitOf(earlier));
  });
}

/** The multiplier on the chain, times the number by which the source's price was multiplied. */
const unitOf = ({ multiplier, price, sentPrice }: RecordedUnit) =>
  String(((multiplier ?? 1) * Number(price)) / Number(sentPrice ?? price));

/** Says that prices aren't for the unit that wallets show. Null if they are. The oldest multiplier comes first. */
export function describeUnit(multipliers: readonly (number | null)[]): string | null {
  const known = multipliers.map((each) => each ?? 1).filter(Number.isFinite);
  const shown = [...new Set(known.map((each) => formatTokenAmount(String(each))))];
  if (shown.every((each) => each === '1')) return null;
  return `Prices are for one token as the chain counts it. Wallets show it as ${shown.join(', later as ')} tokens.`;
}
