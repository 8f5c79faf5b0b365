import { and, eq, sql } from 'drizzle-orm';
import { MAX_PAPER_FOLLOWS } from '#schema/constants/people.ts';
import { paperFollows } from '#schema/tables/paper-follows.ts';
import { users } from '#schema/tables/users.ts';
import { callerSummary } from '../../money/callers/caller-summary.ts';
import type { Database } from '../../../shared/database.ts';
import { columnsOf, insertWhere, selection, selectRows } from '../../../shared/rows.ts';

const columns = selection(
  columnsOf(paperFollows, 'f', ['amountUsd', 'since']),
  columnsOf(users, 'u', ['id']),
  callerSummary,
);

type PaperFollowRow = typeof paperFollows.$inferSelect;
export type PaperPair = Pick<PaperFollowRow, 'userId' | 'callerId'>;

export function createPaperFollowsRepository(db: Database) {
  return {
    listOfUser: (userId: string) =>
      selectRows(
        db,
        columns,
        sql`
          SELECT ${columns.list}
          FROM paper_follows f
          JOIN callers c ON c.caller_id = f.caller_id
          JOIN users u ON u.id = f.caller_id
          WHERE f.user_id = ${userId}
          ORDER BY f.since DESC, f.caller_id`,
      ),

    /**
     * Follows a caller whom the public may see. Another amount restarts the follow; the same amount changes nothing.
     * One statement, so that parallel requests can't exceed the limit.
     */
    async save(follow: PaperFollowRow): Promise<void> {
      const { userId, callerId } = follow;
      const isAllowed = sql`
        EXISTS (SELECT 1 FROM callers WHERE caller_id = ${callerId} AND is_hidden = 0)
        AND (
          SELECT count(*) FROM paper_follows WHERE user_id = ${userId} AND caller_id <> ${callerId}
        ) < ${MAX_PAPER_FOLLOWS}`;
      await db.run(sql`
        ${insertWhere(paperFollows, follow, isAllowed)}
        ON CONFLICT (user_id, caller_id) DO UPDATE
          SET amount_usd = excluded.amount_usd, since = excluded.since
          WHERE amount_usd IS NOT excluded.amount_usd`);
    },

    async remove({ userId, callerId }: PaperPair): Promise<void> {
      await db
        .delete(paperFollows)
        .where(and(eq(paperFollows.userId, userId), eq(paperFollows.callerId, callerId)));
    },
  };
}
