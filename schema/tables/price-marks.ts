import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { callReference } from './calls.ts';
import { timestamp, price } from './columns.ts';
import { userReference } from './users.ts';

/**
 * The price of a call's token some minutes after the call was made ('open') and after it ended, for follower
 * returns. A mark is never changed or deleted. The tables of this file are WITHOUT ROWID, so an insert counts
 * as one written row.
 */
export const priceMarks = sqliteTable(
  'price_marks',
  {
    callId: callReference('call_id'),
    side: text('side', { enum: ['open', 'end'] }).notNull(),
    delayMinutes: integer('delay_minutes').notNull(),
    price: price('price').notNull(),
    /** Liquidity of all pools that the source counts. Null if the source doesn't report it. */
    liquidityUsd: real('liquidity_usd'),
    source: text('source').notNull(),
    /** The time when the source saw the price. */
    seenAt: timestamp('seen_at').notNull(),
    /** The price's age when it was recorded, in ms. */
    ageMs: integer('age_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.callId, table.side, table.delayMinutes] })],
);

/**
 * The follower return of each ended ranked call, as the statistics count it. A trigger on `price_marks`
 * inserts it. `callers.followerMiddle…` has the median row of each caller.
 */
export const followerReturns = sqliteTable(
  'follower_returns',
  {
    callerId: userReference('caller_id'),
    /** The return in millionths of the stake. */
    returnPpm: integer('return_ppm').notNull(),
    callId: callReference('call_id'),
  },
  (table) => [primaryKey({ columns: [table.callerId, table.returnPpm, table.callId] })],
);
