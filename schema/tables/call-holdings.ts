import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { HOLDINGS_STATES } from '#schema/constants.ts';
import { callReference } from './calls.ts';
import { isSet, timestamp } from './columns.ts';

/**
 * Readings of a call's token in its caller's wallets: held and sold amounts. Each call gets a row, which is due
 * again at the call's end. A trigger refuses to change the reading of the end.
 */
export const callHoldings = sqliteTable(
  'call_holdings',
  {
    callId: callReference('call_id').primaryKey(),
    /** JSON of the wallets proven by the call or its end, even if removed since. Emptied after the last reading. */
    wallets: text('wallets').notNull(),
    /** When the call was made or has ended, if the chain is still to be read. Retries are later. */
    dueAt: timestamp('due_at'),
    tries: integer('tries').notNull().default(0),
    covers: text('covers', { enum: ['opening', 'end'] }),
    state: text('state', { enum: HOLDINGS_STATES }),
    /** JSON of `FoundHoldings`, with amounts as strings. Null unless complete. */
    found: text('found'),
  },
  (table) => [
    index('call_holdings_due').on(table.dueAt).where(isSet(table.dueAt)),
    check('call_holdings_read', sql`(${table.covers} IS NULL) = (${table.state} IS NULL)`),
    check('call_holdings_found', sql`(${table.found} IS NOT NULL) = (${table.state} IS 'complete')`),
  ],
);
