import { z } from 'zod';
import { TRANSACTIONS_LIMIT } from '#schema/constants/money.ts';
import { addressSchema, limitSchema } from './shared.ts';

export const walletChallengeSchema = z.object({ walletAddress: addressSchema });

/** A wallet to save, which stays unverified without a signature. `signature` and `signedMessage` are base64. */
export const saveWalletSchema = z.object({
  walletAddress: addressSchema,
  signature: z.base64().max(200).optional(),
  signedMessage: z.base64().max(8_000).optional(),
});

/** `input` is for Sign In With Solana. `message` is its text, for wallets that can only sign messages. */
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

export const walletTransactionsQuerySchema = z.strictObject({
  limit: limitSchema.pipe(z.number().max(TRANSACTIONS_LIMIT)).default(TRANSACTIONS_LIMIT),
  type: z.literal('buy').default('buy'),
});

/** A buy by one of the user's wallets. `amount` is a decimal string, `timestamp` ISO 8601. */
export interface WalletTransaction {
  readonly signature: string;
  readonly tokenMint: string;
  readonly tokenSymbol: string;
  readonly tokenName: string;
  readonly logoURI: string | null;
  /** Decimal string, without a scaled token's multiplier. */
  readonly amount: string;
  /** Null if the cluster doesn't know the block's time. */
  readonly timestamp: string | null;
  readonly transactionType: 'buy';
}

/** A transaction that we can't read yet. It may be a buy. */
export interface UnreadableTransaction {
  readonly signature: string;
  readonly timestamp: string | null;
  readonly transactionType: 'unreadable';
}

/** Entry of `GET /api/wallet/transactions`. */
export type ListedTransaction = WalletTransaction | UnreadableTransaction;

/** A token balance. `amount` is a decimal string without a scaled token's multiplier, `rawAmount` the same in smallest units. */
export interface TokenBalance {
  readonly tokenMint: string;
  readonly tokenSymbol: string;
  readonly tokenName: string;
  readonly logoURI: string | null;
  readonly amount: string;
  readonly rawAmount: string;
  readonly decimals: number;
}

/** A wallet's balances. Empty token accounts are left out. */
export interface WalletBalance {
  readonly walletAddress: string;
  /** Decimal string. */
  readonly sol: string;
  readonly lamports: string;
  readonly tokens: readonly TokenBalance[];
}

/** A change of a caller's payout wallet. Null means no wallet; `at` is ISO 8601. */
export interface PayoutChange {
  readonly from: string | null;
  readonly to: string | null;
  readonly at: string;
}

export interface SavedWallet {
  readonly id: string;
  readonly walletAddress: string;
  readonly isProven: boolean;
  readonly isPayout: boolean;
  readonly createdAt: string;
}
