export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export const toBase64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}
