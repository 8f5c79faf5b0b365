import type { TokenSafety } from '#schema/contracts/prices.ts';
import type { TokenIdentity, TokenQuote } from '../ports/price-source.ts';

/** Of a token of whose safety nobody says anything. */
export const UNKNOWN_SAFETY: TokenSafety = {
  isMintAuthorityDisabled: null,
  isFreezeAuthorityDisabled: null,
  topHoldersPercent: null,
  isSuspicious: null,
  isVerified: null,
};

/** Calls of a source that takes so many mints at once. */
export function splitBatches(mints: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(mints.length / size) }, (_, index) =>
    mints.slice(index * size, (index + 1) * size),
  );
}

/** A picture's address as a source gives it, if a page may load it: over http or https. */
export function readLogo(address: string | null | undefined): string | null {
  const url = address == null ? null : URL.parse(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

/** A quote without a price. */
export function failedQuote({
  source,
  failure,
  now,
  token,
}: {
  source: string;
  failure: 'unavailable' | 'absent' | 'invalid';
  now: number;
  token: TokenIdentity | null;
}): TokenQuote {
  return { source, price: null, failure, quotedAt: now, blockId: null, liquidityUsd: null, token };
}

/** A quote from an answer that named a price; one that `readPrice` refused (null) is invalid. */
export function pricedQuote({
  price,
  now,
  ...rest
}: {
  source: string;
  price: string | null;
  now: number;
  token: TokenIdentity | null;
  blockId: number | null;
  liquidityUsd: number | null;
}): TokenQuote {
  if (price === null) return failedQuote({ source: rest.source, failure: 'invalid', now, token: rest.token });
  return { ...rest, price, failure: null, quotedAt: now };
}
