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
  /** Unix ms. */
  readonly now: number;
}

/**
 * SQL of an operator's act in the public log. The entry is sealed while the call is active. Writes nothing for people
 * who aren't callers.
 */
export function logModerationSql(
  { entryId, action, reason, now, callerId, callId }: Act,
  isRecorded: SQL,
): SQL {
  const { commitment, salt: textSalt } = sealText(reason);
  const entry = { callerId, callId, kind: 'moderated', subjectId: entryId, textSalt, at: now } as const;
  const content = { action, reason: commitment };
  if (callId === null) {
    return appendLogEntry({ ...entry, content, salt: null }, allOf(isRecorded, isNotNull(callerId)));
  }
  const isActive = hasRow(calls, eq(calls.id, callId), isNull(calls.endedAt));
  return appendLogEntry(
    { ...entry, content: { ...content, call: callId }, salt: sql`iif(${isActive}, ${createSalt()}, NULL)` },
    isRecorded,
  );
}
