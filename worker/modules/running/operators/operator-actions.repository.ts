import { and, eq, isNotNull, isNull, lt, ne, sql, type SQL } from 'drizzle-orm';
import { MAX_SEALED_SHOWS, PAUSABLE, SMALL_ORPHAN_LAMPORTS } from '#schema/constants/running.ts';
import type { HideableText, OperatorAction } from '#schema/contracts/operators.ts';
import { callUpdates } from '#schema/tables/call-updates.ts';
import { callers } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import { logEntries } from '#schema/tables/log.ts';
import { failedDeliveries } from '#schema/tables/notifications.ts';
import { callNotes, hiddenTexts, pauses } from '#schema/tables/operators.ts';
import { paymentOrphans, refunds } from '#schema/tables/payment-ledger.ts';
import { paymentBroadcasts } from '#schema/tables/payments.ts';
import { reports } from '#schema/tables/reports.ts';
import { users } from '#schema/tables/users.ts';
import { copyUsersToCallers } from '../../money/callers/caller-copies.repository.ts';
import { allOf, anyOf, build, hasNoRow, hasRow, later, valueIn } from '../../../shared/sql.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { insertWhere } from '../../../shared/rows.ts';
import { endWays, hasWays } from '../../people/ways/ways.repository.ts';
import { isUnreadablePayment } from '../../money/payments/pending-broadcasts.repository.ts';

export interface ActionRequest {
  readonly subjectId: string;
  readonly kind: string;
  readonly reason: string;
  readonly now: number;
}

/** SQL of the log's subject. The caller is NULL if the subject doesn't belong to a caller. */
export interface LoggedSubject {
  readonly callerId: SQL;
  readonly callId: SQL | null;
}

/** A change that is made only if the audit entry was written. */
interface RecordedChange extends ActionRequest {
  readonly isRecorded: SQL;
}

/**
 * An action in SQL, for a subject that exists. `applies`: there is something to change. The statements run in the batch that
 * writes the audit entry, with `isRecorded` as their guard.
 */
interface ActionRule {
  readonly exists: (request: ActionRequest) => SQL;
  /** True in SQL if the subject's account is deleted, so that triggers refuse changes. */
  readonly isDeleted?: (request: ActionRequest) => SQL;
  readonly applies?: (request: ActionRequest) => SQL;
  readonly logged?: (request: ActionRequest) => LoggedSubject;
  readonly statements: (change: RecordedChange) => readonly Statement[];
}

const caller = ({ subjectId }: ActionRequest) => hasRow(callers, eq(callers.callerId, subjectId));
const isDeletedPerson = ({ subjectId }: ActionRequest) =>
  hasRow(users, eq(users.id, subjectId), isNotNull(users.deletedAt));
const person = ({ subjectId }: ActionRequest) => hasRow(users, eq(users.id, subjectId));
const event = ({ subjectId }: ActionRequest) => hasRow(failedDeliveries, eq(failedDeliveries.id, subjectId));
const openEvent = ({ subjectId }: ActionRequest) =>
  hasRow(failedDeliveries, eq(failedDeliveries.id, subjectId), isNull(failedDeliveries.resolvedAt));

/** Makes a rule that changes a caller's flag. Deleted accounts accept only changes of `isHidden`. */
const setFlag = (flag: 'isVerified' | 'isSuspended' | 'isHidden', to: boolean): ActionRule => ({
  exists: caller,
  ...(flag !== 'isHidden' && { isDeleted: isDeletedPerson }),
  applies: ({ subjectId }) => hasRow(users, eq(users.id, subjectId), ne(users[flag], to)),
  logged: ({ subjectId }) => ({ callerId: sql`${subjectId}`, callId: null }),
  statements: ({ subjectId, isRecorded }) => [
    build
      .update(users)
      .set({ [flag]: to })
      .where(and(eq(users.id, subjectId), isRecorded)),
    copyUsersToCallers([subjectId]),
  ],
});

interface TextPlace {
  readonly exists: (id: string) => SQL;
  readonly owner: (id: string) => LoggedSubject;
}

const callerOfCall = (callId: SQL | string) => valueIn(calls.callerId, eq(calls.id, callId));

/** The table of each kind of text, and its caller and call. The text itself may have been erased. */
const texts: Readonly<Record<HideableText, TextPlace>> = {
  bio: {
    exists: (id) => hasRow(users, eq(users.id, id), isNotNull(users.bio)),
    owner: (id) => ({ callerId: valueIn(callers.callerId, eq(callers.callerId, id)), callId: null }),
  },
  thesis: {
    exists: (id) => hasRow(calls, eq(calls.id, id), isNotNull(calls.thesis)),
    owner: (id) => ({ callerId: callerOfCall(id), callId: sql`${id}` }),
  },
  update: {
    exists: (id) => hasRow(callUpdates, eq(callUpdates.id, id)),
    owner(id) {
      const callId = valueIn(callUpdates.callId, eq(callUpdates.id, id));
      return { callerId: callerOfCall(callId), callId };
    },
  },
};

