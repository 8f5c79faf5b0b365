import type { TokenFacts, PriceSource } from '../../../ports/price-source.ts';
import { fromBase64, fromBase64Url, toBase64Url } from '../../../shared/base64.ts';

export type SealedUrls = ReturnType<typeof createSealedUrls>;

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' } as const;

/**
 * Signs URLs of icons, so that the server fetches only URLs that came from a price source. `key` is 32 bytes in base64. It also protects other data, so this derives a separate key for URLs.
 */
export function createSealedUrls(key: string) {
  let derived: Promise<CryptoKey> | undefined;
  const deriveKey = () => (derived ??= deriveHmacKey(key));
  const encode = (url: string) => new TextEncoder().encode(url);
  const write = (signature: Uint8Array, bytes: Uint8Array) =>
    `${toBase64Url(signature)}.${toBase64Url(bytes)}`;
  return {
    async seal(url: string): Promise<string> {
      const signature = await crypto.subtle.sign(ALGORITHM, await deriveKey(), encode(url));
      return write(new Uint8Array(signature), encode(url));
    },

    /** Returns the URL; null if the text wasn't made by `seal`. */
    async open(sealed: string): Promise<string | null> {
      try {
        const [signature, bytes] = sealed.split('.').map(fromBase64Url);
        if (signature === undefined || bytes === undefined) return null;
        // The text is the image's cache key, so another base64 form of it would make us fetch the same image again.
        if (write(signature, bytes) !== sealed) return null;
        const isOurs = await crypto.subtle.verify(ALGORITHM, await deriveKey(), signature, bytes);
        return isOurs ? new TextDecoder().decode(bytes) : null;
      } catch {
        return null;
      }
    },
  };
}

async function deriveHmacKey(key: string): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey('raw', fromBase64(key), 'HKDF', false, ['deriveKey']);
  const info = new TextEncoder().encode('sealed image URLs');
  const from = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
  return crypto.subtle.deriveKey(from, secret, { ...ALGORITHM, length: 256 }, false, ['sign', 'verify']);
}

/**
 * Wraps a price source: its lookups and searches return our own path for a token's icon. Quotes keep the
 * original URL, because a call records this URL.
 */
export function withIconPaths(source: PriceSource, { seal }: SealedUrls): PriceSource {
  const withPath = async (facts: TokenFacts): Promise<TokenFacts> => ({
    ...facts,
    logoURI: facts.logoURI === null ? null : `/api/images/tokens/${await seal(facts.logoURI)}`,
  });
  return {
    ...source,
    async tokens(mints, priority) {
      const found = [...(await source.tokens(mints, priority))];
      return new Map(
        await Promise.all(found.map(async ([mint, facts]) => [mint, await withPath(facts)] as const)),
      );
    },
    async search(text, priority) {
      return Promise.all((await source.search(text, priority)).map(withPath));
    },
  };
}
