import { and, eq, gt, lte, sql } from 'drizzle-orm';
import { sessions } from '#schema/tables/sessions.ts';
import { users } from '#schema/tables/users.ts';
import { callers } from '#schema/tables/callers.ts';
import { runBatch, type Database } from '../../shared/database.ts';
import type { Identity } from '../../ports/identity.ts';
import { callerSearchText } from '#schema/rules/search.ts';

export type AuthRepository = ReturnType<typeof createAuthRepository>;

/** Sessions, and the person a sign-in brings. Times are unix ms. */
export function createAuthRepository(db: Database) {
  return {
    /** Creates the person at the first sign-in, else refreshes what X says of them. Returns our id. */
    async upsertUser({
      id,
      identity,
      firstName,
      lastName,
      now,
    }: {
      id: string;
      identity: Identity;
      firstName: string;
      lastName: string;
      now: number;
    }): Promise<string> {
      const fresh = {
        twitterHandle: identity.handle,
        firstName,
        lastName,
        profileImageUrl: identity.profileImageUrl,
        updatedAt: now,
      };
      const upsert = db
        .insert(users)
        .values({ id, xUserId: identity.xUserId, email: identity.email, createdAt: now, ...fresh })
        .onConflictDoUpdate({
          target: users.xUserId,
          set: { ...fresh, email: sql`COALESCE(excluded.email, ${users.email})` },
        })
        .returning({ id: users.id });
      const refreshDirectory = db
        .update(callers)
        .set({ searchText: callerSearchText({ firstName, lastName, handle: identity.handle }) })
        .where(
          eq(
            callers.callerId,
            db.select({ id: users.id }).from(users).where(eq(users.xUserId, identity.xUserId)),
          ),
        );
      const [[user] = []] = await runBatch(db, [upsert, refreshDirectory]);
      if (!user) throw new Error('The user was not written');
      return String(user['id']);
    },

    async insertSession(session: typeof sessions.$inferInsert): Promise<void> {
      await db.insert(sessions).values(session);
    },

    async findSession(
      tokenHash: string,
      now: number,
    ): Promise<{ userId: string; createdAt: number; expiresAt: number } | null> {
      const [session] = await db
        .select({ userId: sessions.userId, createdAt: sessions.createdAt, expiresAt: sessions.expiresAt })
        .from(sessions)
        .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now)));
      return session ?? null;
    },

    async extendSession(tokenHash: string, expiresAt: number): Promise<void> {
      await db.update(sessions).set({ expiresAt }).where(eq(sessions.tokenHash, tokenHash));
    },

    async deleteSession(tokenHash: string): Promise<void> {
      await db.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
    },

    async deleteExpiredSessions(now: number): Promise<void> {
      await db.delete(sessions).where(lte(sessions.expiresAt, now));
    },
  };
}
