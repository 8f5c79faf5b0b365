import { eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import type { OperatorAction } from '#schema/contracts/operators.ts';
import { calls } from '#schema/tables/calls.ts';
import { allOf, hasRow } from '../../../shared/sql.ts';
import { appendLogEntry, createSalt, sealText } from '../../../shared/log-entries.ts';
import type { LoggedSubject } from './operator-actions.ts';

interface Act extends LoggedSubject {
  /** The id of the audit's entry. */
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
