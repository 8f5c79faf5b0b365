import type { SourceQuote } from '#schema/rules/quotes.ts';

/** What a source knows about a token's name. */
export interface TokenIdentity {
  readonly symbol: string;
  readonly name: string;
  readonly logoURI: string | null;
}

/** A quote with the token's identity where the source gives it. */
export interface TokenQuote extends SourceQuote {
  readonly token: TokenIdentity | null;
}

/** A third party that prices tokens in USD. Nothing is cached behind this port. */
export interface PriceSource {
  readonly name: string;
  /** One mint, never throwing: an outage is a quote with `failure: 'unavailable'`. */
  quote(mint: string): Promise<TokenQuote>;
  /** Plain decimal prices by mint; unpriced mints are left out. @throws when the source does not answer. */
  prices(mints: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** What tokens are called, by mint; unknown ones are left out. @throws when the source does not answer. */
  tokens(mints: readonly string[]): Promise<ReadonlyMap<string, TokenIdentity>>;
}

/** The source takes no more questions until `retryAt` (unix ms), and was not asked: its rate limit is used up, or it has failed too often. */
export class SourceRestingError extends Error {
  override name = 'SourceRestingError';
  readonly retryAt: number;

  constructor({ source, retryAt }: { source: string; retryAt: number }) {
    super(`${source} rests until ${new Date(retryAt).toISOString()}`);
    this.retryAt = retryAt;
  }
}
