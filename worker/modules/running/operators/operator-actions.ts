import { sql, type SQL } from 'drizzle-orm';
import { MAX_SEALED_SHOWS, SMALL_ORPHAN_LAMPORTS, type HIDEABLE_TEXTS } from '#schema/constants.ts';
import type { OperatorAction, OperatorActionBody } from '#schema/contracts/operators.ts';
import { copyUsersToCallers } from '../../../shared/caller-copies.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import type { CallStatisticsRepository } from '../../market/calls/call-statistics.repository.ts';

export type StatisticsPort = Pick<
  CallStatisticsRepository,
  'repairStatistics' | 'forgetEndedCalls' | 'repairSubscriberCounts'
>;

export interface ActionRequest {
  readonly subjectId: string;
  readonly kind: string;
  readonly reason: string;
  /** Unix ms. */
  readonly now: number;
  readonly statistics: StatisticsPort;
}

/** The caller is NULL in SQL if the subject isn't a caller's. */
export interface LoggedSubject {
  readonly callerId: SQL;
  readonly callId: SQL | null;
}

/**
 * An action in SQL. `exists`: the subject exists. `applies`: there is something to change. The statements run in the
 * batch that writes the audit entry, with `isRecorded` as their guard.
 */
interface ActionRule {
  readonly exists: (request: ActionRequest) => SQL;
  readonly applies: (request: ActionRequest) => SQL;
  /** The subject's account is deleted, and triggers keep it as it is. */
  readonly isDeleted?: (request: ActionRequest) => SQL;
  /** The log's subject of an action that the public log has. */
  readonly logged?: (request: ActionRequest) => LoggedSubject;
  readonly statements: (request: ActionRequest, isRecorded: SQL) => readonly Statement[];
  readonly done: string;
  readonly unchanged: string;
}

const exists = (rest: SQL) => sql`EXISTS (SELECT 1 FROM ${rest})`;
const caller = ({ subjectId }: ActionRequest) => exists(sql`callers WHERE caller_id = ${subjectId}`);
const person = ({ subjectId }: ActionRequest) => exists(sql`users WHERE id = ${subjectId}`);
const event = ({ subjectId }: ActionRequest) => exists(sql`failed_deliveries WHERE event_id = ${subjectId}`);
const openEvent = ({ subjectId }: ActionRequest) =>
  exists(sql`failed_deliveries WHERE event_id = ${subjectId} AND resolved_at IS NULL`);

interface FlagOptions {
  readonly column: 'is_verified' | 'is_suspended' | 'is_hidden';
  readonly to: 0 | 1;
  readonly done: string;
  readonly unchanged: string;
}

/** Changes a flag of a caller. Of deleted accounts, only `is_hidden` can change. */
const setFlag = ({ column, to, ...messages }: FlagOptions): ActionRule => {
  const flag = sql.raw(column);
  const value = sql.raw(String(to));
  const isDeleted = ({ subjectId }: ActionRequest) =>
    exists(sql`users WHERE id = ${subjectId} AND deleted_at IS NOT NULL AND ${column} <> 'is_hidden'`);
  return {
    ...messages,
    exists: caller,
    isDeleted,
    applies: (request) => sql`
      ${caller(request)} AND NOT ${isDeleted(request)}
      AND ${exists(sql`users WHERE id = ${request.subjectId} AND ${flag} <> ${value}`)}`,
    logged: ({ subjectId }) => ({ callerId: sql`${subjectId}`, callId: null }),
    statements: ({ subjectId }, isRecorded) => [
      sql`UPDATE users SET ${flag} = ${value} WHERE id = ${subjectId} AND ${isRecorded}`,
      copyUsersToCallers(sql`(${subjectId})`),
    ],
  };
};

interface TextPlace {
  readonly of: (id: string) => SQL;
  readonly owner: (id: string) => LoggedSubject;
}

/** The place of each text, and its caller and call. The text itself may have been erased. */
const texts: Readonly<Record<(typeof HIDEABLE_TEXTS)[number], TextPlace>> = {
  bio: {
    of: (id) => sql`users WHERE id = ${id} AND bio IS NOT NULL`,
    owner: (id) => ({ callerId: sql`(SELECT caller_id FROM callers WHERE caller_id = ${id})`, callId: null }),
  },
  thesis: {
    of: (id) => sql`calls WHERE id = ${id} AND thesis IS NOT NULL`,
    owner: (id) => ({ callerId: sql`(SELECT caller_id FROM calls WHERE id = ${id})`, callId: sql`${id}` }),
  },
  update: {
    of: (id) => sql`call_updates WHERE id = ${id}`,
    owner(id) {
      const callId = sql`(SELECT call_id FROM call_updates WHERE id = ${id})`;
      return { callerId: sql`(SELECT caller_id FROM calls WHERE id = ${callId})`, callId };
    },
  },
};

