import { z } from 'zod';
import type { TokenSafety } from '#schema/contracts/prices.ts';
import type { TokenIdentity, TokenQuote } from '../ports/price-source.ts';

export const UNKNOWN_SAFETY: TokenSafety = {
  isMintAuthorityDisabled: null,
  isFreezeAuthorityDisabled: null,
  topHoldersPercent: null,
  isSuspicious: null,
  isVerified: null,
};

export function splitBatches(mints: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(mints.length / size) }, (_, index) =>
    mints.slice(index * size, (index + 1) * size),
  );
}

/**
 * Parses a list and drops its malformed entries.
 * @throws if the body isn't a list
 */
export function readEntries<Schema extends z.ZodType>(schema: Schema) {
  return (body: unknown): z.output<Schema>[] =>
    z
      .array(z.unknown())
      .parse(body)
      .flatMap((entry) => schema.safeParse(entry).data ?? []);
}

/** The URL of a token's logo, or null unless it is http or https. */
export function readLogo(address: string | null | undefined): string | null {
  const url = address == null ? null : URL.parse(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

interface QuoteBase {
  readonly source: string;
  /** Unix ms. */
  readonly now: number;
  readonly token: TokenIdentity | null;
}

export interface FailedQuote extends QuoteBase {
  readonly failure: 'unavailable' | 'absent' | 'invalid';
}

export function failedQuote({ source, failure, now, token }: FailedQuote): TokenQuote {
  return { source, price: null, failure, quotedAt: now, blockId: null, liquidityUsd: null, token };
}

export interface PricedQuote extends QuoteBase {
  readonly price: string | null;
  readonly blockId: number | null;
  readonly liquidityUsd: number | null;
}

/** Builds a quote from the result of `readPrice`; a null price gives an invalid quote. */
export function pricedQuote({ price, now, ...rest }: PricedQuote): TokenQuote {
  if (price === null) return failedQuote({ source: rest.source, failure: 'invalid', now, token: rest.token });
  return { ...rest, price, failure: null, quotedAt: now };
}
