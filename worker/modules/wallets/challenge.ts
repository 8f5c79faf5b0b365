import { createSignInMessageText } from '@solana/wallet-standard-util';
import type { WalletChallenge } from '#schema/contracts/wallets.ts';

/** Builds a Sign In With Solana input and the exact text that a wallet signs for it. Times are unix ms. */
export function createChallenge({
  origin,
  address,
  statement,
  issuedAt,
  expiresAt,
}: {
  origin: string;
  address: string;
  statement: string;
  issuedAt: number;
  expiresAt: number;
}): WalletChallenge {
  const input = {
    domain: new URL(origin).host,
    address,
    statement,
    uri: origin,
    version: '1',
    nonce: crypto.randomUUID().replaceAll('-', ''),
    issuedAt: new Date(issuedAt).toISOString(),
    expirationTime: new Date(expiresAt).toISOString(),
  };
  return { input, message: createSignInMessageText(input) };
}

/**
 * Whether the bytes that a wallet says it signed are just a challenge's text. Sign In With Solana leaves a wallet no freedom
 * where every field is given: one order of the lines, one way to write each, and nothing in them that was not asked for. So the
 * standard's `verifySignIn` (which reads the fields, compares them and writes the text anew) accepts this text and no other.
 */
export function isMessageOf({ bytes, message }: { bytes: Uint8Array; message: string }): boolean {
  const expected = new TextEncoder().encode(message);
  return bytes.length === expected.length && bytes.every((byte, at) => byte === expected[at]);
}
