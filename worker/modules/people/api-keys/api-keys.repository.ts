import { and, eq, gt, not, sql } from 'drizzle-orm';
import { MAX_API_KEYS } from '#schema/constants/people.ts';
import { apiKeys } from '#schema/tables/api-keys.ts';
import { isLeaving } from '../../money/callers/caller-standing.ts';
import { recordFacts } from '../../log/facts.repository.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { insertWhere } from '../../../shared/rows.ts';
import { allOf, hasRow } from '../../../shared/sql.ts';
import { wayMade } from '../ways/way-made.ts';

export type ApiKeyRow = typeof apiKeys.$inferSelect;

export function createApiKeysRepository(db: Database) {
  return {
    /** Returns false if the user has MAX_API_KEYS already, or has asked to delete the account. */
    async add(key: ApiKeyRow): Promise<boolean> {
      const { userId, tokenHash, mayCall, createdAt: at } = key;
      const hasRoom = sql`(SELECT COUNT(*) FROM api_keys WHERE user_id = ${userId}) < ${MAX_API_KEYS}`;
      const isAllowed = allOf(hasRoom, not(isLeaving(userId)));
      const notice = wayMade({ made: mayCall ? 'calling_key' : 'key', userId, at });
      const [added] = await runBatch(db, [
        sql`${insertWhere(apiKeys, key, isAllowed)} RETURNING token_hash`,
        recordFacts([notice], hasRow(apiKeys, eq(apiKeys.tokenHash, tokenHash))),
      ]);
      return added?.length === 1;
    },

    hasSome: async (userId: string): Promise<boolean> =>
      (await db.$count(apiKeys, eq(apiKeys.userId, userId))) > 0,

    async find({
      tokenHash,
      createdAfter,
    }: {
      tokenHash: string;
      createdAfter: number;
    }): Promise<ApiKeyRow | null> {
      const [key] = await db
        .select()
        .from(apiKeys)
        .where(and(eq(apiKeys.tokenHash, tokenHash), gt(apiKeys.createdAt, createdAfter)));
      return key ?? null;
    },

    async recordUse(tokenHash: string, now: number): Promise<void> {
      await db.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.tokenHash, tokenHash));
    },
  };
}
