import { and, eq, isNull } from 'drizzle-orm';
import { users } from '#schema/tables/users.ts';
import { xTokens } from '#schema/tables/x-tokens.ts';
import type { Database } from '../../shared/database.ts';

export type XTokensRow = typeof xTokens.$inferSelect;

export type SharesRepository = ReturnType<typeof createSharesRepository>;

/** X's tokens of who lets us post, encrypted. Times are unix ms. */
export function createSharesRepository(db: Database) {
  return {
    async findXUserId(userId: string): Promise<string | null> {
      const [user] = await db.select({ xUserId: users.xUserId }).from(users).where(eq(users.id, userId));
      return user?.xUserId ?? null;
    },

    async findTokens(userId: string): Promise<XTokensRow | null> {
      const [row] = await db.select().from(xTokens).where(eq(xTokens.userId, userId));
      return row ?? null;
    },

    /** Keeps what a consent gave. @returns what it took the place of. */
    async saveTokens(row: XTokensRow): Promise<XTokensRow | null> {
      const [[replaced]] = await db.batch([
        db.select().from(xTokens).where(eq(xTokens.userId, row.userId)),
        db.insert(xTokens).values(row).onConflictDoUpdate({ target: xTokens.userId, set: row }),
      ]);
      return replaced ?? null;
    },

    /** Keeps what a claimed refresh gave, unless the row is gone or another meanwhile: what was forgotten stays so. @returns whether it did. */
    async replaceTokens({
      refreshedCiphertext,
      ...row
    }: XTokensRow & { refreshedCiphertext: string }): Promise<boolean> {
      const replaced = await db
        .update(xTokens)
        .set(row)
        .where(
          and(
            eq(xTokens.userId, row.userId),
            eq(xTokens.accessTokenCiphertext, refreshedCiphertext),
            isNull(xTokens.refreshTokenCiphertext),
          ),
        )
        .returning({ userId: xTokens.userId });
      return replaced.length === 1;
    },

    /** Takes the refresh token out of the row, so that nobody else spends it. @returns whether it was still there. */
    async claimRefresh({
      userId,
      refreshTokenCiphertext,
      now,
    }: {
      userId: string;
      refreshTokenCiphertext: string;
      now: number;
    }): Promise<boolean> {
      const claimed = await db
        .update(xTokens)
        .set({ refreshTokenCiphertext: null, updatedAt: now })
        .where(and(eq(xTokens.userId, userId), eq(xTokens.refreshTokenCiphertext, refreshTokenCiphertext)))
        .returning({ userId: xTokens.userId });
      return claimed.length === 1;
    },

    /** Puts a claimed refresh token back that was not spent, unless the row is gone or another meanwhile. @returns whether it did. */
    async returnRefresh({
      userId,
      accessTokenCiphertext,
      refreshTokenCiphertext,
    }: Pick<XTokensRow, 'userId' | 'accessTokenCiphertext' | 'refreshTokenCiphertext'>): Promise<boolean> {
      const returned = await db
        .update(xTokens)
        .set({ refreshTokenCiphertext })
        .where(
          and(
            eq(xTokens.userId, userId),
            eq(xTokens.accessTokenCiphertext, accessTokenCiphertext),
            isNull(xTokens.refreshTokenCiphertext),
          ),
        )
        .returning({ userId: xTokens.userId });
      return returned.length === 1;
    },

    /** Takes the row out whole: from here on nothing is posted with it. */
    async takeTokens(userId: string): Promise<XTokensRow | null> {
      const [row] = await db.delete(xTokens).where(eq(xTokens.userId, userId)).returning();
      return row ?? null;
    },

    /** Forgets tokens that X takes no more, unless new ones have come meanwhile. @returns whether it did. */
    async deleteTokens({
      userId,
      accessTokenCiphertext,
    }: Pick<XTokensRow, 'userId' | 'accessTokenCiphertext'>): Promise<boolean> {
      const deleted = await db
        .delete(xTokens)
        .where(and(eq(xTokens.userId, userId), eq(xTokens.accessTokenCiphertext, accessTokenCiphertext)))
        .returning({ userId: xTokens.userId });
      return deleted.length === 1;
    },
  };
}
