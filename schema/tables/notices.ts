import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { sql } from 'drizzle-orm';
import { timestamp } from './columns.ts';
import { userReference } from './users.ts';

/** Reminders that were sent or skipped. After a renewal, the new end gets its own. */
export const renewalNotices = sqliteTable(
  'renewal_notices',
  {
    subscriberId: userReference('subscriber_id'),
    callerId: userReference('caller_id'),
    endsAt: timestamp('ends_at').notNull(),
    /** Days before the end (`RENEWAL_REMINDER_DAYS`). */
    days: integer('days').notNull(),
    at: timestamp('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.subscriberId, table.callerId, table.endsAt, table.days] })],
);

/** All changes of payout wallets. A trigger refuses a change that isn't recorded here. Only `queuedAt` is updated. */
export const payoutChanges = sqliteTable(
  'payout_changes',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    callerId: userReference('caller_id'),
    oldAddress: text('old_address'),
    newAddress: text('new_address'),
    at: timestamp('at').notNull(),
    /** The time when the sender accepted the notice. */
    queuedAt: timestamp('queued_at'),
  },
  (table) => [
    index('payout_changes_caller').on(table.callerId, table.at),
    index('payout_changes_unsent')
      .on(table.at)
      .where(sql`queued_at IS NULL`),
  ],
);
