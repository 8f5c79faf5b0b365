import type { PaymentEvent, PaymentHistory } from '#schema/contracts/operators.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import type { Base } from '../../../app/base.ts';
import type { PaymentHistoryRows } from './payment-history.repository.ts';

/** `at` is null if it hasn't happened. */
interface Happening extends Partial<Omit<PaymentEvent, 'at' | 'kind' | 'explorerUrl'>> {
  readonly at: number | null;
  readonly kind: PaymentEvent['kind'];
}

const timeOf = (at: number) => new Date(at).toISOString();
const daysOf = (startsAt: number | null, endsAt: number | null) =>
  startsAt === null || endsAt === null ? null : { startDate: timeOf(startsAt), endDate: timeOf(endsAt) };

/** Describes each intent, newest first, and the payment that matched none. */
export function describePayments(
  rows: PaymentHistoryRows,
  explorerUrl: Base['explorerUrl'],
): PaymentHistory[] {
  const isUnmatched = rows.orphans.some(({ intentId }) => intentId === null);
  return [...rows.intents, ...(isUnmatched ? [null] : [])].map((intent) => {
    const isOfIntent = (row: { readonly intentId: string | null }) => row.intentId === (intent?.id ?? null);
    const access = rows.access.find(isOfIntent);
    // Newest first, and what decides the payment's state before what only leads to it.
    const happenings: readonly Happening[] = [
      ...rows.ledger.filter(isOfIntent).map(describeLedgerEntry),
      ...rows.transfers.filter(isOfIntent).map(describeTransfer),
      ...rows.payments.filter(isOfIntent).map(describeRecord),
      ...rows.orphans.filter(isOfIntent).flatMap(describeOrphan),
      ...rows.broadcasts.filter(isOfIntent).flatMap(describeBroadcast),
      { kind: 'opened', at: intent?.createdAt ?? null },
    ];
    const events = happenings.flatMap((happening) => toEvent(happening, explorerUrl));
    return {
      intent: intent && describeIntent(intent),
      state: events[0]?.kind ?? 'opened',
      access: access ? daysOf(access.startsAt, access.endsAt) : null,
      events: events.toReversed().toSorted((one, other) => one.at.localeCompare(other.at)),
    };
  });
}

function describeIntent(row: PaymentHistoryRows['intents'][number]): PaymentHistory['intent'] {
  const { id, reference, callerAddress, platformAddress } = row;
  return {
    id,
    reference,
    subscriber: { id: row.userId, handle: row.userHandle },
    caller: { id: row.callerId, handle: row.callerHandle },
    sol: formatSol(row.totalLamports),
    callerAddress,
    callerSol: formatSol(row.callerLamports),
    platformAddress,
    platformSol: formatSol(row.platformLamports),
    expiresAt: timeOf(row.expiresAt),
  };
}

function describeBroadcast(row: PaymentHistoryRows['broadcasts'][number]): Happening[] {
  const { signature, createdAt, tries, landedAt, unreadableAt, deadAt } = row;
  return [
    { kind: 'dead', at: deadAt, signature },
    { kind: 'landed', at: landedAt, signature },
    { kind: 'unreadable', at: unreadableAt, signature },
    { kind: 'signed', at: createdAt, signature, note: `Broadcast attempts: ${tries}` },
  ];
}

function describeRecord(row: PaymentHistoryRows['payments'][number]): Happening {
  const { createdAt, signature, slot, payerAddress } = row;
  return { kind: 'recorded', at: createdAt, signature, slot, note: `Paid from ${payerAddress}` };
}

function describeTransfer(row: PaymentHistoryRows['transfers'][number]): Happening {
  const { at, signature, slot, lamports } = row;
  return { kind: 'paid_back', at, signature, slot, note: `${formatSol(lamports)} SOL` };
}

function describeLedgerEntry(row: PaymentHistoryRows['ledger'][number]): Happening {
  const { kind, at, signature, slot, startsAt, endsAt } = row;
  return { kind, at, signature, slot, period: daysOf(startsAt, endsAt) };
}

function describeOrphan(row: PaymentHistoryRows['orphans'][number]): Happening[] {
  const { signature, reason, payerAddress, slot, callerParts, platformLamports } = row;
  const toCallers = callerParts.map(
    ({ address, lamports }) => `${formatSol(BigInt(lamports))} SOL to ${address}`,
  );
  const amounts = [...toCallers, `${formatSol(platformLamports)} SOL to the platform`].join(', ');
  const note = `${reason}: ${amounts} from ${payerAddress}`;
  return [
    { kind: 'resolved', at: row.resolvedAt, signature, note: row.note },
    { kind: 'orphaned', at: row.foundAt, signature, slot, note },
  ];
}

function toEvent(happening: Happening, explorerUrl: Base['explorerUrl']): PaymentEvent[] {
  const { at, kind, signature = null, slot = null, period = null, note = null } = happening;
  if (at === null) return [];
  const url = signature === null ? null : explorerUrl(signature);
  return [{ at: timeOf(at), kind, signature, explorerUrl: url, slot, period, note }];
}
