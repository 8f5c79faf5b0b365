import type { Earning, PaymentState, PaymentSummary, Receipt, Refund } from '#schema/contracts/payments.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import { owedLamports } from '#schema/rules/money/owed.ts';
import { refundBalance } from '#schema/rules/money/refund.ts';
import { readJson } from '#schema/rules/typed-json.ts';
import { describeCallerSummary } from '../callers/caller-summary.ts';
import type { Base } from '../../../app/base.ts';
import type { CsvColumn } from '../../../app/csv.ts';
import { describeSubscriberName, handleCell } from '../subscriptions/subscriber-view.ts';
import type { EarningRow, PaymentRow, ReceiptRow } from './receipts.repository.ts';

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
