import { and, desc, eq, gt, ne } from 'drizzle-orm';
import { devices, sessions } from '#schema/tables/sessions.ts';
import { users } from '#schema/tables/users.ts';
import type { Database } from '../../../shared/database.ts';

interface OwnSession {
  readonly userId: string;
  readonly tokenHash: string;
  readonly now: number;
}

export function createSessionsRepository(db: Database) {
  return {
    /** This session first, then the latest used. `deviceAt`: the user's first sign-in with the device. */
    async listOfUser({ userId, tokenHash, now }: OwnSession) {
      return db
        .select({
          tokenHash: sessions.tokenHash,
          createdAt: sessions.createdAt,
          lastUsedAt: sessions.lastUsedAt,
          label: devices.label,
          deviceAt: devices.at,
          userCreatedAt: users.createdAt,
        })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .leftJoin(
          devices,
          and(eq(devices.userId, sessions.userId), eq(devices.tokenHash, sessions.deviceHash)),
        )
        .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
        .orderBy(
          desc(eq(sessions.tokenHash, tokenHash)),
          desc(sessions.lastUsedAt),
          desc(sessions.createdAt),
          sessions.tokenHash,
        );
    },

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