const placeOf = ({ kind }: ActionRequest) => texts[kind as keyof typeof texts];
const textOf = (request: ActionRequest) => placeOf(request).of(request.subjectId);
const ownerOf = (request: ActionRequest) => placeOf(request).owner(request.subjectId);
const hiddenText = ({ kind, subjectId }: ActionRequest) =>
  sql`hidden_texts WHERE kind = ${kind} AND subject_id = ${subjectId}`;

/** Changes the version of the caller's calls, so that polls get the text again. */
const renewVersion = (request: ActionRequest, isRecorded: SQL) => sql`
  UPDATE callers SET updated_at = MAX(updated_at + 1, ${request.now})
  WHERE caller_id = ${ownerOf(request).callerId} AND ${isRecorded}`;

/** Without its salt, nobody can check a text against the public log. */
const eraseSalt = (request: ActionRequest, isRecorded: SQL) => {
  const { callerId, callId } = ownerOf(request);
  return sql`
    UPDATE log_entries SET text_salt = NULL
    WHERE caller_id = ${callerId} AND call_id = ${callId} AND subject_id = ${request.subjectId} AND ${isRecorded}`;
};

/**
 * The end of a call reveals its sealed acts in one entry, so there can't be any number of them. Hiding is always
 * possible.
 */
const canBeShown = (request: ActionRequest) => {
  const { callerId, callId } = ownerOf(request);
  return sql`
    (SELECT COUNT(*) FROM log_entries
    WHERE caller_id = ${callerId} AND call_id = ${callId} AND salt IS NOT NULL
      AND content ->> 'action' = 'show_text'
      AND EXISTS (SELECT 1 FROM calls WHERE id = ${callId} AND ended_at IS NULL)) < ${MAX_SEALED_SHOWS}`;
};

const resolveEvent = ({ subjectId, now }: ActionRequest, isRecorded: SQL, resendAt: number | null) => [
  sql`
    UPDATE failed_deliveries SET resolved_at = ${now}, resend_at = ${resendAt}
    WHERE event_id = ${subjectId} AND ${isRecorded}`,
];

const smallOrphansOf = ({ subjectId }: ActionRequest) => sql`
  resolved_at IS NULL AND intent_id IS NULL AND platform_lamports < ${SMALL_ORPHAN_LAMPORTS}
  AND payer_address = ${subjectId}`;

const reportsOf = ({ kind, subjectId }: ActionRequest) => sql`kind = ${kind} AND subject_id = ${subjectId}`;

/** The unfinished check's last attempt failed. */
const isCheckStuck = exists(
  sql`job_leases WHERE job = 'payments.check' AND json_extract(cursor, '$.error') IS NOT NULL`,
);

const newestFinishedCheck = sql`(SELECT MAX(day) FROM ledger_checks WHERE finished_at IS NOT NULL)`;

