import { eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import type { OPERATOR_ACTIONS } from '#schema/constants/running.ts';
import { calls } from '#schema/tables/calls.ts';
import type { Statement } from '../../shared/job-leases.ts';
import { allOf, hasRow } from '../../shared/sql.ts';
import { createSalt, sealText } from './log-entries.ts';
import { appendLogEntry } from './log-entries.repository.ts';

type OperatorAction = (typeof OPERATOR_ACTIONS)[number];

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
export interface RecordedChange extends ActionRequest {
  readonly isRecorded: SQL;
}

/**
 * An action in SQL, for a subject that exists. `applies`: there is something to change. The statements run in the batch that
 * writes the audit entry, with `isRecorded` as their guard.
 */
export interface ActionRule {
  readonly exists: (request: ActionRequest) => SQL;
  /** True in SQL if the subject's account is deleted, so that triggers refuse changes. */
  readonly isDeleted?: (request: ActionRequest) => SQL;
  readonly applies?: (request: ActionRequest) => SQL;
  readonly logged?: (request: ActionRequest) => LoggedSubject;
  readonly statements: (change: RecordedChange) => readonly Statement[];
}

interface Act extends LoggedSubject {
  readonly entryId: string;
  readonly action: OperatorAction;
  readonly reason: string;
  readonly now: number;
}

/**
 * SQL of an operator's act in the public log. While the call is active, the entry looks like an update. Writes nothing for people
 * who aren't callers.
 */
export function logActSql({ entryId, action, reason, now, callerId, callId }: Act, isRecorded: SQL): SQL {
  const { commitment, salt: textSalt } = sealText(reason);
  const content = { kind: 'hidden', action, reason: commitment, call: callId };
  const entry = { callerId, callId, subjectId: entryId, content, textSalt, at: now };
  if (callId === null) {
    return appendLogEntry({ ...entry, kind: 'hidden', salt: null }, allOf(isRecorded, isNotNull(callerId)));
  }
  const ifActive = (value: string, otherwise: string | null) =>
    sql`iif(${hasRow(calls, eq(calls.id, callId), isNull(calls.endedAt))}, ${value}, ${otherwise})`;
  return appendLogEntry(
    { ...entry, kind: ifActive('updated', 'hidden'), salt: ifActive(createSalt(), null) },
    isRecorded,
  );
}
