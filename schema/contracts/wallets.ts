import { z } from 'zod';
import { addressSchema } from './shared.ts';

export const walletChallengeSchema = z.object({ walletAddress: addressSchema });

/** Without a signature the wallet is saved as unproven. `signature` and `signedMessage` are base64. */
export const saveWalletSchema = z.object({
  walletAddress: addressSchema,
  signature: z.base64().max(200).optional(),
  signedMessage: z.base64().max(8_000).optional(),
});

/** `input` is the Sign In With Solana input, `message` its text for wallets that only sign messages. */
export interface WalletChallenge {
  readonly message: string;
  readonly input: {
    readonly domain: string;
    readonly address: string;
    readonly statement: string;
    readonly uri: string;
    readonly version: string;
    readonly nonce: string;
    readonly issuedAt: string;
    readonly expirationTime: string;
  };
}

export interface SavedWallet {
  readonly id: string;
  readonly walletAddress: string;
  readonly isProven: boolean;
  readonly isPayout: boolean;
  readonly createdAt: string;
}
