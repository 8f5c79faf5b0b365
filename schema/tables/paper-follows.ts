import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { MAX_CALCULATOR_STAKE_USD } from '#schema/constants/market.ts';
import { callReference } from './calls.ts';
import { timestamp } from './columns.ts';
import { accountReference, userReference } from './users.ts';

/** Callers whom users follow with an imagined amount per call. */
export const paperFollows = sqliteTable(
  'paper_follows',
  {
    userId: accountReference('user_id'),
    callerId: userReference('caller_id'),
    /** Whole USD for each call. Null: the user only watches the caller. */
    amountUsd: integer('amount_usd'),
    /** Calls made since then count. */
    since: timestamp('since').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.callerId] }),
    index('paper_follows_caller').on(table.callerId, table.userId),
    check('paper_follows_amount', sql.raw(`amount_usd BETWEEN 1 AND ${MAX_CALCULATOR_STAKE_USD}`)),
  ],
);

/** Ended calls whose followers on paper must still be told, in the order of their rowids. */
export const paperNotices = sqliteTable('paper_notices', {
  callId: callReference('call_id').primaryKey(),
  at: timestamp('at').notNull(),
});
