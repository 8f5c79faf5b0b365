import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { OPERATOR_SIGN_IN_MS, OPERATORS_PAGE_SIZE } from '#schema/constants/running.ts';
import { HOUR_MS } from '#schema/constants/time.ts';
import type {
  AuditEntry,
  AuditQuery,
  OperatorAction,
  OperatorActionResponse,
  OperatorActionBody,
  OperatorsOverview,
  OperatorsPerson,
  PaymentHistory,
  PersonTelegram,
  TestAlarmResponse,
} from '#schema/contracts/operators.ts';
import type { Base } from '../../../app/base.ts';
import type { CronRuns } from '../../../app/env.ts';
import { AppError } from '../../../app/errors.ts';
import { cutPage, type Page } from '../../../app/pages.ts';
import type { SendResult } from '../../../ports/messenger.ts';
import type { ChannelOutbox } from '../../../ports/outbox.ts';
import type { AlarmsOptions } from '../../../shared/alarms.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { createId } from '../../../shared/ids.ts';
import { readOptionalCursor } from '../../../shared/keyset.ts';
import { isSameSecret } from '../../../shared/secrets.ts';
import { createJobsRepository } from '../health/jobs.repository.ts';
import type { ActionRequest } from './operator-actions.repository.ts';
import {
  describeCheck,
  describeFailure,
  describeEntry,
  describeJobs,
  describeKnownOutage,
  describeOrphan,
  describeOrphanPayer,
  describePerson,
  describeThing,
  describeUnreadable,
} from './operators-view.ts';
import {
  createOperatorsRepository,
  type ActionRun,
  type OperatorsRepository,
} from './operators.repository.ts';
import { createOverviewRepository } from './overview.repository.ts';
import { describePayments } from './payment-history-view.ts';
import { createPaymentHistoryRepository } from './payment-history.repository.ts';
import { createPeopleRepository } from './people.repository.ts';
import type { PausesService } from '../../money/pauses/pauses.service.ts';
import type { CallDetailsService } from '../../market/calls/call-details.service.ts';
import type { DeletionService } from '../../people/account/deletion.service.ts';
import { readEnded } from '../../people/ways/ways.repository.ts';
import type { WaysService } from '../../people/ways/ways.service.ts';
import type { ResendsService } from '../../messages/delivery/resends.service.ts';
import { createPersonTelegramRepository } from './person-telegram.repository.ts';

export interface OperatorsOptions
  extends Pick<Base, 'db' | 'clock' | 'explorerUrl'>, Pick<ChannelOutbox, 'listResults'> {
  readonly pauses: PausesService;
  readonly operatorXIds: ReadonlySet<string>;
  /** The command line's secret. Without it, the command line is off. */
  readonly token: string | undefined;
  readonly cronWatch: Pick<CronRuns, 'lastRun' | 'listAlarms' | 'listOutages'>;
  readonly alarmChannels: AlarmsOptions['channels'];
  readonly callDetails: CallDetailsService;
  readonly resends: ResendsService;
  readonly deletion: DeletionService;
  readonly ways: WaysService;
}

/** `signedInAt` is unix ms; null for the command line, which uses the operators' token. */
export interface Operator {
  readonly xId: string;
  readonly signedInAt: number | null;
}

