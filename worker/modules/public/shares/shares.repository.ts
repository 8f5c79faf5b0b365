import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { users } from '#schema/tables/users.ts';
import { xTokens } from '#schema/tables/x-tokens.ts';
import { recordFacts } from '../../log/facts.repository.ts';
import { wayMade } from '../../people/ways/way-made.ts';
import { revocableColumns, type RevocableTokens } from '../../people/ways/ways.repository.ts';
import { runBatch, type Database } from '../../../shared/database.ts';

export type XTokensRow = typeof xTokens.$inferSelect;
/** The columns that a refresh replaces. */
export type RefreshedTokens = Omit<XTokensRow, 'createdAt' | 'sessionHash'>;
type AccessRow = Pick<XTokensRow, 'userId' | 'accessTokenCiphertext'>;
type RefreshRow = AccessRow & Pick<XTokensRow, 'refreshTokenCiphertext'>;

export type SharesRepository = ReturnType<typeof createSharesRepository>;

export function createSharesRepository(db: Database) {
  const updateOne = async (values: Partial<XTokensRow>, condition: SQL | undefined): Promise<boolean> => {
    const updated = await db.update(xTokens).set(values).where(condition).returning({ id: xTokens.userId });
    return updated.length === 1;
  };

  return {
    async findXUserId(userId: string): Promise<string | null> {
      const [user] = await db.select({ xUserId: users.xUserId }).from(users).where(eq(users.id, userId));
      return user?.xUserId ?? null;
    },

    async findTokens(userId: string): Promise<XTokensRow | null> {
      const [row] = await db.select().from(xTokens).where(eq(xTokens.userId, userId));
      return row ?? null;
    },

    /** Returns the replaced tokens, or null. */
    async saveTokens(row: XTokensRow): Promise<RevocableTokens | null> {
      const { userId, createdAt: at } = row;
      const [[replaced] = []] = await runBatch(db, [
        sql`SELECT ${revocableColumns.list} FROM x_tokens WHERE user_id = ${userId}`,
        db.insert(xTokens).values(row).onConflictDoUpdate({ target: xTokens.userId, set: row }),
        recordFacts([wayMade({ made: 'x', userId, at })], sql`1`),
      ]);
      return replaced ? revocableColumns.read(replaced) : null;
    },

    /** Takes the refresh token out, so that no other request can use it. @returns false if there was none */
    async claimRefresh(row: RefreshRow & { refreshTokenCiphertext: string }, now: number): Promise<boolean> {
      const hasToken = eq(xTokens.refreshTokenCiphertext, row.refreshTokenCiphertext);
      return updateOne(
        { refreshTokenCiphertext: null, updatedAt: now },
        and(eq(xTokens.userId, row.userId), hasToken),
      );
    },

    /** Saves refreshed tokens. @returns false if the claimed row was deleted or replaced meanwhile */
    async replaceTokens(claimed: AccessRow, row: RefreshedTokens): Promise<boolean> {
      return updateOne(row, isClaimed(claimed));
    },

    /** Puts an unused refresh token back. @returns false if the claimed row was deleted or replaced meanwhile */
    async returnRefresh(claimed: RefreshRow): Promise<boolean> {
      return updateOne({ refreshTokenCiphertext: claimed.refreshTokenCiphertext }, isClaimed(claimed));
    },

    async takeTokens(userId: string): Promise<XTokensRow | null> {
      const [row] = await db.delete(xTokens).where(eq(xTokens.userId, userId)).returning();
      return row ?? null;
    },

    async deleteTokens(row: AccessRow): Promise<boolean> {
      const deleted = await db.delete(xTokens).where(isSame(row)).returning({ id: xTokens.userId });
      return deleted.length === 1;
    },
  };
}

function isSame({ userId, accessTokenCiphertext }: AccessRow): SQL | undefined {
  return and(eq(xTokens.userId, userId), eq(xTokens.accessTokenCiphertext, accessTokenCiphertext));
}

/** Matches a claimed row, which has no refresh token until the refresh is done. */
function isClaimed(row: AccessRow): SQL | undefined {
  return and(isSame(row), isNull(xTokens.refreshTokenCiphertext));
}
