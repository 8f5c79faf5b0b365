import { and, eq, gt, lte, ne, sql } from 'drizzle-orm';
import { callerSearchText } from '#schema/rules/search.ts';
import { callers } from '#schema/tables/callers.ts';
import { sessions } from '#schema/tables/sessions.ts';
import { users } from '#schema/tables/users.ts';
import type { Identity } from '../../ports/identity.ts';
import { runBatch, type Database } from '../../shared/database.ts';

export type AuthRepository = ReturnType<typeof createAuthRepository>;

interface SignedInPerson {
  /** The id that a new user gets. */
  readonly id: string;
  readonly identity: Identity;
  readonly firstName: string;
  readonly lastName: string;
  /** Unix ms, as all times in this file. */
  readonly now: number;
}

export function createAuthRepository(db: Database) {
  return {
    /**
     * Creates the user at the first sign-in; later updates the fields that come from X. A user who had this handle
     * before loses it, because X has given it to somebody else. Returns our id.
     */
    async upsertUser({ id, identity, firstName, lastName, now }: SignedInPerson): Promise<string> {
      const { xUserId, handle, email, profileImageUrl } = identity;
      const isFormerHolder = and(
        sql`${users.twitterHandle} = ${handle} COLLATE NOCASE`,
        ne(users.xUserId, xUserId),
      );
      const formerHolderId = db.select({ id: users.id }).from(users).where(isFormerHolder);
      const freeSearchText = db
        .update(callers)
        .set({ searchText: sql`REPLACE(${callers.searchText}, ${`@${handle.toLowerCase()}`}, '')` })
        .where(eq(callers.callerId, formerHolderId));
      const freeHandle = db
        .update(users)
        .set({ twitterHandle: sql`'user-' || ${users.xUserId}` })
        .where(isFormerHolder);
      const current = { twitterHandle: handle, firstName, lastName, profileImageUrl, updatedAt: now };
      const upsert = db
        .insert(users)
        .values({ id, xUserId, email, createdAt: now, ...current })
        .onConflictDoUpdate({
          target: users.xUserId,
          set: { ...current, email: sql`COALESCE(excluded.email, ${users.email})` },
        })
        .returning({ id: users.id });
      const callerId = db.select({ id: users.id }).from(users).where(eq(users.xUserId, xUserId));
      const updateDirectory = db
        .update(callers)
        .set({ searchText: callerSearchText({ firstName, lastName, handle }) })
        .where(eq(callers.callerId, callerId));
      const [, , [user] = []] = await runBatch(db, [freeSearchText, freeHandle, upsert, updateDirectory]);
      if (!user) throw new Error('The user was not written');
      return String(user['id']);
    },

    async insertSession(session: typeof sessions.$inferInsert): Promise<void> {
      await db.insert(sessions).values(session);
    },

    async findSession(tokenHash: string, now: number) {
      const { userId, createdAt, expiresAt } = sessions;
      const [session] = await db
        .select({ userId, createdAt, expiresAt })
        .from(sessions)
        .where(and(eq(sessions.tokenHash, tokenHash), gt(expiresAt, now)));
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
