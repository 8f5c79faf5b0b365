import { Problem } from './report.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

export const utf8 = (text: string): Bytes => encoder.encode(text);

export const isSame = (one: Bytes, other: Bytes): boolean =>
  one.length === other.length && one.every((byte, place) => byte === other[place]);

export async function sha256(...parts: readonly Bytes[]): Promise<Bytes> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', all));
}

export const base64 = (bytes: Bytes): string => btoa(String.fromCharCode(...bytes));

/** @throws Problem unless the text is standard base64 with padding */
export function fromBase64(text: unknown): Bytes {
  try {
    const characters = atob(String(text));
    if (btoa(characters) === text) return Uint8Array.from(characters, (one) => one.charCodeAt(0));
  } catch {
    // Invalid base64 throws the Problem below.
  }
  throw new Problem('malformed', `This isn't base64: ${String(text).slice(0, 60)}`);
}

/** @throws Problem if the text isn't JSON */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('malformed', "A response isn't JSON.");
  }
}

/**
 * Writes RFC 8785 JSON: without spaces, members sorted by UTF-16 code units. Numbers and strings are written
 * as in JavaScript.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${members.map(([name, member]) => `${canonical(name)}:${canonical(member)}`).join(',')}}`;
  }
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new Problem('malformed', 'A text has half of a surrogate pair.');
  }
  return JSON.stringify(value);
}
