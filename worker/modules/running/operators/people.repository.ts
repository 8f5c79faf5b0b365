import { sql } from 'drizzle-orm';
import type { HideableText } from '#schema/contracts/operators.ts';
import { callers } from '#schema/tables/callers.ts';
import { users } from '#schema/tables/users.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { isBeingErased, isTextHidden } from '../../log/hidden-texts.repository.ts';
import {
  columnsOf,
  computed,
  optional,
  selection,
  selectRows,
  type SelectedRow,
} from '../../../shared/rows.ts';

const MAX_PEOPLE = 20;
const MAX_PAYOUT_CHANGES = 10;
const MAX_TEXTS = 100;

const personColumns = (now: number) =>
  selection(
    columnsOf(users, 'u', [
      'id',
      'xUserId',
      'firstName',
      'lastName',
      'isVerified',
      'isSuspended',
      'isHidden',
    ]),
    optional(columnsOf(callers, 'c', ['callerId', 'payoutAddress'])),
    computed<{ handle: string; activeSessions: number }>({
      handle: 'u.twitter_handle',
      activeSessions: sql`(SELECT COUNT(*) FROM sessions WHERE user_id = u.id AND expires_at > ${now})`,
    }),
  );

export type PersonRow = SelectedRow<ReturnType<typeof personColumns>>;

const changeColumns = computed<{ at: number; from: string | null; to: string | null }>({
  at: 'p.at',
  from: 'p.old_address',
  to: 'p.new_address',
});

const textColumns = computed<{ kind: HideableText; subjectId: string; text: string; isHidden: 0 | 1 }>({
  kind: 'kind',
  subjectId: 'subject_id',
  text: 'text',
  isHidden: 'is_hidden',
});

/**
 * SQL condition: operators may see the content of the call `k`, because it has ended or every signed-in user sees it.
 * Operators have no access to other open calls.
 */
export const isReadableCall = sql`(k.ended_at IS NOT NULL OR EXISTS (
  SELECT 1 FROM callers c
  WHERE c.caller_id = k.caller_id AND c.fee_lamports = 0 AND NOT c.is_suspended AND NOT c.is_hidden))`;

/** Like `isReadableCall`, for texts: the texts of a deleted account count as erased. */
export const hasReadableTexts = sql`${isReadableCall} AND NOT ${isBeingErased}`;

export type PeopleRepository = ReturnType<typeof createPeopleRepository>;

export function createPeopleRepository(db: Database) {
  return {
    /** Finds people by id, X id, handle or wallet, and the caller of a call that operators may see by its id. */
    async find(search: string, now: number): Promise<PersonRow[]> {
      const columns = personColumns(now);
      const query = sql`
        SELECT ${columns.list}
        FROM (
          SELECT id FROM users WHERE id = ${search}
          UNION SELECT id FROM users WHERE x_user_id = ${search}
          UNION SELECT id FROM users WHERE twitter_handle = ${search.replace(/^@/, '')} COLLATE NOCASE
          UNION SELECT user_id FROM wallets WHERE address = ${search}
          UNION SELECT caller_id FROM calls k WHERE id = ${search} AND ${isReadableCall}
        ) found
        JOIN users u ON u.id = found.id
        LEFT JOIN callers c ON c.caller_id = u.id
        LIMIT ${MAX_PEOPLE}`;
      return selectRows(db, columns, query);
    },

    /** The newest changes of the payout wallet, and the bio. With a call's id, also its thesis and its updates. */
    async findDetails({ personId, search }: { personId: string; search: string }) {
      const [changes = [], texts = []] = await runBatch(db, [
        sql`
          SELECT ${changeColumns.list} FROM payout_changes p
          WHERE p.caller_id = ${personId}
          ORDER BY p.at DESC, p.seq DESC
          LIMIT ${MAX_PAYOUT_CHANGES}`,
        sql`
          SELECT ${textColumns.list} FROM (
            SELECT 'bio' AS kind, u.id AS subject_id, u.bio AS text,
              ${isTextHidden({ kind: 'bio', id: 'u.id' })} AS is_hidden
            FROM users u
            WHERE u.id = ${personId} AND u.bio IS NOT NULL
            UNION ALL
            SELECT 'thesis', k.id, k.thesis, ${isTextHidden({ kind: 'thesis', id: 'k.id' })}
            FROM calls k
            WHERE k.id = ${search} AND k.thesis IS NOT NULL AND ${hasReadableTexts}
            UNION ALL
            SELECT 'update', n.id, n.message, ${isTextHidden({ kind: 'update', id: 'n.id' })}
            FROM call_updates n
            JOIN calls k ON k.id = n.call_id
            WHERE n.call_id = ${search} AND ${hasReadableTexts}
          ) LIMIT ${MAX_TEXTS}`,
      ]);
      return { changes: changes.map(changeColumns.read), texts: texts.map(textColumns.read) };
    },
  };
}
