import type { PaymentEvent, PaymentHistory } from '#schema/contracts/operators.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import type { PaymentHistoryRows } from './payment-history.repository.ts';

interface Happening extends Partial<Omit<PaymentEvent, 'at' | 'kind'>> {
  readonly at: number | null;
  readonly kind: PaymentEvent['kind'];
}

const timeOf = (at: number) => new Date(at).toISOString();

export function describePayment(rows: PaymentHistoryRows): PaymentHistory {
  const { intent } = rows;
  const happenings: Happening[] = [
    ...(intent === null ? [] : [{ kind: 'opened' as const, at: intent.createdAt }]),
    ...rows.broadcasts.flatMap(describeBroadcast),
    ...rows.payments.map(describeRecord),
    ...rows.refunds.map(describeRefund),
    ...rows.ledger.map(describeLedgerEntry),
    ...rows.orphans.flatMap(describeOrphan),
  ];
  return {
    intent: intent && describeIntent(intent),
    // Events of the same time keep the order of the list above.
    events: happenings.flatMap(toEvent).toSorted((one, other) => one.at.localeCompare(other.at)),
  };
}

function describeIntent(
  row: NonNullable<PaymentHistoryRows['intent']>,
): NonNullable<PaymentHistory['intent']> {
  const { id, reference, callerAddress, platformAddress } = row;
  return {
    id,
    reference,
    subscriber: { id: row.userId, handle: row.userHandle },
    caller: { id: row.callerId, handle: row.callerHandle },
    callerAddress,
    callerSol: formatSol(row.callerLamports),
    platformAddress,
    platformSol: formatSol(row.platformLamports),
    expiresAt: timeOf(row.expiresAt),
  };
}

function describeBroadcast(row: PaymentHistoryRows['broadcasts'][number]): Happening[] {
  const { signature, createdAt, tries, landedAt, deadAt } = row;
  return [
    { kind: 'signed', at: createdAt, signature, note: `Broadcast attempts: ${tries}` },
    { kind: 'landed', at: landedAt, signature },
    { kind: 'dead', at: deadAt, signature },
  ];
}

function describeRecord(row: PaymentHistoryRows['payments'][number]): Happening {
  const { createdAt, signature, slot, payerAddress } = row;
  return { kind: 'recorded', at: createdAt, signature, slot, note: `Paid from ${payerAddress}` };
}

function describeRefund({ at, signature, slot, lamports }: PaymentHistoryRows['refunds'][number]): Happening {
  return { kind: 'paid_back', at, signature, slot, note: `${formatSol(lamports ?? 0n)} SOL` };
}

function describeLedgerEntry(row: PaymentHistoryRows['ledger'][number]): Happening {
  const { kind, at, signature, slot, startsAt, endsAt } = row;
  const period =
    startsAt === null || endsAt === null ? null : { startDate: timeOf(startsAt), endDate: timeOf(endsAt) };
  return { kind, at, signature, slot, period };
}

function describeOrphan(row: PaymentHistoryRows['orphans'][number]): Happening[] {
  const { signature, reason, payerAddress, slot, callerParts, platformLamports } = row;
  const toCallers = callerParts.map(
    ({ address, lamports }) => `${formatSol(BigInt(lamports))} SOL to ${address}`,
  );
  const amounts = [...toCallers, `${formatSol(platformLamports)} SOL to the platform`].join(', ');
  return [
    {
      kind: 'orphaned',
      at: row.foundAt,
      signature,
      slot,
      note: `${reason}: ${amounts} from ${payerAddress}`,
    },
    { kind: 'resolved', at: row.resolvedAt, signature, note: row.note },
  ];
}

function toEvent(happening: Happening): PaymentEvent[] {
  const { at, kind, signature = null, slot = null, period = null, note = null } = happening;
  return at === null ? [] : [{ at: timeOf(at), kind, signature, slot, period, note }];
}
