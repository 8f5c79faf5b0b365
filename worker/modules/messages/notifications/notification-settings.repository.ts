import { and, eq, ne, sql } from 'drizzle-orm';
import { MAX_MUTED_CALLERS } from '#schema/constants/messages.ts';
import type { NotificationKind } from '#schema/contracts/notifications.ts';
import { callers } from '#schema/tables/callers.ts';
import { notificationMutes, notificationOptOuts } from '#schema/tables/notifications.ts';
import { users } from '#schema/tables/users.ts';
import { callerSummary } from '../../money/callers/caller-summary.ts';
import type { Database } from '../../../shared/database.ts';
import { columnsOf, insertWhere, selection, selectRows, valuesOf } from '../../../shared/rows.ts';

const callerColumns = selection(columnsOf(users, 'u', ['id']), callerSummary);

type Mute = Pick<typeof notificationMutes.$inferSelect, 'userId' | 'callerId'>;

export function createNotificationSettingsRepository(db: Database) {
  return {
    async listOptOuts(userId: string): Promise<NotificationKind[]> {
      const rows = await db
        .select({ kind: notificationOptOuts.kind })
        .from(notificationOptOuts)
        .where(eq(notificationOptOuts.userId, userId));
      return rows.map(({ kind }) => kind);
    },

    /** Reads mutes and callers separately, because callers may move to another database (docs/SCALE.md). */
    async listMutedCallers(userId: string) {
      const mutes = await db
        .select({ callerId: notificationMutes.callerId })
        .from(notificationMutes)
        .where(eq(notificationMutes.userId, userId));
      if (mutes.length === 0) return [];
      const callerIds = valuesOf(mutes.map(({ callerId }) => callerId));
      const query = sql`
        SELECT ${callerColumns.list}
        FROM users u
        WHERE u.id IN ${callerIds}
        ORDER BY u.first_name COLLATE NOCASE, u.last_name COLLATE NOCASE, u.id`;
      return selectRows(db, callerColumns, query);
    },

    async optOut({ userId, kind }: { userId: string; kind: NotificationKind }): Promise<void> {
      await db.insert(notificationOptOuts).values({ userId, kind }).onConflictDoNothing();
    },

    async optIn({ userId, kind }: { userId: string; kind: NotificationKind }): Promise<void> {
      await db
        .delete(notificationOptOuts)
        .where(and(eq(notificationOptOuts.userId, userId), eq(notificationOptOuts.kind, kind)));
    },

    /** Mutes a caller. One statement, so that parallel requests can't exceed the limit. */
    async mute(mute: Mute & { at: number }): Promise<void> {
      const isAllowed = sql`
        EXISTS (SELECT 1 FROM callers WHERE caller_id = ${mute.callerId})
        AND (SELECT count(*) FROM notification_mutes WHERE user_id = ${mute.userId}) < ${MAX_MUTED_CALLERS}`;
      await db.run(sql`${insertWhere(notificationMutes, mute, isAllowed)} ON CONFLICT DO NOTHING`);
    },

    async unmute({ userId, callerId }: Mute): Promise<void> {
      await db
        .delete(notificationMutes)
        .where(and(eq(notificationMutes.userId, userId), eq(notificationMutes.callerId, callerId)));
    },

    async isCaller(callerId: string): Promise<boolean> {
      return (await db.$count(callers, eq(callers.callerId, callerId))) > 0;
    },

    /** True if the user has muted as many callers as possible, and not this one. */
    async isLimitReached({ userId, callerId }: Mute): Promise<boolean> {
      const others = and(eq(notificationMutes.userId, userId), ne(notificationMutes.callerId, callerId));
      return (await db.$count(notificationMutes, others)) >= MAX_MUTED_CALLERS;
    },
  };
}
