import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { calls } from '#schema/tables/calls.ts';
import { callNotes } from '#schema/tables/operators.ts';
import { callerOfCall } from '../../log/hide-texts.repository.ts';
import type { ActionRequest, ActionRule, LoggedSubject } from '../../log/operator-acts.repository.ts';
import { insertWhere } from '../../../shared/rows.ts';
import { build, hasNoRow, hasRow } from '../../../shared/sql.ts';

/** Operators have no access to active calls, so these don't exist for notes. */
const endedCall = ({ subjectId }: ActionRequest) =>
  hasRow(calls, eq(calls.id, subjectId), isNotNull(calls.endedAt));
const isNoteOf = ({ subjectId }: ActionRequest) => eq(callNotes.callId, subjectId);
const ownerOfCall = ({ subjectId }: ActionRequest): LoggedSubject => ({
  callerId: callerOfCall(subjectId),
  callId: sql`${subjectId}`,
});

export const ADD_NOTE: ActionRule = {
  exists: endedCall,
  applies: (request) => hasNoRow(callNotes, isNoteOf(request)),
  logged: ownerOfCall,
  statements: ({ subjectId: callId, reason: text, now: at, isRecorded }) => [
    insertWhere(callNotes, { callId, text, at }, isRecorded),
  ],
};

export const REMOVE_NOTE: ActionRule = {
  exists: endedCall,
  applies: (request) => hasRow(callNotes, isNoteOf(request)),
  logged: ownerOfCall,
  statements: ({ isRecorded, ...request }) => [
    build.delete(callNotes).where(and(isNoteOf(request), isRecorded)),
  ],
};
