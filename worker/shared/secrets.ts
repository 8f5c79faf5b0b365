import { createHash } from 'node:crypto';
import { toBase64Url } from './base64.ts';

export const createToken = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));

/** Hashes a token with SHA-256, in hex. The database stores only this hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

export function isSameSecret(secret: string, sent: string): boolean {
  const digest = (text: string) => new TextEncoder().encode(hashToken(text));
  return crypto.subtle.timingSafeEqual(digest(secret), digest(sent));
}
