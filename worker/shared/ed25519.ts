import { ed25519 } from '@noble/curves/ed25519';

/**
 * Verifies an ed25519 signature strictly: keys and points of small order are refused, since for those a
 * signature that fits every message can be written down without any secret. Lengths other than 64 and
 * 32 bytes are simply no signature.
 */
export function isSignedBy({
  message,
  signature,
  publicKey,
}: {
  message: Uint8Array;
  signature: Uint8Array;
  publicKey: Uint8Array;
}): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}
