import { MONTH_DAYS, PERIOD_LENGTHS } from '#schema/constants/money.ts';
import { splitFee, type FeeSplit } from './lamports.ts';

export type PeriodDays = (typeof PERIOD_LENGTHS)[number];

export const [WEEK_DAYS, , QUARTER_DAYS] = PERIOD_LENGTHS;

/** The price of a period at this monthly fee, rounded up to a lamport, and its split. */
export function priceOf(feeLamports: bigint, days: PeriodDays): FeeSplit {
  const month = BigInt(MONTH_DAYS);
  return splitFee((feeLamports * BigInt(days) + month - 1n) / month);
}

export interface SaleTerms {
  readonly feeLamports: bigint;
  readonly sellsWeek: boolean;
  /** The caller has ended calls in each of the last months without a silent day. */
  readonly isSteady: boolean;
}

/**
 * The lengths that a caller sells, shortest first. Leaves out those of which the platform gets no lamport, because payments
 * are found by their transfer to the platform.
 */
export const lengthsOf = ({ feeLamports, sellsWeek, isSteady }: SaleTerms): PeriodDays[] =>
  PERIOD_LENGTHS.filter(
    (days) =>
      (days !== WEEK_DAYS || sellsWeek) &&
      (days !== QUARTER_DAYS || isSteady) &&
      priceOf(feeLamports, days).platformLamports > 0n,
  );

export interface Balances {
  /** The rent-exempt minimum of an account, in lamports. */
  readonly minimum: bigint;
  readonly caller: bigint;
  readonly platform: bigint;
}

export interface Shortfall {
  readonly recipient: 'caller' | 'platform';
  readonly lamports: bigint;
}

/** The recipient whom a payment would leave below the rent-exempt minimum, so that Solana would reject it. */
export function findShortfall(price: FeeSplit, { minimum, caller, platform }: Balances): Shortfall | null {
  const ofCaller = minimum - caller - price.callerLamports;
  if (ofCaller > 0n) return { recipient: 'caller', lamports: ofCaller };
  const ofPlatform = minimum - platform - price.platformLamports;
  return ofPlatform > 0n ? { recipient: 'platform', lamports: ofPlatform } : null;
}
