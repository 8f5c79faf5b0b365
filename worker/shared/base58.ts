import bs58 from 'bs58';

const SIGNATURE_BYTES = 64;
const PUBLIC_KEY_BYTES = 32;

export function isSignature(text: string): boolean {
  return bs58.decodeUnsafe(text)?.length === SIGNATURE_BYTES;
}

/** @returns 32 bytes, or `null` if the text isn't a public key in base58 */
export function decodePublicKey(text: string): Uint8Array | null {
  const bytes = bs58.decodeUnsafe(text);
  return bytes?.length === PUBLIC_KEY_BYTES ? bytes : null;
}
