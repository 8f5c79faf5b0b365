import { sql } from 'drizzle-orm';
import { check, index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { isSet, isUnset, timestamp } from './columns.ts';
import { payments } from './payments.ts';
import { userReference } from './users.ts';

/**
 * Subscribers' periods with callers. Paid periods have an end, belong to one payment each and never overlap.
 * A free period has no end until its caller starts to charge.
 */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    id: text('id').primaryKey(),
    subscriberId: userReference('subscriber_id'),
    callerId: userReference('caller_id'),
    paymentId: text('payment_id').references(() => payments.id),
    startsAt: timestamp('starts_at').notNull(),
    endsAt: timestamp('ends_at'),
    /** The cron sets `expired` some time after `endsAt`, so reads must also check the dates. */
    status: text('status', { enum: ['active', 'expired'] }).notNull(),
    createdAt: timestamp('created_at').notNull(),
    /** The time when the period's payment was finalized. Until then a fork can still remove it. */
    finalizedAt: timestamp('finalized_at'),
  },
  (table) => [
    uniqueIndex('subscriptions_payment').on(table.paymentId),
    uniqueIndex('subscriptions_one_open_grant')
      .on(table.subscriberId, table.callerId)
      .where(isUnset(table.endsAt)),
    index('subscriptions_pair').on(table.subscriberId, table.callerId, table.startsAt),
    index('subscriptions_paid_until').on(table.callerId, table.endsAt).where(isSet(table.paymentId)),
    index('subscriptions_unfinalized')
      .on(table.createdAt, table.id)
      .where(sql`payment_id IS NOT NULL AND finalized_at IS NULL`),
    index('subscriptions_caller').on(table.callerId, table.status, table.subscriberId),
    index('subscriptions_newest').on(table.callerId, table.createdAt, table.id),
    index('subscriptions_lapsing')
      .on(table.endsAt)
      .where(sql`status = 'active'`),
    check('subscriptions_paid_ends', sql`${table.paymentId} IS NULL OR ${table.endsAt} IS NOT NULL`),
    check('subscriptions_forward', sql`${table.endsAt} IS NULL OR ${table.endsAt} > ${table.startsAt}`),
    check('subscriptions_not_self', sql`${table.subscriberId} <> ${table.callerId}`),
  ],
);
