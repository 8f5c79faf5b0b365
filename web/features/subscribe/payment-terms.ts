import { DAY_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants.ts';
import type { OpenIntentAnswer, PaymentIntent } from '#schema/contracts/payments.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
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

/** The user's periods with the caller; `null` where the server did not say. */
export type OwnPeriods = readonly Subscription[] | null;

/** An intent with the wallet that is to pay it and the moment (unix ms) from which its blockhash ages. */
export interface OpenedIntent {
  readonly answer: OpenIntentAnswer;
  readonly payer: string;
  readonly openedAt: number;
  /** What the user had just before it was opened. */
  readonly periods: OwnPeriods;
}

/** The server opens nothing: a payment to this caller, from another tab or device, has been sent and not ended yet. */
export interface OtherPayment {
  /** In the server's words. */
  readonly reason: string;
  /** What the user had before it landed. */
  readonly periods: OwnPeriods;
}

/** What the wallet holds; `null` where the server did not say. */
export function readBalance({ answer }: OpenedIntent): bigint | null {
  return answer.payerLamports === undefined ? null : BigInt(answer.payerLamports);
}

/**
 * Why the chain would refuse this payment for what the wallet holds, in words; `null` when it holds enough. What stays
 * behind has to be nothing, or at least the minimum of an account.
 */
export function fundsProblem(opened: OpenedIntent): string | null {
  const balance = readBalance(opened);
  if (balance === null) return null;
  const needed = readTerms(opened.answer.intent).totalLamports + BASE_NETWORK_FEE_LAMPORTS;
  if (balance < needed) {
    return `${formatSol(needed - balance)} SOL missing: you have ${formatSol(balance)} SOL, this needs ${formatSol(needed)} SOL with the network fee.`;
  }
  const left = balance - needed;
  const least = BigInt(opened.answer.rentExemptLamports);
  if (left === 0n || left >= least) return null;
  return `Solana lets a wallet keep nothing, or at least ${formatSol(least)} SOL. Yours would keep ${formatSol(left)} SOL: ${formatSol(least - left)} SOL more is needed, or ${formatSol(left)} SOL is too much.`;
}

/** Reads an intent's terms, which are what is shown and what is built. */
export function readTerms(intent: PaymentIntent): PaymentTerms {
  const callerLamports = BigInt(intent.callerLamports);
  const platformLamports = BigInt(intent.platformLamports);
  const { callerAddress, platformAddress } = intent;
  return {
    callerAddress,
    callerLamports,
    platformAddress,
    platformLamports,
    totalLamports: callerLamports + platformLamports,
  };
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

/** The paid period that came between two looks; `null` where there is none, or where a look failed. */
export function findNewPeriod({
  before,
  after,
}: {
  readonly before: OwnPeriods;
  readonly after: OwnPeriods;
}): Subscription | null {
  if (before === null || after === null) return null;
  const known = new Set(before.map(({ id }) => id));
  return after.find(({ id, payment }) => payment !== null && !known.has(id)) ?? null;
}

/** When the last of the periods ends, unix ms; 0 without one that ends. */
export function endOfPeriods(periods: readonly Subscription[]): number {
  return Math.max(0, ...periods.map(({ endDate }) => (endDate === null ? 0 : Date.parse(endDate))));
}
