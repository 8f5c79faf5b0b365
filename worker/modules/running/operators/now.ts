import { PAUSABLE, SMALL_ORPHAN_LAMPORTS } from '#schema/constants/running.ts';
import type { OfferedAction, OperatorsPage, OperatorsRow } from '#schema/contracts/operators.ts';
import type { Pausable, Pause } from '#schema/contracts/pauses.ts';
import { readJson } from '#schema/rules/typed-json.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { describeOutage } from '#schema/rules/text/alarm-texts.ts';
import { utcMinute } from '#schema/rules/text/utc-minute.ts';
import type { KnownOutage } from '../../../ports/outages.ts';
import type { CronRuns } from '../../../app/env.ts';
import type { Database } from '../../../shared/database.ts';
import type { PausesService } from '../../money/pauses/pauses.service.ts';
import { createJobsRepository, type JobsState } from '../health/jobs.repository.ts';
import {
  createPaymentProblemsRepository,
  type CheckRow,
  type OrphanRow,
  type UnreadableRow,
} from '../../money/payments/payment-problems.repository.ts';
import type { FailedEvent, ResendsService } from '../../messages/delivery/resends.service.ts';
import { listReported, type ThingRow } from '../../people/reports/reported.repository.ts';
import { firstLine, link, personLink, row, section, sol } from './page.ts';
import { operatorName } from './audit.ts';
import { createOperatorsRepository } from './operators.repository.ts';
import { explainOrphan } from './payment.ts';

export interface NowOptions {
  readonly db: Database;
  readonly cronWatch: Pick<CronRuns, 'lastRun' | 'listAlarms' | 'listOutages'>;
  readonly pauses: PausesService;
  readonly resends: ResendsService;
  readonly now: number;
}

const PAUSES: Readonly<Record<Pausable, string>> = {
  payments: 'New payments',
  calls: 'New calls',
  posting: 'Messages about calls, and posts on X',
};

/** Outages and pauses, and everything that an operator should look at. */
export async function nowPage({ db, cronWatch, pauses, resends, now }: NowOptions): Promise<OperatorsPage> {
  const payments = createPaymentProblemsRepository(db);
  const [outages, alarms, ranAt, jobs, unreadable, orphans, failed, checks, things, paused] =
    await Promise.all([
      cronWatch.listOutages(),
      cronWatch.listAlarms(),
      cronWatch.lastRun(),
      createJobsRepository(db).readState(now),
      payments.listUnreadablePayments(),
      payments.listOrphans(),
      resends.listFailed(),
      payments.listChecks(),
      listReported(db),
      pauses.list(),
    ]);
  const pausable = PAUSABLE.filter((kind) => !paused.some((pause) => pause.kind === kind));
  const pausedRows = await Promise.all(paused.map((pause) => pausedRow(db, pause)));
  const problems = [
    ...unreadable.map(unreadableRow),
    ...jobRows(jobs),
    ...checks.flatMap(checkRow),
    ...orphans.map(orphanRow),
    ...failed.map(failedRow),
  ];
  return {
    title: 'Operators',
    badges: [],
    sections: [
      section('What can’t users do now?', {
        facts: [['The cron last ran', ranAt === null ? 'never' : utcMinute(ranAt)]],
        rows: [...outages.map(outageRow), ...pausedRows],
        none:
          problems.length === 0
            ? 'Nothing: everything works.'
            : 'No outage is known, but the problems below may become one.',
        problems: outages.length + paused.length,
      }),
      section('Problems', {
        rows: problems,
        none: 'All money matches a payment, all messages were sent, and all jobs run.',
        problems: problems.length,
      }),
      section('Reports', {
        rows: things.map(reportRow),
        none: 'There are no open reports.',
        problems: things.length,
      }),
      section('Pauses', { rows: pausable.map((kind) => pauseRow(kind)), none: 'Everything is paused.' }),
      section('Last alarms', {
        rows: alarms.map(({ at, text }) => {
          const [title = '', ...lines] = text.split('\n');
          return row({ id: `${at} ${title}`, title, at, lines });
        }),
        none: 'No alarm was raised yet.',
      }),
    ],
  };
}

function outageRow({ since, ...outage }: KnownOutage): OperatorsRow {
  const at = Date.parse(since);
  const { effect, act } = describeOutage({ ...outage, since: at });
  return row({ id: outage.ability, title: effect, at, lines: [`What to do: ${act}`] });
}

const unreadableRow = ({ signature, userId, handle, since }: UnreadableRow): OperatorsRow => {
  const title = `A payment of @${handle} has landed, but can’t be read`;
  return row({
    id: signature,
    title,
    at: since,
    links: [personLink(userId, handle), link('payment', signature, 'Payment')],
    actions: [{ action: 'release_payment', subjectId: signature, about: signature }],
  });
};

