import { MAX_QUOTE_AGE_MS } from '#schema/constants.ts';
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

export type QuoteRefusal = 'unavailable' | 'missing' | 'stale' | 'disagree';

export type QuoteDecision = { readonly recorded: SourceQuote & { readonly price: string } } | { readonly refusal: QuoteRefusal };

/**
 * Decides which price opens or ends a call. The first source in the list that has a fresh price is
 * recorded; one source suffices while the other is down or does not know the mint, but a source that
 * answers nonsense (zero, negative) or another price contradicts the first, and then nothing is recorded.
 */
export function decideQuote(quotes: readonly SourceQuote[], now: number): QuoteDecision {
  const priced = quotes.filter((quote): quote is SourceQuote & { price: string } => quote.price !== null);
  const [recorded, ...others] = priced.filter((quote) => now - quote.quotedAt <= MAX_QUOTE_AGE_MS);
  if (!recorded) {
    if (priced.length > 0) return { refusal: 'stale' };
    return { refusal: quotes.some((quote) => quote.failure !== 'unavailable') ? 'missing' : 'unavailable' };
  }
  const isContradicted =
    quotes.some((quote) => quote.failure === 'invalid') || others.some((other) => isTooFarApart(other.price, recorded.price));
  return isContradicted ? { refusal: 'disagree' } : { recorded };
}
