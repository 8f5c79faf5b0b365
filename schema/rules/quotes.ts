import { MAX_QUOTE_AGE_MS, SLOT_MS } from '#schema/constants.ts';
import { isTooFarApart } from './prices.ts';

/** What one source said of one mint. `price` is a plain decimal in USD; times unix ms. */
export interface SourceQuote {
  readonly source: string;
  readonly price: string | null;
  /** Why there is no price: the source did not answer, does not know the mint, or answered nonsense. */
  readonly failure: 'unavailable' | 'absent' | 'invalid' | null;
  readonly quotedAt: number;
  readonly blockId: number | null;
  readonly liquidityUsd: number | null;
}

/** The chain's newest slot, and when it was that, in unix ms. */
export interface ChainSlot {
  readonly slot: number;
  readonly at: number;
}

/**
 * When a source saw its price, in unix ms: as long ago as slots have passed since the one that it names. Where it
 * names none, or the chain's slot is not known, and for a slot that is yet to come, when the price was fetched.
 */
export function seenAt({
  fetchedAt,
  blockId,
  current,
}: {
  fetchedAt: number;
  blockId: number | null;
  current: ChainSlot | null;
}): number {
  if (blockId === null || current === null) return fetchedAt;
  return Math.min(fetchedAt, current.at - (current.slot - blockId) * SLOT_MS);
}

/** Whether a source saw a price (`at`) so long ago that it is no price of `now`; times in unix ms. */
export function isStale({ at, now }: { at: number; now: number }): boolean {
  return now - at > MAX_QUOTE_AGE_MS;
}

export type QuoteRefusal = 'unavailable' | 'missing' | 'stale' | 'disagree';

export type QuoteDecision =
  | { readonly recorded: SourceQuote & { readonly price: string } }
  | { readonly refusal: QuoteRefusal };

/**
 * Decides which price opens or ends a call. The first source in the list that has a fresh price is
 * recorded; one source suffices while the other is down or does not know the mint, but a source that
 * answers nonsense (zero, negative) or another price contradicts the first, and then nothing is recorded. Without the
 * chain's slot (`isSlotKnown`) nobody knows how old a quote is that names one: it needs another that is fresh beside it.
 */
export function decideQuote({
  quotes,
  now,
  isSlotKnown,
}: {
  quotes: readonly SourceQuote[];
  now: number;
  isSlotKnown: boolean;
}): QuoteDecision {
  const priced = quotes.filter((quote): quote is SourceQuote & { price: string } => quote.price !== null);
  const [recorded, ...others] = priced.filter(({ quotedAt }) => !isStale({ at: quotedAt, now }));
  const hasAge = (quote: SourceQuote) => quote.blockId === null || isSlotKnown;
  if (!recorded || ![recorded, ...others].some(hasAge)) {
    if (priced.length > 0) return { refusal: 'stale' };
    return { refusal: quotes.some((quote) => quote.failure !== 'unavailable') ? 'missing' : 'unavailable' };
  }
  const isContradicted =
    quotes.some((quote) => quote.failure === 'invalid') ||
    others.some((other) => isTooFarApart(other.price, recorded.price));
  return isContradicted ? { refusal: 'disagree' } : { recorded };
}
