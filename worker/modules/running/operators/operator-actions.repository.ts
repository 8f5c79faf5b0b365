import { and, eq, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm';
import { PAUSABLE, SMALL_ORPHAN_LAMPORTS } from '#schema/constants/running.ts';
import type { OperatorAction } from '#schema/contracts/operators.ts';
import { callers } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import { failedDeliveries } from '#schema/tables/notifications.ts';
import { callNotes, pauses } from '#schema/tables/operators.ts';
import { paymentOrphans, refunds } from '#schema/tables/payment-ledger.ts';
import { paymentBroadcasts } from '#schema/tables/payments.ts';
import { reports } from '#schema/tables/reports.ts';
import { users } from '#schema/tables/users.ts';
import { callerOfCall, HIDE_TEXT, SHOW_TEXT } from '../../log/hide-texts.repository.ts';
import type {
  ActionRequest,
  ActionRule,
  LoggedSubject,
  RecordedChange,
} from '../../log/operator-acts.repository.ts';
import { copyUsersToCallers } from '../../money/callers/caller-copies.repository.ts';
import { allOf, anyOf, build, hasNoRow, hasRow } from '../../../shared/sql.ts';
import { insertWhere } from '../../../shared/rows.ts';
import { endWays, hasWays } from '../../people/ways/ways.repository.ts';
import { isUnreadablePayment } from '../../money/payments/pending-broadcasts.repository.ts';

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

const resolveEvent = ({ isRecorded, subjectId, now }: RecordedChange, resendAt: number | null) => [
  build
    .update(failedDeliveries)
    .set({ resolvedAt: now, resendAt })
    .where(and(eq(failedDeliveries.id, subjectId), isRecorded)),
];

/** An orphan by its signature, or all small ones of a wallet that match no intent. */
const isOrphanOf = ({ subjectId }: ActionRequest) => {
  const { signature, intentId, payerAddress, platformLamports, resolvedAt } = paymentOrphans;
  const isSmall = lt(platformLamports, BigInt(SMALL_ORPHAN_LAMPORTS));
  const isSmallOfWallet = allOf(eq(payerAddress, subjectId), isNull(intentId), isSmall);
  return allOf(isNull(resolvedAt), anyOf(eq(signature, subjectId), isSmallOfWallet));
};

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
  hide_text: HIDE_TEXT,
  show_text: SHOW_TEXT,
  resolve_orphan: {
    exists: ({ subjectId }) => {
      const { signature, payerAddress } = paymentOrphans;
      return hasRow(paymentOrphans, anyOf(eq(signature, subjectId), eq(payerAddress, subjectId)));
    },
    applies: (request) => hasRow(paymentOrphans, isOrphanOf(request)),
    statements: ({ isRecorded, now, reason, ...request }) => [
      build
        .update(paymentOrphans)
        .set({ resolvedAt: now, note: reason })
        .where(and(isOrphanOf({ now, reason, ...request }), isRecorded)),
    ],
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
  /** `DeletionService.takeBack` runs the statements. */
  keep_account: {
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
