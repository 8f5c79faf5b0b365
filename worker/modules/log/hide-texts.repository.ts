import { and, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { MAX_SEALED_SHOWS, type HIDEABLE_TEXTS } from '#schema/constants/running.ts';
import { callUpdates } from '#schema/tables/call-updates.ts';
import { callers } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import { logEntries } from '#schema/tables/log.ts';
import { hiddenTexts } from '#schema/tables/operators.ts';
import { users } from '#schema/tables/users.ts';
import { insertWhere } from '../../shared/rows.ts';
import { allOf, anyOf, build, hasNoRow, hasRow, later, valueIn } from '../../shared/sql.ts';
import type { ActionRequest, ActionRule, LoggedSubject, RecordedChange } from './operator-acts.repository.ts';

type HideableText = (typeof HIDEABLE_TEXTS)[number];

interface TextPlace {
  readonly exists: (id: string) => SQL;
  readonly owner: (id: string) => LoggedSubject;
}

export const callerOfCall = (callId: SQL | string) => valueIn(calls.callerId, eq(calls.id, callId));

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

export const HIDE_TEXT: ActionRule = {
  exists: hasText,
  applies: (request) => hasNoRow(hiddenTexts, isHiddenText(request)),
  logged: ownerOf,
  statements(change) {
    const { kind, subjectId, now: at, isRecorded } = change;
    const hidden = { kind: sql`${kind}`, subjectId, at };
    return [insertWhere(hiddenTexts, hidden, isRecorded), renewVersion(change)];
  },
};

export const SHOW_TEXT: ActionRule = {
  exists: (request) => anyOf(hasText(request), hasRow(hiddenTexts, isHiddenText(request))),
  applies: (request) => allOf(hasRow(hiddenTexts, isHiddenText(request)), canBeShown(request)),
  logged: ownerOf,
  statements: (change) => [
    build.delete(hiddenTexts).where(and(isHiddenText(change), change.isRecorded)),
    renewVersion(change),
  ],
};
