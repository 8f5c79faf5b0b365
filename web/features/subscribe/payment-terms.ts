import { DAY_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants.ts';
import type { OpenIntentAnswer, PaymentIntent } from '#schema/contracts/payments.ts';
import { formatSol } from '#schema/rules/lamports.ts';

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

/** An intent with the wallet that is to pay it and the moment (unix ms) from which its blockhash ages. */
export interface OpenedIntent {
  readonly answer: OpenIntentAnswer;
  readonly payer: string;
  readonly openedAt: number;
}

/** What the wallet holds; `null` where the server did not say. */
export function readBalance({ answer }: OpenedIntent): bigint | null {
  return answer.payerLamports === undefined ? null : BigInt(answer.payerLamports);
}

/** What the wallet lacks for the payment and Solana's own fee, in words; `null` when it holds enough. */
export function shortageText(opened: OpenedIntent): string | null {
  const balance = readBalance(opened);
  const needed = readTerms(opened.answer.intent).totalLamports + BASE_NETWORK_FEE_LAMPORTS;
  if (balance === null || balance >= needed) return null;
  return `${formatSol(needed - balance)} SOL missing: you have ${formatSol(balance)} SOL, this needs ${formatSol(needed)} SOL.`;
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
