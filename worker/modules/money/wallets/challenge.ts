import { createSignInMessageText } from '@solana/wallet-standard-util';
import type { WalletChallenge } from '#schema/contracts/wallets.ts';

interface ChallengeTerms {
  readonly origin: string;
  readonly address: string;
  readonly statement: string;
  /** Unix ms, like `expiresAt`. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A Sign In With Solana input, and the exact text that a wallet signs for it. */
export function createChallenge({ address, statement, ...terms }: ChallengeTerms): WalletChallenge {
  const input = {
    domain: new URL(terms.origin).host,
    address,
    statement,
    uri: terms.origin,
    version: '1',
    nonce: crypto.randomUUID().replaceAll('-', ''),
    issuedAt: new Date(terms.issuedAt).toISOString(),
    expirationTime: new Date(terms.expiresAt).toISOString(),
  };
  return { input, message: createSignInMessageText(input) };
}

/**
 * True if a wallet signed exactly the challenge's text. If all fields are given, Sign In With Solana fixes the
 * order and form of every line. So the standard's `verifySignIn` accepts this text and no other.
 */
export function isMessageOf({ bytes, message }: { bytes: Uint8Array; message: string }): boolean {
  const expected = new TextEncoder().encode(message);
  return bytes.length === expected.length && bytes.every((byte, at) => byte === expected[at]);
}
