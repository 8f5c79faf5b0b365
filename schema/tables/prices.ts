import { sql } from 'drizzle-orm';
import { text, integer, index, primaryKey } from 'drizzle-orm/sqlite-core';
import { SHARD_SQL } from '#schema/rules/prices/price-shards.ts';
import { timestamp, price } from './columns.ts';
import { table } from './table.ts';

/**
 * Mints with an active call, whose prices are refreshed. The batches that open and end calls update them, so that the price refresh needn't read the calls.
 */
export const activeMints = table(
  'active_mints',
  {
    mint: text('mint').primaryKey(),
    shard: integer('shard').notNull().generatedAlwaysAs(sql.raw(SHARD_SQL), { mode: 'virtual' }),
  },
  {
    withheld: 'Tokens of active calls, of all callers together.',
    notBackedUp: 'follows from the active calls',
  },
  (table) => [index('active_mints_by_shard').on(table.shard, table.mint)],
);

/**
 * Prices of active calls' mints over time, for charts. A job thins out older ones. The table is WITHOUT
 * ROWID, so an insert writes two rows: one here and one in the index.
 */
export const priceCloses = table(
  'price_closes',
  {
    mint: text('mint').notNull(),
    at: timestamp('at').notNull(),
    price: price('price').notNull(),
  },
  { withheld: 'Prices of tokens over time.', withoutRowid: true },
  (table) => [primaryKey({ columns: [table.mint, table.at] }), index('price_closes_by_time').on(table.at)],
);

/** Mints of active calls that no source prices. The cron deletes old rows whose mint has no active call. */
export const unpricedMints = table(
  'unpriced_mints',
  {
    mint: text('mint').primaryKey(),
    /** Time of the last price that a source saw, or of the cron's first refresh without a price. */
    since: timestamp('since').notNull(),
  },
  { withheld: 'Tokens without a price.' },
  (table) => [index('unpriced_mints_by_time').on(table.since, table.mint)],
);

/** Mints that seem to have reached a level of an active call, until two sources have confirmed it. */
export const levelChecks = table(
  'level_checks',
  {
    mint: text('mint').primaryKey(),
    /** Times at which a refresh first and last saw a level reached. */
    since: timestamp('since').notNull(),
    seenAt: timestamp('seen_at').notNull(),
    dueAt: timestamp('due_at').notNull(),
  },
  { withheld: 'Tokens whose price is being checked.', notBackedUp: 'prices are seen again within minutes' },
  (table) => [
    index('level_checks_due').on(table.dueAt, table.mint),
    index('level_checks_seen').on(table.seenAt),
  ],
);

/**
 * The times of each KV shard's last refresh and last write. A shard is written only if a price changed. KV
 * may serve an older version for a minute. `refreshedAt` applies only to the version that was written at
 * `writtenAt`.
 */
export const priceShards = table(
  'price_shards',
  {
    shard: integer('shard').primaryKey(),
    refreshedAt: timestamp('refreshed_at').notNull(),
    writtenAt: timestamp('written_at').notNull().default(0),
  },
  { withheld: 'Times at which prices were refreshed.', notBackedUp: 'belongs to the prices in KV' },
);
