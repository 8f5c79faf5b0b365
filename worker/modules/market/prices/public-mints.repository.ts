import { sql } from 'drizzle-orm';
import type { Database } from '../../../shared/database.ts';

export type PublicMintsRepository = ReturnType<typeof createPublicMintsRepository>;

export function createPublicMintsRepository(db: Database) {
  return {
    /**
     * Returns the mints that have an ended call. Everybody may see ended calls, so these mints are public.
     * Reads one row per mint.
     */
    async filter(mints: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await db.all<{ mint: string }>(sql`
        SELECT value AS mint
        FROM json_each(${JSON.stringify(mints)})
        WHERE EXISTS (SELECT 1 FROM calls WHERE token_mint = value AND ended_at IS NOT NULL)`);
      return new Set(rows.map(({ mint }) => mint));
    },
  };
}
