import { sha256 as digest } from '@noble/hashes/sha2.js';
import { Problem } from './report.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

/** Synchronous, because Web Crypto takes three times as long for many short inputs. */
export function sha256(...parts: readonly Uint8Array[]): Bytes {
  const hash = digest.create();
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

export const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** @throws Problem unless the text is standard base64 with padding */
export function fromBase64(text: unknown): Bytes {
  try {
    const characters = atob(String(text));
    if (btoa(characters) === text) return Uint8Array.from(characters, (one) => one.charCodeAt(0));
  } catch {
    // Invalid base64 throws the Problem below.
  }
  throw new Problem('malformed', `This isn’t base64: ${String(text).slice(0, 60)}`);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws Problem if the bytes aren't UTF-8 */
export function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Problem('malformed', 'A text isn’t UTF-8.');
  }
}

/** @throws Problem if the text isn't JSON */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('malformed', 'A response isn’t JSON.');
  }
}

/** A deeper value could overflow the stack. */
const MAX_DEPTH = 100;

/**
 * Writes RFC 8785 JSON: without spaces, members sorted by UTF-16 code units.
 * @throws Problem if the value is nested too deeply
 */
export function canonical(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new Problem('malformed', 'An entry is nested too deeply.');
  const inner = (member: unknown) => canonical(member, depth + 1);
  if (Array.isArray(value)) return `[${value.map(inner).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${inner(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

const SALT_BYTES = 32;

/** Base64 of SHA-256(salt ‖ text). @throws Problem unless the salt has 32 bytes */
export function commitmentOf(salt: unknown, text: string): string {
  const bytes = fromBase64(salt);
  if (bytes.length === SALT_BYTES) return base64(sha256(bytes, utf8(text)));
  throw new Problem('commitment_broken', `A salt has ${bytes.length} bytes instead of ${SALT_BYTES}.`);
}
