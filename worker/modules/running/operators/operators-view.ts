import type {
  AuditEntry,
  FailedEvent,
  LedgerCheck,
  OpenOrphan,
  OperatorsOverview,
  OperatorsPerson,
  ReportedThing,
  UnreadablePayment,
} from '#schema/contracts/operators.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import type { failedDeliveries } from '#schema/tables/notifications.ts';
import type { JobsState } from '../health/jobs.repository.ts';
import type { OperatorsRepository } from './operators.repository.ts';
import type { CheckRow, OrphanRow, ReportRow, ThingRow, UnreadableRow } from './overview.repository.ts';
import type { PeopleRepository, PersonRow } from './people.repository.ts';

type AuditRow = Awaited<ReturnType<OperatorsRepository['listAudit']>>[number];
type PersonDetails = Awaited<ReturnType<PeopleRepository['findDetails']>>;

const timeOf = (at: number) => new Date(at).toISOString();

export function describeEntry({ entry, operatorHandle, subjectHandle }: AuditRow): AuditEntry {
  const { seq: _, at, ...rest } = entry;
  return { ...rest, at: timeOf(at), operatorHandle, subjectHandle };
}

export function describeOrphan(row: OrphanRow): OpenOrphan {
  return {
    signature: row.signature,
    reason: row.reason,
    payerAddress: row.payerAddress,
    handle: row.handle,
    callers: row.callerParts.map(({ address, lamports }) => ({ address, sol: formatSol(BigInt(lamports)) })),
    platformSol: formatSol(row.platformLamports),
    paidAt: timeOf(row.paidAt),
    foundAt: timeOf(row.foundAt),
  };
}

export const describeUnreadable = ({ since, ...row }: UnreadableRow): UnreadablePayment => ({
  ...row,
  since: timeOf(since),
});

export function describeFailure(row: typeof failedDeliveries.$inferSelect): FailedEvent {
  const { id, eventId, messages, error, at } = row;
  const [kind = ''] = eventId.split(':');
  return { id, kind, messages, error, at: timeOf(at) };
}

export function describeCheck(row: CheckRow): LedgerCheck {
  return {
    day: row.day,
    startedAt: timeOf(row.startedAt),
    finishedAt: row.finishedAt === null ? null : timeOf(row.finishedAt),
    error: row.error,
    problemCount: row.problemCount,
    problems: row.problems,
    dustTransfers: row.dustTransfers,
    dustSol: formatSol(row.dustLamports),
  };
}

export const describeJobs = ({ failing, late }: JobsState): OperatorsOverview['jobs'] => [
  ...failing.map(({ job, since, error }) => ({ job, since: timeOf(since), error })),
  ...late.map(({ job, since }) => ({ job, since: timeOf(since), error: null })),
];

export function describeThing(thing: ThingRow, all: readonly ReportRow[]): ReportedThing {
  const { kind, subjectId, reports: count, firstAt, lastAt, isTextHidden, isWithheld, ...rest } = thing;
  return {
    ...rest,
    kind,
    subjectId,
    count,
    isTextHidden: isTextHidden === 1,
    isWithheld: isWithheld === 1,
    firstAt: timeOf(firstAt),
    lastAt: timeOf(lastAt),
    reports: all
      .filter((report) => report.kind === kind && report.subjectId === subjectId)
      .map(({ reason, text, at, reporterHandle }) => ({ reason, text, at: timeOf(at), reporterHandle })),
  };
}

export function describePerson(
  row: PersonRow,
  { changes, texts }: PersonDetails,
): Omit<OperatorsPerson, 'call'> {
  const { id, xUserId, handle, isVerified, isSuspended, isHidden, activeSessions, payoutAddress } = row;
  return {
    id,
    xUserId,
    handle,
    name: `${row.firstName} ${row.lastName}`.trim(),
    isCaller: row.callerId !== null,
    isVerified,
    isSuspended,
    isHidden,
    memberSince: timeOf(row.createdAt),
    activeSessions,
    payoutAddress,
    payoutChanges: changes.map(({ at, ...change }) => ({ at: timeOf(at), ...change })),
    texts: texts.map(({ isHidden: isTextHidden, ...text }) => ({ ...text, isHidden: isTextHidden === 1 })),
  };
}
