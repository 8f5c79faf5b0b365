import { and, desc, eq, not, sql } from 'drizzle-orm';
import { MAX_API_KEYS } from '#schema/constants/people.ts';
import { apiKeys } from '#schema/tables/api-keys.ts';
import { isLeaving } from '../../money/callers/caller-standing.ts';
import type { Database } from '../../../shared/database.ts';
import { insertWhere } from '../../../shared/rows.ts';
import { allOf } from '../../../shared/sql.ts';

export type ApiKeyRow = typeof apiKeys.$inferSelect;

export function createApiKeysRepository(db: Database) {
  return {
    listOfUser: (userId: string): Promise<ApiKeyRow[]> =>
      db.select().from(apiKeys).where(eq(apiKeys.userId, userId)).orderBy(desc(apiKeys.createdAt)),

    /** Returns false if the user has MAX_API_KEYS already, or has asked to delete the account. */
    async add(key: ApiKeyRow): Promise<boolean> {
      const hasRoom = sql`(SELECT COUNT(*) FROM api_keys WHERE user_id = ${key.userId}) < ${MAX_API_KEYS}`;
      const isAllowed = allOf(hasRoom, not(isLeaving(key.userId)));
      const added = await db.all(sql`${insertWhere(apiKeys, key, isAllowed)} RETURNING token_hash`);
      return added.length === 1;
    },

    async remove({ userId, tokenHash }: Pick<ApiKeyRow, 'userId' | 'tokenHash'>): Promise<boolean> {
      const removed = await db
        .delete(apiKeys)
        .where(and(eq(apiKeys.tokenHash, tokenHash), eq(apiKeys.userId, userId)))
        .returning({ userId: apiKeys.userId });
      return removed.length === 1;
    },

    async find(tokenHash: string): Promise<ApiKeyRow | null> {
      const [key] = await db.select().from(apiKeys).where(eq(apiKeys.tokenHash, tokenHash));
      return key ?? null;
    },

    async recordUse(tokenHash: string, now: number): Promise<void> {
      await db.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.tokenHash, tokenHash));
    },
  };
}