const isHideable = (kind: string): kind is HideableText => Object.hasOwn(texts, kind);
function placeOf({ kind }: ActionRequest): TextPlace {
  if (!isHideable(kind)) throw new Error(`No text is a ${kind}`);
  return texts[kind];
}
const hasText = (request: ActionRequest) => placeOf(request).exists(request.subjectId);
const ownerOf = (request: ActionRequest) => placeOf(request).owner(request.subjectId);
const isHiddenText = ({ kind, subjectId }: ActionRequest) =>
  allOf(eq(hiddenTexts.kind, sql`${kind}`), eq(hiddenTexts.subjectId, subjectId));

/** Changes the version of the caller's calls, so that polls get the text again. */
const renewVersion = ({ isRecorded, ...request }: RecordedChange) =>
  build
    .update(callers)
    .set({ updatedAt: later(callers.updatedAt, request.now) })
    .where(and(eq(callers.callerId, ownerOf(request).callerId), isRecorded));

/** Matches the log entries about the call that has the text. Matches none for a bio, which has no call. */
const isOfCall = (request: ActionRequest) => {
  const { callerId, callId } = ownerOf(request);
  return and(eq(logEntries.callerId, callerId), eq(logEntries.callId, callId ?? sql`NULL`));
};

/** Limits sealed acts, because the end of a call reveals all of them in one entry. Hiding is always possible. */
const canBeShown = (request: ActionRequest) => {
  const isActive = hasRow(calls, eq(calls.id, ownerOf(request).callId ?? sql`NULL`), isNull(calls.endedAt));
  return sql`
    (SELECT COUNT(*) FROM log_entries
    WHERE ${isOfCall(request)} AND salt IS NOT NULL
      AND content ->> 'action' = 'show_text'
      AND ${isActive}) < ${MAX_SEALED_SHOWS}`;
};

const resolveEvent = ({ isRecorded, subjectId, now }: RecordedChange, resendAt: number | null) => [
  build
    .update(failedDeliveries)
    .set({ resolvedAt: now, resendAt })
    .where(and(eq(failedDeliveries.id, subjectId), isRecorded)),
];

const resolveOrphans = ({ isRecorded, now, reason }: RecordedChange, which: SQL | undefined) => [
  build.update(paymentOrphans).set({ resolvedAt: now, note: reason }).where(and(which, isRecorded)),
];

const isSmallOrphanOf = ({ subjectId }: ActionRequest) =>
  and(
    isNull(paymentOrphans.resolvedAt),
    isNull(paymentOrphans.intentId),
    lt(paymentOrphans.platformLamports, BigInt(SMALL_ORPHAN_LAMPORTS)),
    eq(paymentOrphans.payerAddress, subjectId),
  );

const isUnreadable = ({ subjectId }: ActionRequest) =>
  and(eq(paymentBroadcasts.signature, subjectId), isUnreadablePayment);

const isReportOf = ({ kind, subjectId }: ActionRequest) =>
  and(eq(reports.kind, sql`${kind}`), eq(reports.subjectId, subjectId));

const isPausable = ({ subjectId }: ActionRequest) =>
  PAUSABLE.some((kind) => kind === subjectId) ? sql`1` : sql`0`;
const isPauseOf = ({ subjectId }: ActionRequest) => eq(pauses.kind, sql`${subjectId}`);

/** Operators have no access to active calls, so these don't exist for notes. */
const endedCall = ({ subjectId }: ActionRequest) =>
  hasRow(calls, eq(calls.id, subjectId), isNotNull(calls.endedAt));
const isNoteOf = ({ subjectId }: ActionRequest) => eq(callNotes.callId, subjectId);
const ownerOfCall = ({ subjectId }: ActionRequest): LoggedSubject => ({
  callerId: callerOfCall(subjectId),
  callId: sql`${subjectId}`,
});

