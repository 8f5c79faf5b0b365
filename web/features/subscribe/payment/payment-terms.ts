import type { LengthOffer, OpenIntentResponse, PaymentIntent } from '#schema/contracts/payments.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import type { PeriodDays } from '#schema/rules/money/lengths.ts';
import { networkFeeOf } from '#schema/rules/money/network-fee.ts';

export interface PaymentTerms {
  readonly days: PeriodDays;
  readonly callerAddress: string;
  readonly callerLamports: bigint;
  readonly platformAddress: string;
  readonly platformLamports: bigint;
  readonly totalLamports: bigint;
}

/** The user's periods with the caller, newest first; `null` if they could not be read. */
export type OwnPeriods = readonly Subscription[] | null;

/** The user's last payment to the caller. Undefined if there is none, or if it's unknown. */
export const lastPaymentIn = (periods: OwnPeriods) =>
  periods?.find(({ payment }) => payment !== null)?.payment;

export interface OpenedIntent {
  readonly response: OpenIntentResponse;
  readonly payer: string;
  readonly openedAt: number;
  readonly periods: OwnPeriods;
}

export function readBalance({ response }: OpenedIntent): bigint | null {
  return response.payerLamports === undefined ? null : BigInt(response.payerLamports);
}

export function readNetworkFee({ response: { computeBudget } }: OpenedIntent): bigint {
  return networkFeeOf({ ...computeBudget, microLamports: BigInt(computeBudget.microLamports) });
}

/** True if the paying wallet is also a recipient. Solana would move no money then. */
export function isRecipient({ response, payer }: OpenedIntent): boolean {
  return payer === response.intent.callerAddress || payer === response.intent.platformAddress;
}

/**
 * Says why the wallet's balance is not enough; `null` if it is enough. Solana rejects a payment if the
 * remaining balance is above zero but below the rent-exempt minimum.
 */
export function fundsProblem(opened: OpenedIntent): string | null {
  const balance = readBalance(opened);
  if (balance === null) return null;
  const needed = readTerms(opened.response.intent).totalLamports + readNetworkFee(opened);
  if (balance < needed) {
    return `You need ${formatSol(needed - balance)} SOL more, including the network fee.`;
  }
  const left = balance - needed;
  const minimum = BigInt(opened.response.rentExemptLamports);
  if (left === 0n || left >= minimum) return null;
  return [
    `This payment would leave ${formatSol(left)} SOL in your wallet.`,
    `Solana requires zero or at least ${formatSol(minimum)} SOL.`,
    `Add ${formatSol(minimum - left)} SOL or move ${formatSol(left)} SOL out first.`,
  ].join(' ');
}

export function readTerms(intent: PaymentIntent): PaymentTerms {
  const callerLamports = BigInt(intent.callerLamports);
  const platformLamports = BigInt(intent.platformLamports);
  const { days, callerAddress, platformAddress } = intent;
  return {
    days,
    callerAddress,
    callerLamports,
    platformAddress,
    platformLamports,
    totalLamports: callerLamports + platformLamports,
  };
}

/** The same intent with another length and its price. Pay opens an intent for it. */
export function withLength(opened: OpenedIntent, offer: LengthOffer): OpenedIntent {
  const { response } = opened;
  return { ...opened, response: { ...response, intent: { ...response.intent, ...offer } } };
}

export function areSameTerms(one: PaymentTerms, other: PaymentTerms): boolean {
  return (
    one.days === other.days &&
    one.callerAddress === other.callerAddress &&
    one.platformAddress === other.platformAddress &&
    one.callerLamports === other.callerLamports &&
    one.platformLamports === other.platformLamports
  );
}

/** A paid period that is only in `after`. `null` if there is none or a list is unknown. */
export function findNewPeriod({
  before,
  after,
}: {
  before: OwnPeriods;
  after: OwnPeriods;
}): Subscription | null {
  if (before === null || after === null) return null;
  const known = new Set(before.map(({ id }) => id));
  return after.find(({ id, payment }) => payment !== null && !known.has(id)) ?? null;
}

export function endOfPeriods(periods: readonly Subscription[]): number {
  return Math.max(0, ...periods.map(({ endDate }) => (endDate === null ? 0 : Date.parse(endDate))));
}
