import { ed25519 } from '@noble/curves/ed25519';

type SignedMessage = Readonly<Record<'message' | 'signature' | 'publicKey', Uint8Array>>;

/**
 * Verifies an ed25519 signature strictly. Rejects keys of small order, because anyone can forge their signatures.
 * Returns false for wrong lengths.
 */
export function isSignedBy({ message, signature, publicKey }: SignedMessage): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}