/** Every action of operators. */
export const ACTION_RULES: Readonly<Record<OperatorAction, ActionRule>> = {
  verify: setFlag({
    column: 'is_verified',
    to: 1,
    done: 'The caller is verified.',
    unchanged: 'This caller is already verified.',
  }),
  unverify: setFlag({
    column: 'is_verified',
    to: 0,
    done: 'The caller is no longer verified.',
    unchanged: "This caller isn't verified.",
  }),
  suspend: setFlag({
    column: 'is_suspended',
    to: 1,
    done: 'The caller is suspended. Lists and pages show it within a minute.',
    unchanged: 'This caller is already suspended.',
  }),
  unsuspend: setFlag({
    column: 'is_suspended',
    to: 0,
    done: 'The caller is no longer suspended.',
    unchanged: "This caller isn't suspended.",
  }),
  hide_caller: setFlag({
    column: 'is_hidden',
    to: 1,
    done: 'The caller is hidden. Lists and pages show it within a minute.',
    unchanged: 'This caller is already hidden.',
  }),
  show_caller: setFlag({
    column: 'is_hidden',
    to: 0,
    done: 'The caller is shown again.',
    unchanged: "This caller isn't hidden.",
  }),
  hide_text: {
    exists: (request) => exists(textOf(request)),
    applies: (request) => sql`${exists(textOf(request))} AND NOT ${exists(hiddenText(request))}`,
    logged: ownerOf,
    statements: (request, isRecorded) => [
      sql`
        INSERT INTO hidden_texts (kind, subject_id, at)
        SELECT ${request.kind}, ${request.subjectId}, ${request.now} WHERE ${isRecorded}`,
      eraseSalt(request, isRecorded),
      renewVersion(request, isRecorded),
    ],
    done: 'The text is hidden.',
    unchanged: 'This text is already hidden.',
  },
  show_text: {
    exists: (request) => sql`(${exists(textOf(request))} OR ${exists(hiddenText(request))})`,
    applies: (request) => sql`${exists(hiddenText(request))} AND (${canBeShown(request)})`,
    logged: ownerOf,
    statements: (request, isRecorded) => [
      sql`DELETE FROM ${hiddenText(request)} AND ${isRecorded}`,
      renewVersion(request, isRecorded),
    ],
    done: 'The text is shown again.',
    unchanged:
      "This text isn't hidden, or texts of this active call were shown again too often. Then wait for the call's end.",
  },
  resolve_orphan: {
    exists: ({ subjectId }) => exists(sql`payment_orphans WHERE signature = ${subjectId}`),
    applies: ({ subjectId }) =>
      exists(sql`payment_orphans WHERE signature = ${subjectId} AND resolved_at IS NULL`),
    statements: ({ subjectId, reason, now }, isRecorded) => [
      sql`
        UPDATE payment_orphans SET resolved_at = ${now}, note = ${reason}
        WHERE signature = ${subjectId} AND ${isRecorded}`,
    ],
    done: 'The orphan is resolved.',
    unchanged: 'This orphan was already resolved.',
  },
  resolve_small_orphans: {
    exists: ({ subjectId }) => exists(sql`payment_orphans WHERE payer_address = ${subjectId}`),
    applies: (request) => exists(sql`payment_orphans WHERE ${smallOrphansOf(request)}`),
    statements: (request, isRecorded) => [
      sql`
        UPDATE payment_orphans SET resolved_at = ${request.now}, note = ${request.reason}
        WHERE ${smallOrphansOf(request)} AND ${isRecorded}`,
    ],
    done: "This wallet's small orphans are resolved.",
    unchanged: 'This wallet has no open small orphans.',
  },
  resend_event: {
    exists: event,
    applies: openEvent,
    statements: (request, isRecorded) => resolveEvent(request, isRecorded, request.now),
    done: 'The messages that failed are sent again.',
    unchanged: 'This event was already resolved.',
  },
  dismiss_event: {
    exists: event,
    applies: openEvent,
    statements: (request, isRecorded) => resolveEvent(request, isRecorded, null),
    done: 'The event is dismissed. Its messages are not sent.',
    unchanged: 'This event was already resolved.',
  },
  end_sessions: {
    exists: person,
    applies: ({ subjectId, now }) =>
      exists(sql`sessions WHERE user_id = ${subjectId} AND expires_at > ${now}`),
    statements: ({ subjectId }, isRecorded) => [
      sql`DELETE FROM sessions WHERE user_id = ${subjectId} AND ${isRecorded}`,
    ],
    done: 'All sessions of this person have ended.',
    unchanged: 'This person has no sessions.',
  },
  rebuild_statistics: {
    exists: caller,
    applies: caller,
    statements: ({ subjectId, statistics }) => [
      statistics.repairSubscriberCounts([subjectId]),
      statistics.repairStatistics([subjectId]),
      statistics.forgetEndedCalls([subjectId]),
    ],
    done: 'The statistics were computed again from the calls.',
    unchanged: 'Nothing to compute.',
  },
  resolve_reports: {
    exists: (request) => exists(sql`reports WHERE ${reportsOf(request)}`),
    applies: (request) => exists(sql`reports WHERE ${reportsOf(request)} AND resolved_at IS NULL`),
    statements: (request, isRecorded) => [
      sql`
        UPDATE reports SET resolved_at = ${request.now}
        WHERE ${reportsOf(request)} AND resolved_at IS NULL AND ${isRecorded}`,
    ],
    done: 'The reports are resolved.',
    unchanged: 'These reports were already resolved.',
  },
  forget_unreadable: {
    exists: ({ subjectId }) => exists(sql`ledger_checks WHERE day = ${subjectId}`),
    applies: ({ subjectId }) =>
      exists(sql`ledger_checks WHERE day = ${subjectId} AND unread IS NOT NULL AND unread <> '[]'`),
    statements: ({ subjectId }, isRecorded) => [
      sql`UPDATE ledger_checks SET unread = '[]' WHERE day = ${subjectId} AND ${isRecorded}`,
    ],
    done: 'The check no longer tries to read these transactions.',
    unchanged: 'This check has no unreadable transactions.',
  },
  continue_check_from: {
    exists: () => exists(sql`ledger_checks WHERE finished_at IS NOT NULL`),
    applies: ({ subjectId }) => sql`
      ${isCheckStuck}
      AND ${exists(sql`ledger_checks WHERE day = ${newestFinishedCheck} AND scanned_until IS NOT ${subjectId}`)}`,
    statements: ({ subjectId }, isRecorded) => [
      sql`UPDATE ledger_checks SET scanned_until = ${subjectId} WHERE day = ${newestFinishedCheck} AND ${isRecorded}`,
      // A failed check doesn't wait for its next attempt.
      sql`
        UPDATE job_leases SET cursor = json_set(cursor, '$.retryAt', 0)
        WHERE job = 'payments.check' AND cursor IS NOT NULL AND ${isRecorded}`,
    ],
    done: 'The check lists the transactions back to this signature. It continues within a minute.',
    unchanged: 'No check is failing, or it already stops at this signature.',
  },
};

/** Describes the request's subject, besides its id. */
export function detailsOf(body: OperatorActionBody): { readonly kind: string } | null {
  return 'kind' in body ? { kind: body.kind } : null;
}
