import type {
  AuditEntry,
  OperatorsOutage,
  OperatorsPerson,
  Problem,
  ReportedThing,
} from '#schema/contracts/operators.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import { describeOutage } from '#schema/rules/text/alarm-texts.ts';
import type { failedDeliveries } from '#schema/tables/notifications.ts';
import type { KnownOutage } from '../../../ports/outages.ts';
import type { JobsState } from '../health/jobs.repository.ts';
import type { OperatorsRepository } from './operators.repository.ts';
import type {
  CheckRow,
  OrphanPayerRow,
  OrphanRow,
  ReportRow,
  ThingRow,
  UnreadableRow,
} from './overview.repository.ts';
import type { PeopleRepository, PersonRow } from './people.repository.ts';

type AuditRow = Awaited<ReturnType<OperatorsRepository['listAudit']>>[number];
type PersonDetails = Awaited<ReturnType<PeopleRepository['findDetails']>>;

const timeOf = (at: number) => new Date(at).toISOString();

export function describeEntry({ entry, operatorHandle, subjectHandle }: AuditRow): AuditEntry {
  const { seq: _, at, ...rest } = entry;
  return { ...rest, at: timeOf(at), operatorHandle, subjectHandle };
}

export const describeKnownOutage = ({ ability, since, cause }: KnownOutage): OperatorsOutage => ({
  ability,
  since,
  ...describeOutage({ ability, since: Date.parse(since), cause }),
});

interface ProblemRow extends Pick<Problem, 'id' | 'title'>, Partial<Pick<Problem, 'actions' | 'count'>> {
  readonly at: number | null;
  readonly lines: readonly string[];
}

const describeProblem = ({ at, lines, actions = [], count = 1, ...row }: ProblemRow): Problem => ({
  ...row,
  at: at === null ? null : timeOf(at),
  text: lines.join('\n'),
  actions,
  count,
});

export function describeOrphan(row: OrphanRow): Problem {
  const { signature, reason, payerAddress, handle, callerParts } = row;
  const person = handle === null ? '' : `@${handle}, `;
  const total = callerParts.reduce((sum, { lamports }) => sum + BigInt(lamports), row.platformLamports);
  return describeProblem({
    id: signature,
    title: `${formatSol(total)} SOL`,
    at: row.foundAt,
    lines: [
      `${reason}, from ${person}${payerAddress}, signature ${signature}`,
      `${formatSol(row.platformLamports)} SOL to the platform`,
      ...callerParts.map(
        ({ address, lamports }) => `${formatSol(BigInt(lamports))} SOL to the caller’s wallet ${address}`,
      ),
    ],
    actions: ['resolve_orphan'],
  });
}

export const describeOrphanPayer = ({ payerAddress, orphans }: OrphanPayerRow): Problem =>
  describeProblem({
    id: payerAddress,
    title: `${orphans} orphans`,
    at: null,
    lines: [`From ${payerAddress}`],
    actions: ['resolve_small_orphans'],
  });

export const describeUnreadable = ({ signature, intentId, handle, since }: UnreadableRow): Problem =>
  describeProblem({
    id: signature,
    title: `Payment of @${handle}`,
    at: since,
    lines: [`Signature ${signature}, intent ${intentId}`],
    actions: ['release_payment'],
  });

export const describeFailure = (row: typeof failedDeliveries.$inferSelect): Problem =>
  describeProblem({
    id: row.id,
    title: row.eventId.replace(/:.*/, ''),
    at: row.at,
    lines: [`${row.messages} messages: ${row.error}`],
    actions: ['resend_event', 'dismiss_event'],
  });

export function describeCheck(row: CheckRow): Problem {
  const { day, startedAt, finishedAt, error, problems, dustTransfers, dustLamports } = row;
  const problemCount = row.problemCount ?? 0;
  const start = finishedAt === null ? 'Not finished. ' : '';
  return describeProblem({
    id: day,
    title: day,
    at: finishedAt ?? startedAt,
    lines: [
      `${start}${problemCount} problems, ${dustTransfers} dust transfers (${formatSol(dustLamports)} SOL).`,
      ...(problemCount > 0 && problems !== null ? [problems] : []),
      ...(error === null ? [] : [`The last attempt failed: ${error}`]),
    ],
    count: problemCount + Number(error !== null),
  });
}

export const describeJobs = ({ failing, late }: JobsState): Problem[] =>
  [
    ...failing.map(({ job, since, error }) => ({ job, since, text: `Fails: ${error}` })),
    ...late.map(({ job, since }) => ({ job, since, text: 'Due, but it hasn’t run' })),
  ].map(({ job, since, text }) => describeProblem({ id: job, title: job, at: since, lines: [text] }));

export function describeThing(thing: ThingRow, all: readonly ReportRow[]): ReportedThing {
  const { reports: count, lastAt, isCallerSuspended, isTextHidden, isWithheld, ...rest } = thing;
  return {
    ...rest,
    count,
    isCallerSuspended: isCallerSuspended === 1,
    isTextHidden: isTextHidden === 1,
    isWithheld: isWithheld === 1,
    lastAt: timeOf(lastAt),
    reports: all
      .filter((report) => report.kind === thing.kind && report.subjectId === thing.subjectId)
      .map(({ reason, text, at, reporterHandle }) => ({ reason, text, at: timeOf(at), reporterHandle })),
  };
}

export function describePerson(
  row: PersonRow,
  { changes, texts }: PersonDetails,
): Omit<OperatorsPerson, 'call'> {
  const { firstName, lastName, callerId, ...person } = row;
  return {
    ...person,
    name: `${firstName} ${lastName}`.trim(),
    isCaller: callerId !== null,
    payoutChanges: changes.map(({ at, ...change }) => ({ at: timeOf(at), ...change })),
    texts: texts.map(({ isHidden: isTextHidden, ...text }) => ({ ...text, isHidden: isTextHidden === 1 })),
  };
}