function orphanRow({ orphan, intent, person }: OrphanRow): OperatorsRow {
  const { signature, payerAddress, platformLamports, callerParts } = orphan;
  const total = callerParts.reduce((sum, { lamports }) => sum + BigInt(lamports), platformLamports);
  const isSmall = orphan.intentId === null && platformLamports < BigInt(SMALL_ORPHAN_LAMPORTS);
  const allSmall: OfferedAction = {
    action: 'resolve_orphan',
    subjectId: payerAddress,
    about: `all small ones of ${payerAddress}`,
  };
  return row({
    id: signature,
    title: `${sol(total)} that bought nothing${person === null ? '' : `, from @${person.handle}`}`,
    at: orphan.foundAt,
    lines: [explainOrphan(orphan, intent), `From ${payerAddress}`],
    links: [
      ...(person === null ? [] : [personLink(person.id, person.handle)]),
      link('payment', signature, 'Payment'),
    ],
    actions: [
      { action: 'resolve_orphan', subjectId: signature, about: signature },
      ...(isSmall ? [allSmall] : []),
    ],
  });
}

const failedRow = ({ id, eventId, at, messages, error }: FailedEvent): OperatorsRow => {
  const about = eventId.replace(/:.*/, '');
  return row({
    id,
    title: `${pluralize(messages, 'message')} of ${about} not sent`,
    at,
    lines: [firstLine(error)],
    actions: [
      { action: 'resend_event', subjectId: id, about },
      { action: 'dismiss_event', subjectId: id, about },
    ],
  });
};

const jobRows = ({ failing, late }: JobsState): OperatorsRow[] => [
  ...failing.map(({ job, since, error }) =>
    row({ id: `${job} fails`, title: `${job} fails`, at: since, lines: [firstLine(error)] }),
  ),
  ...late.map(({ job, since }) =>
    row({ id: `${job} is late`, title: `${job} is due, but hasn’t run`, at: since }),
  ),
];

/** No row for a check that found nothing. */
function checkRow({ day, startedAt, finishedAt, error, problemCount }: CheckRow): OperatorsRow[] {
  const found = problemCount ?? 0;
  if (found === 0 && error === null) return [];
  return [
    row({
      id: day,
      title: `The ledger check of ${day} found ${pluralize(found, 'problem')}`,
      at: finishedAt ?? startedAt,
      lines: [error === null ? null : `The last attempt failed: ${firstLine(error)}`],
      links: [link('earned', day.slice(0, 7), 'What it found')],
    }),
  ];
}

function pauseRow(kind: Pausable, title = PAUSES[kind], lines: readonly string[] = []): OperatorsRow {
  const action = lines.length > 0 ? 'resume' : 'pause';
  return row({
    id: kind,
    title,
    lines,
    links: [link('audit', kind, 'Audit')],
    actions: [{ action, subjectId: kind, about: PAUSES[kind] }],
  });
}

async function pausedRow(db: Database, { kind, reason, since }: Pause): Promise<OperatorsRow> {
  const filter = { subject: kind, action: 'pause', before: null, limit: 1 } as const;
  const [entry] = await createOperatorsRepository(db).listAudit(filter);
  const by = entry === undefined ? '' : ` by ${operatorName(entry)}`;
  return pauseRow(kind, `${PAUSES[kind]} are paused since ${utcMinute(since)}${by}`, [reason]);
}

const TEXT_OF = { caller: 'bio', call: 'thesis', update: 'update' } as const;

/** The reported text is on the page of the caller or call. Operators hide the texts of open calls unseen. */
function reportRow(thing: ThingRow): OperatorsRow {
  const { kind, subjectId, callerId, callerHandle, callId, isCallerSuspended, isTextHidden } = thing;
  const about = `${kind} of @${callerHandle}`;
  const suspend: OfferedAction = { action: 'suspend', subjectId: callerId, about: `@${callerHandle}` };
  const reports = readJson(thing.reports);
  return row({
    id: `${kind} ${subjectId}`,
    title: `${pluralize(thing.count, 'report')}: ${about}`,
    at: thing.lastAt,
    lines: [
      ...reports.map(
        ({ reason, text, handle }) => `${reason.replace('_', ' ')}, by @${handle}${text ? `: ${text}` : ''}`,
      ),
      kind === 'caller' || callId !== null ? null : 'The call is open, so operators don’t see it.',
    ],
    links: [personLink(callerId, callerHandle), ...(callId === null ? [] : [link('call', callId, 'Call')])],
    actions: [
      { action: 'resolve_reports', kind, subjectId, about },
      { action: isTextHidden === 1 ? 'show_text' : 'hide_text', kind: TEXT_OF[kind], subjectId, about },
      ...(isCallerSuspended === 1 ? [] : [suspend]),
    ],
  });
}
