import { and, eq, gt, ne, sql } from 'drizzle-orm';
import { devices, sessions } from '#schema/tables/sessions.ts';
import { users } from '#schema/tables/users.ts';
import type { Database } from '../../../shared/database.ts';
import { columnsOf, optional, selection, selectRows } from '../../../shared/rows.ts';

const sessionColumns = selection(
  columnsOf(sessions, 's', { tokenHash: 'token_hash', createdAt: 'created_at', lastUsedAt: 'last_used_at' }),
  optional(columnsOf(devices, 'd', { label: 'label', deviceAt: 'at' })),
  columnsOf(users, 'u', { userCreatedAt: 'created_at' }),
);

interface OwnSession {
  readonly userId: string;
  readonly tokenHash: string;
  /** Unix ms, as all times in this file. */
  readonly now: number;
}

export type SessionsRepository = ReturnType<typeof createSessionsRepository>;

/** Lists and ends a user's own sessions. All methods ignore expired ones. */
export function createSessionsRepository(db: Database) {
  return {
    /** This session first, then the latest used. `deviceAt` is when the user first signed in with that device. */
    async listOfUser({ userId, tokenHash, now }: OwnSession) {
      const query = sql`
        SELECT ${sessionColumns.list}
        FROM sessions s
        JOIN users u ON u.id = s.user_id
        LEFT JOIN devices d ON d.user_id = s.user_id AND d.token_hash = s.device_hash
        WHERE s.user_id = ${userId} AND s.expires_at > ${now}
        ORDER BY s.token_hash = ${tokenHash} DESC, s.last_used_at DESC, s.created_at DESC, s.token_hash`;
      return selectRows(db, sessionColumns, query);
    },

    /** Returns whether the user had this session. */
    async delete({ userId, tokenHash, now }: OwnSession): Promise<boolean> {
      const deleted = await db
        .delete(sessions)
        .where(
          and(eq(sessions.tokenHash, tokenHash), eq(sessions.userId, userId), gt(sessions.expiresAt, now)),
        )
        .returning({ userId: sessions.userId });
      return deleted.length > 0;
    },

    async deleteOthers({ userId, tokenHash }: Omit<OwnSession, 'now'>): Promise<void> {
      await db.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.tokenHash, tokenHash)));
    },
  };
}
