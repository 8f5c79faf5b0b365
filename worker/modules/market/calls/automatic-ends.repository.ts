import { and, eq, isNull, not, sql, type SQL } from 'drizzle-orm';
import { calls } from '#schema/tables/calls.ts';
import { unpricedMints } from '#schema/tables/prices.ts';
import type { Database } from '../../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import { hasRow } from '../../../shared/sql.ts';
import { readCall, selectCalls, type CallRow } from './call-queries.repository.ts';

/** `until` is unix ms, inclusive. */
export interface DueParams {
  readonly until: number;
  readonly limit: number;
}

interface DuePage extends DueParams {
  readonly cursor: KeysetCursor | null;
}

export interface UnpricedMint {
  readonly mint: string;
  readonly since: number;
}

export function createAutomaticEndsRepository(db: Database) {
  const readCalls = async (query: SQL) => (await db.all<Record<string, unknown>>(query)).map(readCall);

  return {
    /** Active calls opened at `until` or before, oldest first. */
    listOverdue: ({ until, cursor, limit }: DuePage): Promise<CallRow[]> =>
      readCalls(
        keysetPage({
          select: sql`${selectCalls} WHERE k.ended_at IS NULL AND k.called_at <= ${until}`,
          value: 'k.called_at',
          id: 'k.id',
          order: 'asc',
          cursor,
          limit,
        }),
      ),

    /** Mints that have had no price since `until` or earlier, the longest first. */
    listUnpriced: ({ until, cursor, limit }: DuePage): Promise<UnpricedMint[]> =>
      db.all<UnpricedMint>(
        keysetPage({
          select: sql`SELECT m.mint, m.since FROM unpriced_mints m WHERE m.since <= ${until}`,
          value: 'm.since',
          id: 'm.mint',
          order: 'asc',
          cursor,
          limit,
        }),
      ),

    listActiveOf: ({ callerId, limit }: { callerId: string; limit: number }): Promise<CallRow[]> =>
      readCalls(sql`
        ${selectCalls}
        WHERE k.caller_id = ${callerId} AND k.ended_at IS NULL
        ORDER BY k.called_at
        LIMIT ${limit}`),

    listActiveOfMint: ({ mint, until, limit }: DueParams & { mint: string }): Promise<CallRow[]> =>
      readCalls(sql`
        ${selectCalls}
        WHERE k.ended_at IS NULL AND k.token_mint = ${mint} AND k.called_at <= ${until}
        LIMIT ${limit}`),

    /** Call this when a source prices the mint again. */
    async forgetUnpriced(mint: string): Promise<void> {
      await db.delete(unpricedMints).where(eq(unpricedMints.mint, mint));
    },

    async forgetUnused(mint: string): Promise<void> {
      const isUsed = hasRow(calls, eq(calls.tokenMint, mint), isNull(calls.endedAt));
      await db.delete(unpricedMints).where(and(eq(unpricedMints.mint, mint), not(isUsed)));
    },
  };
}
