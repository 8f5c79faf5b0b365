import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { HOLDINGS_STATES } from '#schema/constants/market.ts';
import { callReference } from './calls.ts';
import { isSet, timestamp } from './columns.ts';

/**
 * The movements of a call's token in its caller's wallets. Each call has one row, which is due again at the call's
 * end and a day later. A trigger refuses changes after the last reading.
 */
export const callHoldings = sqliteTable(
  'call_holdings',
  {
    callId: callReference('call_id').primaryKey(),
    /** JSON of the wallets proven before the call or its end, also removed ones. Emptied after the last reading. */
    wallets: text('wallets').notNull(),
    /** Time of the call, its end, or a day later while the chain has to be read; later for a retry. Null otherwise. */
    dueAt: timestamp('due_at'),
    tries: integer('tries').notNull().default(0),
    /** The chain was read up to this time. */
    readUntil: timestamp('read_until'),
    state: text('state', { enum: HOLDINGS_STATES }),
    /** JSON of `FoundHoldings`. Null unless transactions were read. */
    found: text('found'),
  },
  (table) => [
    index('call_holdings_due').on(table.dueAt).where(isSet(table.dueAt)),
    check('call_holdings_read', sql`(${table.readUntil} IS NULL) = (${table.state} IS NULL)`),
    check(
      'call_holdings_found',
      sql`(${table.found} IS NOT NULL) = (${table.state} IN ('complete', 'partial'))`,
    ),
  ],
);
