import bs58 from 'bs58';

/** A key that identifies an intent's transactions: 32 random bytes in base58, without a secret key. */
export function createReference(): string {
  return bs58.encode(crypto.getRandomValues(new Uint8Array(32)));
}