export const ACTION_RULES: Readonly<Record<OperatorAction, ActionRule>> = {
  verify: setFlag('isVerified', true),
  unverify: setFlag('isVerified', false),
  suspend: setFlag('isSuspended', true),
  unsuspend: setFlag('isSuspended', false),
  hide_caller: setFlag('isHidden', true),
  show_caller: setFlag('isHidden', false),
  hide_text: {
    exists: hasText,
    applies: (request) => hasNoRow(hiddenTexts, isHiddenText(request)),
    logged: ownerOf,
    statements(change) {
      const { kind, subjectId, now: at, isRecorded } = change;
      const hidden = { kind: sql`${kind}`, subjectId, at };
      return [insertWhere(hiddenTexts, hidden, isRecorded), renewVersion(change)];
    },
  },
  show_text: {
    exists: (request) => anyOf(hasText(request), hasRow(hiddenTexts, isHiddenText(request))),
    applies: (request) => allOf(hasRow(hiddenTexts, isHiddenText(request)), canBeShown(request)),
    logged: ownerOf,
    statements: (change) => [
      build.delete(hiddenTexts).where(and(isHiddenText(change), change.isRecorded)),
      renewVersion(change),
    ],
  },
  resolve_orphan: {
    exists: ({ subjectId }) => hasRow(paymentOrphans, eq(paymentOrphans.signature, subjectId)),
    applies: ({ subjectId }) =>
      hasRow(paymentOrphans, eq(paymentOrphans.signature, subjectId), isNull(paymentOrphans.resolvedAt)),
    statements: (change) => resolveOrphans(change, eq(paymentOrphans.signature, change.subjectId)),
  },
  resolve_small_orphans: {
    exists: ({ subjectId }) => hasRow(paymentOrphans, eq(paymentOrphans.payerAddress, subjectId)),
    applies: (request) => hasRow(paymentOrphans, isSmallOrphanOf(request)),
    statements: (change) => resolveOrphans(change, isSmallOrphanOf(change)),
  },
  /** A payment, by its signature, or the transfers so far of a refund, by its reference. */
  release_payment: {
    exists: ({ subjectId }) =>
      anyOf(
        hasRow(paymentBroadcasts, eq(paymentBroadcasts.signature, subjectId)),
        hasRow(refunds, eq(refunds.reference, subjectId)),
      ),
    applies: (request) =>
      anyOf(
        hasRow(paymentBroadcasts, isUnreadable(request)),
        hasRow(refunds, eq(refunds.reference, request.subjectId)),
      ),
    statements: (change) => [
      build
        .update(paymentBroadcasts)
        .set({ deadAt: change.now })
        .where(and(isUnreadable(change), change.isRecorded)),
    ],
  },
  resend_event: {
    exists: event,
    applies: openEvent,
    statements: (change) => resolveEvent(change, change.now),
  },
  dismiss_event: {
    exists: event,
    applies: openEvent,
    statements: (change) => resolveEvent(change, null),
  },
  end_access: {
    exists: person,
    applies: ({ subjectId: userId, now }) => hasWays({ userId, now }),
    statements: ({ isRecorded, subjectId: userId, now }) => endWays({ userId, now, which: () => isRecorded }),
  },
  resolve_reports: {
    exists: (request) => hasRow(reports, isReportOf(request)),
    applies: (request) => hasRow(reports, isReportOf(request), isNull(reports.resolvedAt)),
    statements: ({ isRecorded, ...request }) => [
      build
        .update(reports)
        .set({ resolvedAt: request.now })
        .where(and(isReportOf(request), isNull(reports.resolvedAt), isRecorded)),
    ],
  },
  pause: {
    exists: isPausable,
    applies: (request) => hasNoRow(pauses, isPauseOf(request)),
    statements: ({ subjectId, reason, now: at, isRecorded }) => [
      insertWhere(pauses, { kind: sql`${subjectId}`, reason, at }, isRecorded),
    ],
  },
  resume: {
    exists: isPausable,
    applies: (request) => hasRow(pauses, isPauseOf(request)),
    statements: ({ isRecorded, ...request }) => [
      build.delete(pauses).where(and(isPauseOf(request), isRecorded)),
    ],
  },
  /** `DeletionService.start` runs the statements. */
  delete_account: {
    exists: person,
    isDeleted: isDeletedPerson,
    statements: () => [],
  },
  add_note: {
    exists: endedCall,
    applies: (request) => hasNoRow(callNotes, isNoteOf(request)),
    logged: ownerOfCall,
    statements: ({ subjectId: callId, reason: text, now: at, isRecorded }) => [
      insertWhere(callNotes, { callId, text, at }, isRecorded),
    ],
  },
  remove_note: {
    exists: endedCall,
    applies: (request) => hasRow(callNotes, isNoteOf(request)),
    logged: ownerOfCall,
    statements: ({ isRecorded, ...request }) => [
      build.delete(callNotes).where(and(isNoteOf(request), isRecorded)),
    ],
  },
};
