import { MAX_LANDING_MS, CHAIN_CLOCK_SKEW_MS } from '#schema/constants/money.ts';

export interface PaymentTerms {
  readonly reference: string;
  readonly callerAddress: string;
  readonly platformAddress: string;
  readonly callerLamports: bigint;
  readonly platformLamports: bigint;
}

export interface IntentTerms extends PaymentTerms {
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface Transfer {
  readonly source: string;
  readonly destination: string;
  readonly lamports: bigint;
}

export interface PaymentTransaction {
  readonly accounts: readonly string[];
  readonly signers: readonly string[];
  readonly transfers: readonly Transfer[];
}

/** A transaction read from the chain. `balanceChanges` are the lamports after the transaction minus those before it. */
export interface LandedTransaction extends PaymentTransaction {
  readonly hasFailed: boolean;
  readonly blockTime: number | null;
  readonly balanceChanges: ReadonlyMap<string, bigint>;
  /** The account that paid the network fee. `matchLanded` adds the fee back to this account's balance change. */
  readonly feePayer: string;
  readonly feeLamports: bigint;
}

export type PaymentMismatch =
  | 'failed_on_chain'
  | 'missing_reference'
  | 'outside_time_window'
  | 'wrong_recipient'
  | 'wrong_amount'
  | 'payer_did_not_sign'
  | 'money_flowed_back';

export type PaymentVerdict = { readonly payer: string } | { readonly mismatch: PaymentMismatch };

/**
 * Compares a transaction with an intent. It must name the reference. One signer must transfer exactly the
 * caller's lamports and exactly the platform's lamports. Other instructions and their order don't matter,
 * because wallets add instructions. If several signers each pay in full, the first of them is the payer.
 */
export function matchTransfers(transaction: PaymentTransaction, terms: PaymentTerms): PaymentVerdict {
  if (!transaction.accounts.includes(terms.reference)) return { mismatch: 'missing_reference' };
  const toCaller = sumBySource(transaction.transfers, terms.callerAddress);
  const toPlatform = sumBySource(transaction.transfers, terms.platformAddress);
  if (toCaller.size === 0 || (toPlatform.size === 0 && terms.platformLamports > 0n)) {
    return { mismatch: 'wrong_recipient' };
  }
  const recipients = [terms.callerAddress, terms.platformAddress];
  if (
    transaction.transfers.some(
      ({ source, destination }) => source !== destination && recipients.includes(source),
    )
  ) {
    return { mismatch: 'money_flowed_back' };
  }
  const hasPaid = (source: string) =>
    toCaller.get(source) === terms.callerLamports &&
    (toPlatform.get(source) ?? 0n) === terms.platformLamports;
  const payer = transaction.signers.find(hasPaid);
  if (payer !== undefined) return { payer };
  return { mismatch: [...toCaller.keys()].some(hasPaid) ? 'payer_did_not_sign' : 'wrong_amount' };
}

/**
 * Compares an executed transaction with an intent. It must pass `matchTransfers`, must have succeeded within
 * the intent's time, and must leave the money with both recipients.
 */
export function matchLanded(transaction: LandedTransaction, terms: IntentTerms): PaymentVerdict {
  if (transaction.hasFailed) return { mismatch: 'failed_on_chain' };
  const verdict = matchTransfers(transaction, terms);
  if ('mismatch' in verdict) return verdict;
  const { blockTime } = transaction;
  const isInTime =
    blockTime !== null &&
    blockTime >= terms.createdAt - CHAIN_CLOCK_SKEW_MS &&
    blockTime <= terms.expiresAt + MAX_LANDING_MS + CHAIN_CLOCK_SKEW_MS;
  if (!isInTime) return { mismatch: 'outside_time_window' };
  const saved = (address: string) =>
    (transaction.balanceChanges.get(address) ?? 0n) +
    (address === transaction.feePayer ? transaction.feeLamports : 0n);
  const haveRetained =
    saved(terms.callerAddress) >= terms.callerLamports &&
    saved(terms.platformAddress) >= terms.platformLamports;
  return haveRetained ? verdict : { mismatch: 'money_flowed_back' };
}

/** Sums the lamports that each wallet sends to `destination`. A wallet's transfers to itself don't count. */
function sumBySource(transfers: readonly Transfer[], destination: string): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const transfer of transfers) {
    if (transfer.destination !== destination || transfer.source === destination) continue;
    sums.set(transfer.source, (sums.get(transfer.source) ?? 0n) + transfer.lamports);
  }
  return sums;
}
