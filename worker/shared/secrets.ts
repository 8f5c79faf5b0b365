import { createHash } from 'node:crypto';
import { fromBase64, toBase64Url } from './base64.ts';

export const createToken = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));

const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const CHECKSUM_BYTES = 8;
const SIGNED_TOKEN = /^([\w-]{43})[\w-]{11}$/;

export type SignedTokens = ReturnType<typeof createSignedTokens>;

/**
 * Makes tokens of 256 random bits with a checksum by our key, so that a made-up token is refused without a query. The
 * database still decides what a token opens. `secret` (32 bytes in base64) also protects other data, so the signed text
 * names its purpose.
 */
export function createSignedTokens(secret: string) {
  let key: CryptoKey | undefined;
  const encode = (text: string) => new TextEncoder().encode(text);
  const sign = async (random: string): Promise<string> => {
    key ??= await crypto.subtle.importKey('raw', fromBase64(secret), HMAC, false, ['sign']);
    const signature = await crypto.subtle.sign(HMAC, key, encode(`session or API key ${random}`));
    return `${random}${toBase64Url(new Uint8Array(signature, 0, CHECKSUM_BYTES))}`;
  };
  return {
    create: () => sign(createToken()),

    async isOurs(token: string): Promise<boolean> {
      const random = SIGNED_TOKEN.exec(token)?.[1];
      return random !== undefined && crypto.subtle.timingSafeEqual(encode(await sign(random)), encode(token));
    },
  };
}

/** Hashes a token with SHA-256, in hex. The database stores only this hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

export function isSameSecret(secret: string, sent: string): boolean {
  const digest = (text: string) => new TextEncoder().encode(hashToken(text));
  return crypto.subtle.timingSafeEqual(digest(secret), digest(sent));
}
