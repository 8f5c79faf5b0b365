import { sql } from 'drizzle-orm';
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { callReference } from './calls.ts';

/** Each token with an ended call. It is added with its first end, so that searches needn't read calls. */
export const calledTokens = sqliteTable(
  'called_tokens',
  {
    mint: text('mint').primaryKey(),
    symbol: text('symbol').notNull(),
    name: text('name').notNull(),
    /** The call that ended first. */
    callId: callReference('call_id'),
  },
  (table) => [
    index('called_tokens_by_symbol').on(sql`${table.symbol} COLLATE NOCASE`),
    index('called_tokens_by_name').on(sql`${table.name} COLLATE NOCASE`),
  ],
);
