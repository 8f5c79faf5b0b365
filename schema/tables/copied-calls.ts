import { integer, primaryKey, text } from 'drizzle-orm/sqlite-core';
import type { PackedCall } from '#schema/rules/calls/packed-calls.ts';
import { timestamp } from './columns.ts';
import { table } from './table.ts';
import { userReference } from './users.ts';

/**
 * Each row has up to 50 recorded ranked calls of a caller, so that the calculator reads few rows. The trigger `calls_copied`
 * adds each call when its result is recorded, and deletes rows that the calculator no longer needs.
 */
export const copiedCalls = table(
  'copied_calls',
  {
    callerId: userReference('caller_id'),
    number: integer('number').notNull(),
    /** The newest end. */
    endedAt: timestamp('ended_at').notNull(),
    calls: text('calls', { mode: 'json' }).$type<readonly PackedCall[]>().notNull(),
  },
  { withheld: 'Copies of ended calls and their prices.' },
  (table) => [primaryKey({ columns: [table.callerId, table.number] })],
);
