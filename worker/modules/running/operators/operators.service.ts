import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { OPERATOR_SIGN_IN_MS, OPERATORS_PAGE_SIZE } from '#schema/constants/running.ts';
import { HOUR_MS } from '#schema/constants/time.ts';
import type {
  AuditQuery,
  OperatorAction,
  OperatorActionBody,
  OperatorActionResponse,
  OperatorsPage,
  OperatorsPageRequest,
  OperatorsRow,
} from '#schema/contracts/operators.ts';
import type { NotificationSettings } from '#schema/contracts/notifications.ts';
import { ACTION_RESULTS } from '#schema/rules/text/operator-actions.ts';
import type { Base } from '../../../app/base.ts';
import type { CronRuns } from '../../../app/env.ts';
import { AppError } from '../../../app/errors.ts';
import { cutPage, type Page } from '../../../app/pages.ts';
import type { ChannelOutbox } from '../../../ports/outbox.ts';
import { testAlarm, type AlarmsOptions } from '../../../shared/alarms.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { createId } from '../../../shared/ids.ts';
import { readOptionalCursor } from '../../../shared/keyset.ts';
import { isSameSecret } from '../../../shared/secrets.ts';
import type { ActionRequest } from '../../log/operator-acts.repository.ts';
import {
  createOperatorsRepository,
  type ActionRun,
  type OperatorsRepository,
} from './operators.repository.ts';
import { listBio, listTextsOfCall } from '../../log/readable-calls.repository.ts';
import { findCalls } from '../../market/calls/call-search.repository.ts';
import { auditRow } from './audit.ts';
import { callPage } from './call.ts';
import { earnedPage } from './earned.ts';
import { nowPage } from './now.ts';
import { paymentPage } from './payment.ts';
import { createPaymentHistoryRepository } from '../../money/payments/payment-history.repository.ts';
import { personPage } from './person.ts';
import { createPersonRepository } from './person.repository.ts';
import { findRows } from './search.ts';
import type { SubscriptionsService } from '../../money/subscriptions/subscriptions.service.ts';
import type { PausesService } from '../../money/pauses/pauses.service.ts';
import type { CallDetailsService } from '../../market/calls/call-details.service.ts';
import type { DeletionService } from '../../people/account/deletion.service.ts';
import { readEnded } from '../../people/ways/ways.repository.ts';
import type { WaysService } from '../../people/ways/ways.service.ts';
import type { ResendsService } from '../../messages/delivery/resends.service.ts';

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
  readonly subscriptions: SubscriptionsService;
  readonly notificationSettings: { readonly read: (userId: string) => Promise<NotificationSettings> };
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

    listAudit: createListAudit(repository),

    search: (search: string) => findRows(db, search),

    now: () => nowPage({ ...options, now: clock.now() }),

    show: createShow(options),

    act: createAct(options),
    testAlarm: () => testAlarm(options.alarmChannels, `A test: alarms of ${PRODUCT_NAME} arrive here.`),

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

const createListAudit =
  (repository: OperatorsRepository) =>
  async ({ cursor, ...filter }: AuditQuery): Promise<Page<OperatorsRow>> => {
    const before = readOptionalCursor(cursor)?.value ?? null;
    const rows = await repository.listAudit({ ...filter, before, limit: OPERATORS_PAGE_SIZE + 1 });
    const { shown, nextCursor } = cutPage(rows, OPERATORS_PAGE_SIZE, ({ seq: value, id }) => ({ value, id }));
    return { rows: shown.map(auditRow), nextCursor };
  };

function createShow(options: OperatorsOptions) {
  const { db, explorerUrl, callDetails } = options;
  const people = createPersonRepository(db);
  const payments = createPaymentHistoryRepository(db);

  const showPerson = async (id: string) => {
    const found = await people.find(id);
    if (!found) return null;
    const [paid, texts, subscriptions, settings, messages, deletion, ways] = await Promise.all([
      payments.find(id),
      listBio(db, id),
      options.subscriptions.listMine(id),
      options.notificationSettings.read(id),
      options.listResults(id),
      options.deletion.preview(id),
      options.ways.list({ userId: id, currentId: '' }),
    ]);
    return personPage({ ...found, payments: paid, texts, subscriptions, settings, messages, deletion, ways });
  };

  const showCall = async (id: string) => {
    const [[found], call, texts, acts] = await Promise.all([
      findCalls(db, id),
      callDetails.findEnded(id),
      listTextsOfCall(db, id),
      createOperatorsRepository(db).listAudit({ subject: id, before: null, limit: OPERATORS_PAGE_SIZE }),
    ]);
    return found ? callPage({ found, call, texts, acts: acts.map(auditRow) }) : null;
  };

  const pages: Record<OperatorsPageRequest['kind'], (id: string) => Promise<OperatorsPage | null>> = {
    earned: (id) => earnedPage(db, id),
    payment: async (id) => paymentPage(await payments.find(id), explorerUrl),
    person: showPerson,
    call: showCall,
  };
  /** @throws operators.subject_not_found */
  return async ({ kind, id }: OperatorsPageRequest): Promise<OperatorsPage> => {
    const page = await pages[kind](id);
    if (page === null) throw new AppError({ code: 'operators.subject_not_found' });
    return page;
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
    const isOfAccount = action === 'delete_account' || action === 'keep_account';
    const results = isOfAccount ? null : await repository.act(run);
    const isDone = isOfAccount
      ? await changeDeletion({ ...options, repository }, run, body)
      : results !== null;
    if (!isDone) await assertCouldChange(repository, action, request);
    if (isDone && action === 'resend_event') await soon(resends.handOver());
    if (isDone) await soon(renewPosts(resends, run));
    if (results !== null && action === 'end_access') {
      return { isDone, ...(await ways.finish(subjectId, readEnded(results))) };
    }
    return { isDone, message: isDone ? ACTION_RESULTS[action] : 'It was so already. Nothing was changed.' };
  };
}

/**
 * Deletes the account, requests that, or takes a request back, in one transaction with the audit entry.
 * @throws operators.subject_not_found, operators.subject_deleted, account.open_calls, account.handle_mismatch,
 * account.deletion_due
 */
async function changeDeletion(
  { repository, deletion }: Pick<OperatorsOptions, 'deletion'> & { readonly repository: OperatorsRepository },
  run: ActionRun,
  body: OperatorActionBody,
): Promise<boolean> {
  await assertCouldChange(repository, run.action, run);
  const start = { userId: run.subjectId, record: repository.recordIf(run) };
  try {
    if (body.action === 'delete_account') {
      await deletion.assertHandle(run.subjectId, body.handle);
      await deletion.start(start);
    } else {
      await deletion.takeBack(start);
    }
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

const POSTED_EVENTS: Readonly<Partial<Record<string, string>>> = {
  thesis: 'call_opened',
  update: 'call_update',
};

async function renewPosts(resends: OperatorsOptions['resends'], run: ActionRun): Promise<void> {
  const isOfText = run.action === 'hide_text' || run.action === 'show_text';
  const event = POSTED_EVENTS[run.kind];
  if (isOfText && event !== undefined) await resends.renewPosts(`${event}:${run.subjectId}`);
}
