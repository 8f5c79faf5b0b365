import type { Earning, PaymentState, PaymentSummary, Receipt, Refund } from '#schema/contracts/payments.ts';
import type { Subscriber, SubscriberName } from '#schema/contracts/subscriptions.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import { owedLamports } from '#schema/rules/money/owed.ts';
import { refundBalance } from '#schema/rules/money/refund.ts';
import { DELETED_ACCOUNT, fullName, handleOf } from '#schema/rules/people/person-name.ts';
import { readJson } from '#schema/rules/typed-json.ts';
import { describeCallerSummary } from '../callers/caller-summary.ts';
import type { Base } from '../../../app/base.ts';
import type { CsvColumn } from '../../../app/csv.ts';
import type { EarningRow, PaymentRow, ReceiptRow, SubscriberRow } from './receipts.repository.ts';

const states: Record<PaymentRow['ledger_state'], PaymentState> = {
  granted: 'confirmed',
  finalized: 'finalized',
  revoked: 'revoked',
  refunded: 'refunded',
};

export function describeReceipt(row: ReceiptRow, explorerUrl: Base['explorerUrl']): Receipt {
  return {
    ...describePayment(row, explorerUrl),
    caller: describeCallerSummary(row.caller_id, row),
    payerAddress: row.payer_address,
  };
}

export function describeEarning(row: EarningRow, explorerUrl: Base['explorerUrl']): Earning {
  return {
    ...describePayment(row, explorerUrl),
    subscriberId: row.user_id,
    subscriber: describeSubscriberName(row),
  };
}

function describeSubscriberName(row: EarningRow | SubscriberRow): SubscriberName | null {
  const { first_name, last_name, twitter_handle } = row;
  if (first_name === null || last_name === null || twitter_handle === null) return null;
  return { firstName: first_name, lastName: last_name, twitterHandle: twitter_handle };
}

export function describeSubscriber(row: SubscriberRow): Subscriber {
  return {
    id: row.subscriber_id,
    subscriber: describeSubscriberName(row),
    since: new Date(row.since).toISOString(),
    until: new Date(row.ends_at).toISOString(),
    renewals: Math.max(0, row.paid - 1),
  };
}

const handleCell = (person: SubscriberName | null): string =>
  person === null || handleOf(person) === null ? '' : person.twitterHandle;

export const subscriberColumns: readonly CsvColumn<Subscriber>[] = [
  ['Name', ({ subscriber }) => (subscriber ? fullName(subscriber) : DELETED_ACCOUNT)],
  ['Handle', ({ subscriber }) => handleCell(subscriber)],
  ['Since (UTC)', ({ since }) => since],
  ['Until (UTC)', ({ until }) => until],
  ['Renewals', ({ renewals }) => String(renewals)],
];

export const earningColumns: readonly CsvColumn<Earning>[] = [
  ['Date (UTC)', ({ paidAt }) => paidAt],
  ['Signature', ({ signature }) => signature],
  ['Explorer', ({ explorerUrl }) => explorerUrl],
  ['Subscriber ID', ({ subscriberId }) => subscriberId],
  ['Subscriber handle', ({ subscriber }) => handleCell(subscriber)],
  ['Total SOL', ({ totalAmount }) => totalAmount],
  ['Your SOL', ({ callerAmount }) => callerAmount],
  ['Platform SOL', ({ platformAmount }) => platformAmount],
  ['Your wallet', ({ callerAddress }) => callerAddress],
  ['Days', ({ days }) => String(days)],
  ['Period start (UTC)', ({ period }) => period?.startDate],
  ['Period end (UTC)', ({ period }) => period?.endDate],
  ['Owed SOL', ({ owed }) => owed ?? ''],
  ['Refunded SOL', ({ paidBack }) => (paidBack === '0' ? '' : paidBack)],
  ['Earned SOL', ({ earned, state }) => (state === 'revoked' ? '' : earned)],
  ['Status', ({ state }) => state],
];

function describePayment(row: PaymentRow, explorerUrl: Base['explorerUrl']): PaymentSummary {
  return {
    id: row.id,
    days: row.days,
    callerAddress: row.caller_address,
    callerAmount: formatSol(row.caller_lamports),
    platformAddress: row.platform_address,
    platformAmount: formatSol(row.platform_lamports),
    totalAmount: formatSol(row.total_lamports),
    signature: row.signature,
    explorerUrl: explorerUrl(row.signature),
    slot: row.slot,
    paidAt: new Date(row.paid_at).toISOString(),
    period:
      row.starts_at === null || row.ends_at === null
        ? null
        : { startDate: new Date(row.starts_at).toISOString(), endDate: new Date(row.ends_at).toISOString() },
    ...describePaidBack(row),
    refunds: describeRefunds(row, explorerUrl),
    state: states[row.ledger_state],
  };
}

function describeRefunds(row: PaymentRow, explorerUrl: Base['explorerUrl']): Refund[] {
  return readJson(row.refunds).map(({ lamports, signature, paidAt }) => ({
    amount: formatSol(BigInt(lamports)),
    signature,
    explorerUrl: explorerUrl(signature),
    paidAt: new Date(paidAt).toISOString(),
  }));
}

function describePaidBack(row: PaymentRow) {
  const { asked_at: askedAt, opened_at: openedAt, ledger_state: state } = row;
  const paidBack = BigInt(row.paid_back);
  const { earned, left, tooMuch } = refundBalance({
    callerLamports: row.caller_lamports,
    totalLamports: row.total_lamports,
    paidBack,
    isAsked: askedAt !== null,
  });
  return {
    earned: formatSol(earned),
    owed: describeOwed(row, paidBack),
    paidBack: formatSol(paidBack),
    left: formatSol(left),
    paidBackTwice: tooMuch === 0n ? null : formatSol(tooMuch),
    refundRequest:
      askedAt === null
        ? null
        : {
            askedAt: new Date(askedAt).toISOString(),
            canTakeBack: askedAt > (openedAt ?? 0) && state !== 'refunded',
          },
  };
}

function describeOwed(row: PaymentRow, paidBack: bigint): string | null {
  const { starts_at: startsAt, ends_at: endsAt, caller_lamports: callerLamports } = row;
  if (startsAt === null || endsAt === null || row.ledger_state === 'refunded') return null;
  const owed = owedLamports({ callerLamports, startsAt, endsAt }, readJson(row.absences)) - paidBack;
  return owed > 0n ? formatSol(owed) : null;
}
