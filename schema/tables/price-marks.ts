import { sql } from 'drizzle-orm';
import { check, primaryKey, real, text } from 'drizzle-orm/sqlite-core';
import { callReference } from './calls.ts';
import { timestamp, price } from './columns.ts';
import { table } from './table.ts';

/**
 * The price of a call's token one minute after the call was made ('open') and one minute after it ended, for
 * follower results. A recorded price is never changed or deleted. Without a row, the cron asked no source that
 * minute, or no source had a price for SOL either. The table is WITHOUT ROWID, so an insert counts as one
 * written row.
 */
export const priceMarks = table(
  'price_marks',
  {
    callId: callReference('call_id'),
    side: text('side', { enum: ['open', 'end'] }).notNull(),
    /** Null if no source had a price for the token, while one had a price for SOL. */
    price: price('price'),
    /** Liquidity of all pools that the source counts. Null if the source doesn't report it. */
    liquidityUsd: real('liquidity_usd'),
    solPriceUsd: price('sol_price_usd'),
    source: text('source'),
    seenAt: timestamp('seen_at').notNull(),
  },
  {
    withheld: 'The prices of tokens after calls were made and ended. Each call page shows them.',
    withoutRowid: true,
    never: 'deleted',
  },
  (table) => [
    primaryKey({ columns: [table.callId, table.side] }),
    check(
      'price_marks_seen',
      sql`(${table.price} IS NULL) = (${table.source} IS NULL) AND (${table.price} IS NOT NULL OR ${table.solPriceUsd} IS NOT NULL)`,
    ),
  ],
);
