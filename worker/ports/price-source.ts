import type { TokenSafety } from '#schema/contracts/prices.ts';
import type { SourceQuote } from '#schema/rules/quotes.ts';

/** What a source knows about a token's name. */
export interface TokenIdentity {
  readonly symbol: string;
  readonly name: string;
  readonly logoURI: string | null;
}

/** What a source knows about a token, for people to look at; null for what it does not say. */
export interface TokenFacts extends TokenIdentity {
  readonly mint: string;
  /** Plain decimal in USD. */
  readonly price: string | null;
  /** The slot in which that price was seen. */
  readonly priceBlockId: number | null;
  readonly liquidityUsd: number | null;
  /** When its first pool opened, unix ms. */
  readonly createdAt: number | null;
  readonly holderCount: number | null;
  readonly safety: TokenSafety;
}

/** A price among many: plain decimal in USD, and the slot in which it was seen; null where the source names none. */
export interface SourcePrice {
  readonly price: string;
  readonly blockId: number | null;
}

/** A quote with the token's identity where the source gives it. */
export interface TokenQuote extends SourceQuote {
  readonly token: TokenIdentity | null;
}

/**
 * A third party that prices tokens in USD. Nothing is cached behind this port. Its bulk questions throw a
 * `SourceBackoffError` while it takes none, mostly without asking it; a quote is held back only by a refusal (429).
 */
export interface PriceSource {
  readonly name: string;
  /** One mint, never throwing: an outage is a quote with `failure: 'unavailable'`. `quotedAt` is when it was fetched. */
  quote(mint: string): Promise<TokenQuote>;
  /** Prices by mint; unpriced mints are left out. @throws when the source does not answer. */
  prices(mints: readonly string[]): Promise<ReadonlyMap<string, SourcePrice>>;
  /** What tokens are, by mint; unknown ones are left out. @throws when the source does not answer. */
  tokens(mints: readonly string[]): Promise<ReadonlyMap<string, TokenFacts>>;
  /** Tokens by symbol or name, the best match first, where the source can search. @throws when the source does not answer. */
  search?(words: string): Promise<readonly TokenFacts[]>;
}

/** The source takes no more questions until `retryAt` (unix ms): its rate limit is used up, or (`isFailing`) it has failed too often. */
export class SourceBackoffError extends Error {
  override name = 'SourceBackoffError';
  readonly retryAt: number;
  readonly isFailing: boolean;

  constructor({ source, retryAt, isFailing }: { source: string; retryAt: number; isFailing: boolean }) {
    super(`${source} ${isFailing ? 'fails and ' : ''}rests until ${new Date(retryAt).toISOString()}`);
    this.retryAt = retryAt;
    this.isFailing = isFailing;
  }
}
