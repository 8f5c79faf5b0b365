import bs58 from 'bs58';

/** A fresh public key that nobody holds the secret of: 32 random bytes in base58. It only marks a transaction. */
export function createReference(): string {
  return bs58.encode(crypto.getRandomValues(new Uint8Array(32)));
}
