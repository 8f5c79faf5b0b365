import { shortenAddress } from '#schema/rules/text/format.ts';
import type { TokenSafety } from '#schema/rules/prices/token-safety.ts';
import type { SourceQuote } from '#schema/rules/prices/quotes.ts';
import type { ConvertedPrice, SentPrice } from '#schema/rules/prices/units.ts';

export interface TokenIdentity {
  readonly symbol: string;
  readonly name: string;
  readonly logoURI: string | null;
}

/** Shown for a token that no source names. */
export const unnamedToken = (mint: string): TokenIdentity => ({
  symbol: shortenAddress(mint),
  name: 'Unknown Token',
  logoURI: null,
});

export interface TokenFacts extends TokenIdentity, SentPrice {
  readonly mint: string;
  readonly priceBlockId: number | null;
  readonly liquidityUsd: number | null;
  readonly volume24hUsd: number | null;
  readonly marketCapUsd: number | null;
  readonly createdAt: number | null;
  readonly holderCount: number | null;
  readonly safety: TokenSafety;
}

/** A plain decimal in USD. Slot and liquidity are null if the source reports none. */
export interface SourcePrice extends SentPrice {
  readonly price: string;
  readonly blockId: number | null;
  readonly liquidityUsd: number | null;
}

export interface TokenQuote extends SourceQuote, SentPrice, ConvertedPrice {
  readonly price: string | null;
  readonly marketCapUsd: number | null;
  readonly token: TokenIdentity | null;
  readonly safety: TokenSafety;
}

export interface RequestPriority {
  /** True for a price that opens or ends a call. */
  readonly isUrgent: boolean;
  /** The user, who may use only a share of the source's rate limit. Null if the request isn't for a single user. */
  readonly person: string | null;
}

export const BULK: RequestPriority = { isUrgent: false, person: null };

/**
 * A third party that prices tokens in USD. Caches nothing. All methods throw SourceBackoffError while the
 * source is rate limited. All methods but `quote` also throw it while the circuit breaker is open.
 */
export interface PriceSource {
  readonly name: string;
  /** True if the source states a multiplier with the price of every token that it knows as scaled. */
  readonly statesUnits: boolean;
  /** True if requests for many mints read only one pool of each, which may not count. `quote` reads all. */
  readonly readsOnePool?: boolean;
  /**
   * If the source is down, the quote has `failure: 'unavailable'`. Throws our own errors.
   * @throws SourceBackoffError if we have used up the source's rate limit, because the source isn't down then
   */
  quote(mint: string, priority: RequestPriority): Promise<TokenQuote>;
  /** Fetches prices by mint. Leaves out mints without a price. @throws if the source fails */
  prices(mints: readonly string[], priority: RequestPriority): Promise<ReadonlyMap<string, SourcePrice>>;
  /** Fetches tokens by mint. Leaves out unknown mints. @throws if the source fails */
  tokens(mints: readonly string[], priority: RequestPriority): Promise<ReadonlyMap<string, TokenFacts>>;
  /** Searches tokens by mint, symbol or name, best match first. @throws if the source fails */
  search(text: string, priority: RequestPriority): Promise<readonly TokenFacts[]>;
  /**
   * Finds the mint that is traded in a pool, whose address may be in lower case. Null for an unknown pool. Not every
   * source knows pools.
   * @throws if the source fails
   */
  findMintOfPool?(pool: string, priority: RequestPriority): Promise<string | null>;
}

/** The source failed: no connection, a timeout, an error status or a malformed body. Never an error of our own. */
export class SourceFailedError extends Error {
  override name = 'SourceFailedError';

  constructor(source: string, cause: unknown) {
    super(`${source} failed`, { cause });
  }
}

/** The source is rate limited, or its circuit breaker is open (`isFailing`), until `retryAt` (unix ms). */
export class SourceBackoffError extends Error {
  override name = 'SourceBackoffError';
  readonly retryAt: number;
  readonly isFailing: boolean;

  constructor({ source, retryAt, isFailing }: { source: string; retryAt: number; isFailing: boolean }) {
    const reason = isFailing ? 'failed too often' : 'is rate limited';
    super(`${source} ${reason}: retry at ${new Date(retryAt).toISOString()}`);
    this.retryAt = retryAt;
    this.isFailing = isFailing;
  }
}
