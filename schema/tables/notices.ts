import { index, integer, primaryKey, text } from 'drizzle-orm/sqlite-core';
import { sql } from 'drizzle-orm';
import { timestamp } from './columns.ts';
import { erase, keep, table } from './table.ts';
import { userReference } from './users.ts';

/** Reminders that were sent or skipped. After a renewal, the new end gets its own reminders. */
export const renewalNotices = table(
  'renewal_notices',
  {
    subscriberId: erase(userReference('subscriber_id')),
    callerId: erase(userReference('caller_id')),
    endsAt: erase(timestamp('ends_at').notNull()),
    /** Days before the end (`RENEWAL_REMINDER_DAYS`). */
    days: erase(integer('days').notNull()),
    at: erase(timestamp('at').notNull()),
  },
  { of: 'subscriberId' },
  (table) => [primaryKey({ columns: [table.subscriberId, table.callerId, table.endsAt, table.days] })],
);

/** All changes of payout wallets. A trigger refuses a change that isn't recorded here. Only `queuedAt` is updated. */
export const payoutChanges = table(
  'payout_changes',
  {
    seq: keep(integer('seq').primaryKey({ autoIncrement: true })),
    callerId: keep(userReference('caller_id')),
    oldAddress: keep(text('old_address')),
    newAddress: keep(text('new_address')),
    at: keep(timestamp('at').notNull()),
    queuedAt: keep(timestamp('queued_at')),
  },
  { of: 'callerId', pagedBy: ['at'], never: 'deleted' },
  (table) => [
    index('payout_changes_caller').on(table.callerId, table.at),
    index('payout_changes_unsent')
      .on(table.at)
      .where(sql`queued_at IS NULL`),
  ],
);
