import { createSignInMessageText } from '@solana/wallet-standard-util';
import type { WalletChallenge } from '#schema/contracts/wallets.ts';

/** A Sign In With Solana input, and the exact text that a wallet signs for it. Times are unix ms. */
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
 * Whether a wallet signed exactly the challenge's text. Sign In With Solana fixes the order and form of every line
 * when all fields are given, so the standard's `verifySignIn` accepts this text and no other.
 */
export function isMessageOf({ bytes, message }: { bytes: Uint8Array; message: string }): boolean {
  const expected = new TextEncoder().encode(message);
  return bytes.length === expected.length && bytes.every((byte, at) => byte === expected[at]);
}
