import { sql } from 'drizzle-orm';
import { runBatch, type Database } from '../../../shared/database.ts';
import {
  deletionStatements,
  lastOfSlice,
  sliceStatements,
  type Deletion,
  type ErasedSlice,
} from './deletion-statements.ts';

export type DeletionRepository = ReturnType<typeof createDeletionRepository>;

export function createDeletionRepository(db: Database) {
  return {
    async findHandle(userId: string): Promise<string | null> {
      const [row] = await db.all<{ handle: string }>(
        sql`SELECT twitter_handle AS handle FROM users WHERE id = ${userId} AND deleted_at IS NULL`,
      );
      return row?.handle ?? null;
    },

    /** The symbols of the caller's open calls, newest first. */
    async listOpenSymbols(userId: string): Promise<string[]> {
      const rows = await db.all<{ symbol: string }>(sql`
        SELECT token_symbol AS symbol FROM calls
        WHERE caller_id = ${userId} AND ended_at IS NULL
        ORDER BY called_at DESC`);
      return rows.map(({ symbol }) => symbol);
    },

    /**
     * Marks the account as deleted and erases everything but the texts of calls, in one transaction. Does nothing
     * while a call is open. The database refuses later writes for this account.
     * @returns whether the account is deleted now
     */
    async markDeleted(deletion: Deletion): Promise<boolean> {
      const results = await runBatch(db, deletionStatements(deletion));
      return results.at(-1)?.length === 1;
    },

    /** Deleted accounts with texts that aren't erased yet, the oldest deletion first. */
    async listUnerased(limit: number): Promise<ErasedSlice[]> {
      return db.all<ErasedSlice>(sql`
        SELECT id AS "userId", erased_to AS "from" FROM users
        WHERE deleted_at IS NOT NULL AND erased_at IS NULL
        ORDER BY deleted_at
        LIMIT ${limit}`);
    },

    /**
     * Erases the texts of the next ERASED_CALLS_PER_SLICE calls, and their salts in the log. Calls of the same
     * millisecond are erased together. Also erases as many names from the log.
     * @returns where the next slice starts; null if there are no more calls
     */
    async eraseSlice(slice: ErasedSlice & Deletion): Promise<number | null> {
      const [{ at: last = null } = {}] = await db.all<{ at?: number }>(lastOfSlice(slice));
      await runBatch(db, sliceStatements({ ...slice, last }));
      return last;
    },
  };
}
