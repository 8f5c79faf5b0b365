import type { TokenIdentity, TokenQuote } from '../ports/price-source.ts';

/** A picture's address as a source gives it, if a page may load it: over http or https. */
export function readLogo(address: string | null | undefined): string | null {
  const url = address == null ? null : URL.parse(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

/** A quote without a price. */
export function failedQuote({ source, failure, now, token }: { source: string; failure: 'unavailable' | 'absent' | 'invalid'; now: number; token: TokenIdentity | null }): TokenQuote {
  return { source, price: null, failure, quotedAt: now, blockId: null, liquidityUsd: null, token };
}

/** A quote from an answer that named a price; one that `readPrice` refused (null) is invalid. */
export function pricedQuote({ price, now, ...rest }: { source: string; price: string | null; now: number; token: TokenIdentity | null; blockId: number | null; liquidityUsd: number | null }): TokenQuote {
  if (price === null) return failedQuote({ source: rest.source, failure: 'invalid', now, token: rest.token });
  return { ...rest, price, failure: null, quotedAt: now };
}
