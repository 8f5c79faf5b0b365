import { index, integer, text } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { keep, table } from './table.ts';
import { userReference } from './users.ts';

/** All changes of payout wallets. A trigger refuses a change that isn't recorded here. */
export const payoutChanges = table(
  'payout_changes',
  {
    seq: keep(integer('seq').primaryKey({ autoIncrement: true })),
    callerId: keep(userReference('caller_id')),
    oldAddress: keep(text('old_address')),
    newAddress: keep(text('new_address')),
    at: keep(timestamp('at').notNull()),
  },
  { of: 'callerId', pagedBy: ['at'], never: 'changed' },
  (table) => [index('payout_changes_caller').on(table.callerId, table.at)],
);
