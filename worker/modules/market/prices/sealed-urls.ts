import { createHmac } from 'node:crypto';
import type { TokenFacts, PriceSource } from '../../../ports/price-source.ts';
import { fromBase64, toBase64Url } from '../../../shared/base64.ts';
import { isSameSecret } from '../../../shared/secrets.ts';

export type SealedUrls = ReturnType<typeof createSealedUrls>;

/**
 * Signs URLs of icons, so that the server fetches only URLs that came from a price source. `key` is 32 bytes in base64. It
 * also protects other data, so the signed text names its purpose.
 */
export function createSealedUrls(key: string) {
  const seal = (url: string): string => {
    const signature = createHmac('sha256', fromBase64(key)).update(`sealed image URL ${url}`).digest('hex');
    return `${signature}.${toBase64Url(new TextEncoder().encode(url))}`;
  };
  return {
    seal,

    /** Returns the URL; null if the text wasn't made by `seal`. */
    open(sealed: string): string | null {
      const url = Buffer.from(sealed.split('.')[1] ?? '', 'base64url').toString();
      return isSameSecret(seal(url), sealed) ? url : null;
    },
  };
}

/**
 * Wraps a price source: its lookups and searches return our own path for a token's icon. Quotes keep the
 * original URL, because a call records this URL.
 */
export function withIconPaths(source: PriceSource, { seal }: SealedUrls): PriceSource {
  const withPath = (facts: TokenFacts): TokenFacts => ({
    ...facts,
    logoURI: facts.logoURI === null ? null : `/api/images/tokens/${seal(facts.logoURI)}`,
  });
  return {
    ...source,

    async tokens(mints, priority) {
      const found = await source.tokens(mints, priority);
      return new Map([...found].map(([mint, facts]) => [mint, withPath(facts)]));
    },

    async search(text, priority) {
      return (await source.search(text, priority)).map(withPath);
    },
  };
}
