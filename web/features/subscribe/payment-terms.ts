import { DAY_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants.ts';
import type { OpenIntentAnswer, PaymentIntent } from '#schema/contracts/payments.ts';

/** How long a payment gives access. */
export const PERIOD_DAYS = SUBSCRIPTION_PERIOD_MS / DAY_MS;

/** Solana's fee for one signature. Wallets may add a priority fee of their own. */
export const BASE_NETWORK_FEE_LAMPORTS = 5_000n;

/** What leaves the wallet and where it goes. Addresses base58, amounts lamports. */
export interface PaymentTerms {
  readonly callerAddress: string;
  readonly callerLamports: bigint;
  readonly platformAddress: string;
  readonly platformLamports: bigint;
  readonly totalLamports: bigint;
}

/** An intent with the moment (unix ms) from which its blockhash ages. */
export interface OpenedIntent {
  readonly answer: OpenIntentAnswer;
  readonly openedAt: number;
}

/** Reads an intent's terms, which are what is shown and what is built. */
export function readTerms(intent: PaymentIntent): PaymentTerms {
  const callerLamports = BigInt(intent.callerLamports);
  const platformLamports = BigInt(intent.platformLamports);
  const { callerAddress, platformAddress } = intent;
  return { callerAddress, callerLamports, platformAddress, platformLamports, totalLamports: callerLamports + platformLamports };
}

/** Whether two intents ask for the same money for the same people. */
export function areSameTerms(one: PaymentTerms, other: PaymentTerms): boolean {
  return (
    one.callerAddress === other.callerAddress &&
    one.platformAddress === other.platformAddress &&
    one.callerLamports === other.callerLamports &&
    one.platformLamports === other.platformLamports
  );
}
