import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey } from 'drizzle-orm/sqlite-core';
import { MAX_CALCULATOR_STAKE_USD } from '#schema/constants/market.ts';
import { timestamp } from './columns.ts';
import { erase, table } from './table.ts';
import { accountReference, userReference } from './users.ts';

export const paperFollows = table(
  'paper_follows',
  {
    userId: erase(accountReference('user_id')),
    callerId: erase(userReference('caller_id')),
    /** Whole USD for each call. Null: the user only watches the caller. */
    amountUsd: erase(integer('amount_usd')),
    since: erase(timestamp('since').notNull()),
  },
  { of: 'userId' },
  (table) => [
    primaryKey({ columns: [table.userId, table.callerId] }),
    index('paper_follows_caller').on(table.callerId, table.userId),
    check('paper_follows_amount', sql.raw(`amount_usd BETWEEN 1 AND ${MAX_CALCULATOR_STAKE_USD}`)),
  ],
);
