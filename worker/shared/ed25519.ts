import { ed25519 } from '@noble/curves/ed25519';

/**
 * Verifies an ed25519 signature strictly. Keys of small order are refused: anybody can forge a signature for them
 * that fits every message. Wrong lengths are no error, only no signature.
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
