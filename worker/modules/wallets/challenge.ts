import { createSignInMessageText } from '@solana/wallet-standard-util';
import type { WalletChallenge } from '#schema/contracts/wallets.ts';

/** Builds a Sign In With Solana input and the exact text that a wallet signs for it. Times are unix ms. */
export function createChallenge({ origin, address, statement, issuedAt, expiresAt }: { origin: string; address: string; statement: string; issuedAt: number; expiresAt: number }): WalletChallenge {
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
