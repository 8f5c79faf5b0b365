import { toBase64Url } from './base64.ts';

export function createToken(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** Hashes a token with SHA-256, in hex. The database stores only this hash. */
export async function hashToken(token: string): Promise<string> {
  return [...new Uint8Array(await digest(token))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export async function isSameSecret(secret: string, sent: string): Promise<boolean> {
  return crypto.subtle.timingSafeEqual(await digest(secret), await digest(sent));
}

function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
}
