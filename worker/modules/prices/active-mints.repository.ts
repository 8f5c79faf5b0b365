import { asc, eq, gte } from 'drizzle-orm';
import { PRICE_SHARDS, WRAPPED_SOL_MINT } from '#schema/constants.ts';
import { shardOf } from '#schema/rules/price-shards.ts';
import { activeMints } from '#schema/tables/prices.ts';
import type { Database } from '../../shared/database.ts';

export interface ActiveMintsQuery {
  /** Mints of this shard and of the following ones. */
  readonly fromShard: number;
  /** If there are more mints, the last shards are left out. The first shard is always returned whole. */
  readonly limit: number;
}

/** Mints of whole shards, in the order of the shards. */
export interface ActiveMintsPart {
  readonly mints: readonly string[];
  /** The first shard that isn't in this part. Null if this part has all the others. */
  readonly nextShard: number | null;
}

export type ActiveMintsRepository = ReturnType<typeof createActiveMintsRepository>;

/** The mints that have an active call. Triggers on `calls` keep the table. */
export function createActiveMintsRepository(db: Database) {
  const { mint, shard } = activeMints;
  return {
    /** Reads about `limit` rows, however many mints there are. */
    async list({ fromShard, limit }: ActiveMintsQuery): Promise<ActiveMintsPart> {
      const rows = await db
        .select({ mint, shard })
        .from(activeMints)
        .where(gte(shard, fromShard))
        .orderBy(asc(shard), asc(mint))
        .limit(limit + 1);
      const last = rows.at(-1)?.shard ?? null;
      if (rows.length <= limit || last === null) {
        return { mints: rows.map((row) => row.mint), nextShard: null };
      }
      const whole = rows.filter((row) => row.shard !== last);
      if (whole.length > 0) return { mints: whole.map((row) => row.mint), nextShard: last };
      const large = await db.select({ mint }).from(activeMints).where(eq(shard, last)).orderBy(asc(mint));
      const nextShard = last + 1 < PRICE_SHARDS ? last + 1 : null;
      return { mints: large.map((row) => row.mint), nextShard };
    },
  };
}

/** Adds SOL to the part that has its shard, as if SOL always had an active call. */
export function createMintsWithSol({ list }: Pick<ActiveMintsRepository, 'list'>) {
  const solShard = shardOf(WRAPPED_SOL_MINT);
  return {
    async list(query: ActiveMintsQuery): Promise<ActiveMintsPart> {
      const { mints, nextShard } = await list(query);
      const hasItsShard = query.fromShard <= solShard && (nextShard === null || solShard < nextShard);
      return { mints: hasItsShard ? [...new Set([...mints, WRAPPED_SOL_MINT])] : mints, nextShard };
    },
  };
}