export function createOperatorsService(options: OperatorsOptions) {
  const { db, operatorXIds, token, clock } = options;
  const repository = createOperatorsRepository(db);
  return {
    isOperatorsToken: (sent: string) => token !== undefined && isSameSecret(token, sent),

    isOperatorXId: (xId: string) => operatorXIds.has(xId),

    async findXIdOfOperator(userId: string): Promise<string | null> {
      if (operatorXIds.size === 0) return null;
      const xId = await repository.findXUserId(userId);
      return xId !== null && operatorXIds.has(xId) ? xId : null;
    },

    async listAudit({ subjectId, cursor }: AuditQuery): Promise<Page<AuditEntry>> {
      const before = readOptionalCursor(cursor)?.value ?? null;
      const rows = await repository.listAudit({ subjectId, before, limit: OPERATORS_PAGE_SIZE + 1 });
      const { shown, nextCursor } = cutPage(rows, OPERATORS_PAGE_SIZE, ({ entry }) => ({
        value: entry.seq,
        id: entry.id,
      }));
      return { rows: shown.map(describeEntry), nextCursor };
    },

    act: createAct(options),
    ...createReads(options),
    readTelegramOf: createReadTelegram(options),
    testAlarm: () => testAlarm(options.alarmChannels),

    assertMayAct({ signedInAt }: Operator): void {
      const isOld = signedInAt !== null && clock.now() - signedInAt > OPERATOR_SIGN_IN_MS;
      if (!isOld) return;
      throw new AppError({
        code: 'auth.fresh_sign_in_needed',
        message: `To act as an operator, sign in again. Your sign-in is older than ${OPERATOR_SIGN_IN_MS / HOUR_MS} hours.`,
      });
    },
  };
}

function createReads(options: OperatorsOptions) {
  const { db, cronWatch, pauses, callDetails, clock, explorerUrl } = options;
  const overview = createOverviewRepository(db);
  const people = createPeopleRepository(db);
  const payments = createPaymentHistoryRepository(db);
  return {
    async overview(): Promise<OperatorsOverview> {
      const [
        outages,
        alarms,
        state,
        ranAt,
        unreadable,
        orphans,
        orphanPayers,
        failed,
        checks,
        things,
        paused,
      ] = await Promise.all([
        cronWatch.listOutages(),
        cronWatch.listAlarms(),
        createJobsRepository(db).readState(clock.now()),
        cronWatch.lastRun(),
        overview.listUnreadablePayments(),
        overview.listOrphans(),
        overview.listOrphanPayers(),
        overview.listFailedEvents(),
        overview.listChecks(),
        overview.listReported(),
        pauses.list(),
      ]);
      const reports = await overview.listReports(things);
      return {
        outages: outages.map(describeKnownOutage),
        alarms: alarms.map(({ at, text }) => ({ at: new Date(at).toISOString(), text })),
        cronRanAt: ranAt === null ? null : new Date(ranAt).toISOString(),
        problems: {
          unreadable: unreadable.map(describeUnreadable),
          orphans: orphans.map(describeOrphan),
          orphanPayers: orphanPayers.map(describeOrphanPayer),
          messages: failed.map(describeFailure),
          jobs: describeJobs(state),
          ledgerChecks: checks.map(describeCheck),
        },
        reported: things.map((thing) => describeThing(thing, reports)),
        pauses: paused,
      };
    },

    async findPayments(search: string): Promise<PaymentHistory[]> {
      return describePayments(await payments.find(search), explorerUrl);
    },

    async findPeople(search: string): Promise<OperatorsPerson[]> {
      const found = await people.find(search, clock.now());
      const call = found.length === 0 ? null : await callDetails.findEnded(search);
      return Promise.all(
        found.map(async (row) => ({
          ...describePerson(row, await people.findDetails({ personId: row.id, search })),
          call: call?.callerId === row.id ? call : null,
        })),
      );
    },
  };
}

function createAct(options: OperatorsOptions) {
  const { resends, ways, clock } = options;
  const repository = createOperatorsRepository(options.db);
  return async (operator: Operator, body: OperatorActionBody): Promise<OperatorActionResponse> => {
    const { action, subjectId, reason } = body;
    const kind = 'kind' in body ? body.kind : '';
    const request = { subjectId, reason, kind, now: clock.now() };
    const run = { ...request, entryId: createId(), action, operatorXId: operator.xId };
    const results = action === 'delete_account' ? null : await repository.act(run);
    const isDone =
      action === 'delete_account' ? await startDeletion({ ...options, repository }, run) : results !== null;
    if (!isDone) await assertCouldChange(repository, action, request);
    if (isDone && action === 'resend_event') await soon(resends.handOver());
    if (isDone && isOfText(action)) await soon(renewPosts(resends, run));
    if (results !== null && action === 'end_access') {
      return { isDone, ...(await ways.finish(subjectId, readEnded(results))) };
    }
    return { isDone, message: isDone ? 'Done.' : 'It was so already. Nothing was changed.' };
  };
}

