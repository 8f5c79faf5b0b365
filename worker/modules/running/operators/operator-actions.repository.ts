import { and, eq, isNotNull, ne, sql } from 'drizzle-orm';
import type { OperatorAction } from '#schema/contracts/operators.ts';
import { callers } from '#schema/tables/callers.ts';
import { users } from '#schema/tables/users.ts';
import { HIDE_TEXT, SHOW_TEXT } from '../../log/hide-texts.repository.ts';
import type { ActionRequest, ActionRule } from '../../log/operator-acts.repository.ts';
import { ADD_NOTE, REMOVE_NOTE } from '../../market/calls/call-notes.repository.ts';
import { DISMISS_EVENT, RESEND_EVENT } from '../../messages/delivery/resends.repository.ts';
import { copyUsersToCallers } from '../../money/callers/caller-copies.repository.ts';
import { PAUSE, RESUME } from '../../money/pauses/pauses.repository.ts';
import { RELEASE_PAYMENT, RESOLVE_ORPHAN } from '../../money/payments/payment-acts.repository.ts';
import { RESOLVE_REPORTS } from '../../people/reports/reported.repository.ts';
import { allThatEndByDefault, endWays, hasWays } from '../../people/ways/ways.repository.ts';
import { build, hasRow } from '../../../shared/sql.ts';

const caller = ({ subjectId }: ActionRequest) => hasRow(callers, eq(callers.callerId, subjectId));
const isDeletedPerson = ({ subjectId }: ActionRequest) =>
  hasRow(users, eq(users.id, subjectId), isNotNull(users.deletedAt));
const person = ({ subjectId }: ActionRequest) => hasRow(users, eq(users.id, subjectId));

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

/** `DeletionService` runs the statements. */
const BY_DELETION: ActionRule = { exists: person, isDeleted: isDeletedPerson, statements: () => [] };

export const ACTION_RULES: Readonly<Record<OperatorAction, ActionRule>> = {
  verify: setFlag('isVerified', true),
  unverify: setFlag('isVerified', false),
  suspend: setFlag('isSuspended', true),
  unsuspend: setFlag('isSuspended', false),
  hide_caller: setFlag('isHidden', true),
  show_caller: setFlag('isHidden', false),
  hide_text: HIDE_TEXT,
  show_text: SHOW_TEXT,
  resolve_orphan: RESOLVE_ORPHAN,
  release_payment: RELEASE_PAYMENT,
  resend_event: RESEND_EVENT,
  dismiss_event: DISMISS_EVENT,
  resolve_reports: RESOLVE_REPORTS,
  pause: PAUSE,
  resume: RESUME,
  add_note: ADD_NOTE,
  remove_note: REMOVE_NOTE,
  end_access: {
    exists: person,
    applies: ({ subjectId: userId, now }) => hasWays({ userId, now, which: allThatEndByDefault }),
    statements: ({ isRecorded, subjectId: userId, now }) =>
      endWays({ userId, now, which: (way) => sql`${isRecorded} AND ${allThatEndByDefault(way)}` }),
  },
  delete_account: BY_DELETION,
  keep_account: BY_DELETION,
};
