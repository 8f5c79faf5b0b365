import { UNPRICED_END_MS } from '#schema/constants/market.ts';
import { MAX_QUOTE_AGE_MS, type QUOTE_FAILURES } from '#schema/constants/prices.ts';
import { isTooFarApart } from './prices.ts';

/** One source's response for one mint. `price` is a plain decimal in USD. Times are unix ms. */
export interface SourceQuote {
  readonly source: string;
  readonly price: string | null;
  /**
   * The reason for a missing or unusable price. `unavailable`: the source didn't respond. `absent`: it doesn't know the
   * mint. `invalid`: it sent an invalid price. `undated`: there is a price, but the chain didn't tell its slot's time. `rescaled`: it's the
   * end of a call whose token has changed its unit.
   */
  readonly failure: (typeof QUOTE_FAILURES)[number] | null;
  readonly quotedAt: number;
  readonly blockId: number | null;
  readonly liquidityUsd: number | null;
  readonly volume24hUsd: number | null;
  readonly poolCreatedAt: number | null;
}

/** The chain's current slot, and how long its recent slots lasted. */
export interface ChainSlot {
  readonly slot: number;
  readonly at: number;
  readonly slotMs: number;
}

export interface FetchedPrice {
  readonly fetchedAt: number;
  readonly blockId: number | null;
  readonly current: ChainSlot | null;
}

/**
 * Returns the time of the price in unix ms. If the price's slot and the current slot are known, the time is
 * computed from them, in whole ms as it is published. Otherwise it is the fetch time. It is never later than the fetch.
 */
export function seenAt({ fetchedAt, blockId, current }: FetchedPrice): number {
  if (blockId === null || current === null) return fetchedAt;
  return Math.min(fetchedAt, Math.floor(current.at - (current.slot - blockId) * current.slotMs));
}

export function isStale({ at, now }: { at: number; now: number }): boolean {
  return now - at > MAX_QUOTE_AGE_MS;
}

/** The newest slots may be this many times as long or as short as the measured ones. */
const MAX_SLOT_CHANGE = 5;

/** True if a time that was computed from slots can't tell whether the price is stale. */
export function mayMisjudgeAge({ at, now }: { at: number; now: number }): boolean {
  const ages = (now - at) / MAX_QUOTE_AGE_MS;
  return ages > 1 / MAX_SLOT_CHANGE && ages < MAX_SLOT_CHANGE;
}

/** `undated`: the price's age is unknown, because the chain didn't return the current slot or a block's time. */
export type QuoteRefusal = 'unavailable' | 'missing' | 'stale' | 'undated' | 'unit_unknown' | 'disagree';

export type PricedQuote = SourceQuote & { readonly price: string };

export type QuoteDecision = { readonly recorded: PricedQuote } | { readonly refusal: QuoteRefusal };

export type CallSide = 'open' | 'end';

export interface QuoteInput<Quote extends SourceQuote = SourceQuote> {
  readonly quotes: readonly Quote[];
  readonly now: number;
}

/**
 * Returns the quotes that are fresh and have a known age. Only these quotes confirm a price, and a ranked
 * call needs two of them.
 */
export function usableQuotes<Quote extends SourceQuote>(input: QuoteInput<Quote>): Quote[] {
  const { quotes, now } = input;
  return quotes.filter(
    ({ price, failure, quotedAt }) => price !== null && failure === null && !isStale({ at: quotedAt, now }),
  );
}

/**
 * Decides which fresh price opens or ends a call. The highest price opens it, and the lowest price ends it,
 * so that a caller can't profit from a source that lags. One source is enough if the other is down or doesn't
 * know the mint. An invalid price, or prices over 3% apart, cause a refusal. At least one fresh quote must be dated.
 */
export function decideQuote(input: QuoteInput, side: CallSide): QuoteDecision {
  const { quotes, now } = input;
  const priced = quotes.filter(isPriced);
  const [first, ...others] = priced.filter(({ quotedAt }) => !isStale({ at: quotedAt, now }));
  if (!first || usableQuotes(input).length === 0) {
    if (priced.length > 0) return { refusal: first ? 'undated' : 'stale' };
    return { refusal: quotes.some((quote) => quote.failure !== 'unavailable') ? 'missing' : 'unavailable' };
  }
  const highest = leastFavorable([first, ...others], 'open');
  const lowest = leastFavorable([first, ...others], 'end');
  const isContradicted =
    quotes.some((quote) => quote.failure === 'invalid') || isTooFarApart(lowest.price, highest.price);
  if (isContradicted) return { refusal: 'disagree' };
  return { recorded: side === 'open' ? highest : lowest };
}

/** Returns the lowest usable price, even if another price contradicts it. Null if no price is usable. */
export function lowestQuote(input: QuoteInput): PricedQuote | null {
  const [first, ...others] = usableQuotes(input).filter(isPriced);
  return first ? leastFavorable([first, ...others], 'end') : null;
}

/**
 * Returns the quote that is worst for the caller: the highest at the entry, the lowest at the end. Of equal
 * quotes, returns the first.
 */
export function leastFavorable<Quote extends { readonly price: string }>(
  [first, ...others]: readonly [Quote, ...Quote[]],
  side: CallSide,
): Quote {
  const sign = side === 'open' ? 1 : -1;
  return others.reduce(
    (worst, quote) => (sign * Number(quote.price) > sign * Number(worst.price) ? quote : worst),
    first,
  );
}

function isPriced(quote: SourceQuote): quote is PricedQuote {
  return quote.price !== null;
}

/**
 * True if every source responded, and no source has seen a price within the last 7 days. While the chain's
 * slot is unknown, a quote with a slot has an unknown age. The quote might be a recent price, so the result
 * is false.
 */
export function isUnpriced({ quotes, now }: QuoteInput): boolean {
  return quotes.every(({ price, failure, quotedAt, blockId }) => {
    if (price === null) return failure !== 'unavailable';
    return blockId !== null && failure === null && quotedAt <= now - UNPRICED_END_MS;
  });
}
