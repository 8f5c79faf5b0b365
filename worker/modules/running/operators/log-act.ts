import { sql, type SQL } from 'drizzle-orm';
import type { OperatorAction } from '#schema/contracts/operators.ts';
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
 * The public log's entry of an operator's act. It is sealed while the call is active. Writes nothing for people who
 * aren't callers.
 */
export function logAct({ entryId, action, reason, now, callerId, callId }: Act, isRecorded: SQL): SQL {
  const { commitment, salt: textSalt } = sealText(reason);
  const entry = { callerId, callId, kind: 'moderated', subjectId: entryId, textSalt, at: now } as const;
  const content = { action, reason: commitment };
  if (callId === null) {
    return appendLogEntry({ ...entry, content, salt: null }, sql`${isRecorded} AND ${callerId} IS NOT NULL`);
  }
  const isActive = sql`EXISTS (SELECT 1 FROM calls WHERE id = ${callId} AND ended_at IS NULL)`;
  return appendLogEntry(
    { ...entry, content: { ...content, call: callId }, salt: sql`iif(${isActive}, ${createSalt()}, NULL)` },
    isRecorded,
  );
}
