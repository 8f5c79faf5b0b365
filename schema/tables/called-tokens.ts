import { sql } from 'drizzle-orm';
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { callReference } from './calls.ts';

/**
 * The tokens with an ended call, so that searches needn't read calls. The first end of a call adds the row.
 */
export const calledTokens = sqliteTable(
  'called_tokens',
  {
    mint: text('mint').primaryKey(),
    symbol: text('symbol').notNull(),
    name: text('name').notNull(),
    /** The token's call that ended first. */
    callId: callReference('call_id'),
  },
  (table) => [
    index('called_tokens_by_symbol').on(sql`${table.symbol} COLLATE NOCASE`),
    index('called_tokens_by_name').on(sql`${table.name} COLLATE NOCASE`),
  ],
);
