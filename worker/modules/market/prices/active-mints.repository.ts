import { asc, eq, gte } from 'drizzle-orm';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { PRICE_SHARDS } from '#schema/constants/prices.ts';
import { shardOf } from '#schema/rules/prices/price-shards.ts';
import { activeMints } from '#schema/tables/prices.ts';
import type { Database } from '../../../shared/database.ts';

export interface ActiveMintsQuery {
  readonly fromShard: number;
  /** If there are more mints, the last shards are left out. The first shard is always returned whole. */
  readonly limit: number;
}

export type ActiveMintsRepository = ReturnType<typeof createActiveMintsRepository>;

/** The mints with an active call, and those whose last call has just ended. */
export function createActiveMintsRepository(db: Database) {
  const { mint, shard } = activeMints;
  const partOf = (rows: readonly { mint: string }[], nextShard: number | null) => ({
    mints: rows.map((row) => row.mint),
    nextShard,
  });
  return {
    /** Reads about `limit` rows, however many mints there are. */
    async list({ fromShard, limit }: ActiveMintsQuery) {
      const rows = await db
        .select({ mint, shard })
        .from(activeMints)
        .where(gte(shard, fromShard))
        .orderBy(asc(shard), asc(mint))
        .limit(limit + 1);
      const last = rows.at(-1)?.shard ?? null;
      if (rows.length <= limit || last === null) return partOf(rows, null);
      const whole = rows.filter((row) => row.shard !== last);
      if (whole.length > 0) return partOf(whole, last);
      const large = await db.select({ mint }).from(activeMints).where(eq(shard, last)).orderBy(asc(mint));
      return partOf(large, last + 1 < PRICE_SHARDS ? last + 1 : null);
    },
  };
}

/** Adds SOL to the part that has its shard, as if SOL always had an active call. */
export function createMintsWithSol({ list }: ActiveMintsRepository) {
  const solShard = shardOf(WRAPPED_SOL_MINT);
  return {
    async list(query: ActiveMintsQuery) {
      const part = await list(query);
      const { mints, nextShard } = part;
      const hasItsShard = query.fromShard <= solShard && (nextShard === null || solShard < nextShard);
      if (!hasItsShard) return part;
      return {
        mints: [...new Set([...mints, WRAPPED_SOL_MINT])],
        nextShard,
      };
    },
  };
}