/**
 * Writes the audit entry in the transaction of the deletion or of its request.
 * @throws operators.subject_not_found, operators.subject_deleted, account.open_calls
 */
async function startDeletion(
  { repository, deletion }: Pick<OperatorsOptions, 'deletion'> & { readonly repository: OperatorsRepository },
  run: ActionRun,
): Promise<boolean> {
  await assertCouldChange(repository, run.action, run);
  try {
    await deletion.start({ userId: run.subjectId, record: repository.recordIf(run) });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'account.open_calls') throw error;
    // The person's own error names the open calls, which operators may not see.
    throw new AppError({
      code: 'account.open_calls',
      message: 'This person has open calls, so nothing was deleted. They must end the calls first.',
    });
  }
  return repository.hasEntry(run.entryId);
}

async function assertCouldChange(
  repository: OperatorsRepository,
  action: OperatorAction,
  request: ActionRequest,
): Promise<void> {
  const { doesExist, isDeleted } = await repository.findSubject(action, request);
  if (!doesExist) throw new AppError({ code: 'operators.subject_not_found' });
  if (isDeleted) throw new AppError({ code: 'operators.subject_deleted' });
}

/** If this fails, the cron sends the event within a minute. A text is hidden in chats with the call's next event. */
async function soon(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    console.warn(JSON.stringify({ event: 'resend.delayed', error: describeError(error) }));
  }
}

const isOfText = (action: OperatorAction) => action === 'hide_text' || action === 'show_text';

async function renewPosts(
  resends: OperatorsOptions['resends'],
  { kind, subjectId }: ActionRun,
): Promise<void> {
  if (kind === 'thesis') await resends.renewPosts(`call_opened:${subjectId}`);
  if (kind === 'update') await resends.renewPosts(`call_update:${subjectId}`);
}

async function testAlarm({ telegram, browsers }: AlarmsOptions['channels']): Promise<TestAlarmResponse> {
  const text = `A test: alarms of ${PRODUCT_NAME} arrive here.`;
  const [chat, pushed] = await Promise.all(
    [telegram, browsers].map((send) => send(text).catch(() => ({ status: 'failed' as const }))),
  );
  const inTelegram = chat ? RESULTS[chat.status] : 'is not set up (OPERATOR_CHAT_ID)';
  const inBrowsers = pushed ? RESULTS[pushed.status] : 'no operator has turned notifications on';
  return { message: `Telegram: ${inTelegram}. Browsers: ${inBrowsers}.` };
}

const RESULTS: Readonly<Record<SendResult['status'], string>> = {
  sent: 'sent',
  unreachable: 'not reachable',
  rate_limited: 'limited, try again',
  failed: 'refused',
  no_response: 'no response',
};

/** Answers "My Telegram is silent". */
function createReadTelegram({ db, listResults }: OperatorsOptions) {
  const personTelegram = createPersonTelegramRepository(db);
  return async (personId: string): Promise<PersonTelegram> => {
    const [{ link, switchedOff, muted }, results] = await Promise.all([
      personTelegram.find(personId),
      listResults(personId),
    ]);
    const { chatId = null, connectedAt = null, isPending = false } = link ?? {};
    const unconnected = isPending ? 'pending' : 'none';
    return {
      chat: chatId === null ? unconnected : 'connected',
      connectedAt: connectedAt === null ? null : new Date(connectedAt).toISOString(),
      switchedOff,
      muted,
      messages: results.map(({ kind, at, result }) => ({ kind, at: new Date(at).toISOString(), result })),
    };
  };
}
