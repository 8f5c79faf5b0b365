import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, text } from 'drizzle-orm/sqlite-core';
import { HOLDINGS_STATES } from '#schema/constants/market.ts';
import type { FoundHoldings } from '#schema/rules/calls/call-holdings.ts';
import { callReference } from './calls.ts';
import { isSet, timestamp } from './columns.ts';
import { erase, keep, table } from './table.ts';

/**
 * The movements of a call's token in its caller's wallets. Each call has one row, which is due again at the call's
 * end and a day later. A trigger refuses changes after the last reading.
 */
export const callHoldings = table(
  'call_holdings',
  {
    callId: keep(callReference('call_id')),
    /** JSON of the wallets proven before the call or its end, also removed ones. Emptied after the last reading. */
    wallets: erase(text('wallets').notNull()),
    /** Time of the call, its end, or a day later while the chain has to be read; later for a retry. Null otherwise. */
    dueAt: keep(timestamp('due_at')),
    tries: keep(integer('tries').notNull().default(0)),
    readUntil: keep(timestamp('read_until')),
    state: keep(text('state', { enum: HOLDINGS_STATES })),
    /** JSON of `FoundHoldings`. Null unless transactions were read. */
    found: keep(text('found', { mode: 'json' }).$type<FoundHoldings>()),
  },
  { of: 'callId', erasedByHand: true, withoutRowid: true, never: 'deleted' },
  (table) => [
    primaryKey({ columns: [table.callId] }),
    index('call_holdings_due').on(table.dueAt).where(isSet(table.dueAt)),
    check('call_holdings_read', sql`(${table.readUntil} IS NULL) = (${table.state} IS NULL)`),
    check(
      'call_holdings_found',
      sql`(${table.found} IS NOT NULL) = (${table.state} IN ('complete', 'partial'))`,
    ),
  ],
);
