import { sql } from 'drizzle-orm';
import { index, integer, text } from 'drizzle-orm/sqlite-core';
import { callReference } from './calls.ts';
import { isSet, timestamp } from './columns.ts';
import { table } from './table.ts';

/** The tokens with an ended call, added by its first end, so that searches needn't read calls. */
export const calledTokens = table(
  'called_tokens',
  {
    mint: text('mint').primaryKey(),
    symbol: text('symbol').notNull(),
    name: text('name').notNull(),
    callId: callReference('call_id'),
    /** JSON of a `ShownPrice`. */
    shownPrice: text('shown_price'),
    /** When the price sources were last asked for the price. */
    askedAt: timestamp('asked_at').notNull().default(0),
    /** The place in the queue for the next request to the sources. The lowest rank is next. */
    queueRank: integer('queue_rank'),
  },
  { withheld: 'Tokens with ended calls, of all callers together.' },
  (table) => [
    index('called_tokens_by_symbol').on(sql`${table.symbol} COLLATE NOCASE`),
    index('called_tokens_by_name').on(sql`${table.name} COLLATE NOCASE`),
    index('called_tokens_queue').on(table.queueRank, table.askedAt).where(isSet(table.queueRank)),
  ],
);
