import bs58 from 'bs58';

const SIGNATURE_BYTES = 64;
const PUBLIC_KEY_BYTES = 32;

/** Whether a text is a transaction's signature: 64 bytes in base58. */
export function isSignature(text: string): boolean {
  return bs58.decodeUnsafe(text)?.length === SIGNATURE_BYTES;
}

/** The 32 bytes of a public key in base58, or `null`. */
export function decodePublicKey(text: string): Uint8Array | null {
  const bytes = bs58.decodeUnsafe(text);
  return bytes?.length === PUBLIC_KEY_BYTES ? bytes : null;
}
