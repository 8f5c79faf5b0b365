import { sql } from 'drizzle-orm';
import { check, index, primaryKey, sqliteView, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { FREE_TO_PAID_GRACE_MS } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { flag, isSet, isUnset, lamports, timestamp } from './columns.ts';
import { payments } from './payments.ts';
import { keep, table } from './table.ts';
import { userReference } from './users.ts';

/**
 * Subscribers' periods with callers. Paid periods have an end, belong to one payment each and never overlap. A
 * free period has no end until its caller starts to charge. The times are as written; the view `periods` adds the
 * caller's later silent days.
 */
export const subscriptions = table(
  'subscriptions',
  {
    id: keep(text('id').primaryKey()),
    subscriberId: keep(userReference('subscriber_id')),
    callerId: keep(userReference('caller_id')),
    paymentId: keep(text('payment_id').references(() => payments.id)),
    startsAt: keep(timestamp('starts_at').notNull()),
    endsAt: keep(timestamp('ends_at')),
    /** The caller's silent days from this time on move the period. Null for periods that they never move. */
    movesFrom: keep(timestamp('moves_from')),
    /** The end with silent days, as the cron last saw it. Null while that is `endsAt`. */
    extendedTo: keep(timestamp('extended_to')),
    knownEnd: keep(
      timestamp('known_end').generatedAlwaysAs(sql.raw('COALESCE(extended_to, ends_at)'), {
        mode: 'virtual',
      }),
    ),
    /** The cron sets `expired` some time after `endsAt`, so reads must also check the dates. */
    status: keep(text('status', { enum: ['active', 'expired'] }).notNull()),
    createdAt: keep(timestamp('created_at').notNull()),
    /** The time when the period's payment was finalized. Until then a fork can still remove it. */
    finalizedAt: keep(timestamp('finalized_at')),
    /** The period counts in the caller's Subscribers (COUNTED_PERIOD). False once it's refunded. */
    isCounted: keep(flag('is_counted').notNull().default(false)),
  },
  {
    of: 'subscriberId',
    alsoOf: { section: 'subscriptions_to_you', column: 'callerId', pagedBy: ['createdAt', 'id'] },
  },
  (table) => [
    uniqueIndex('subscriptions_payment').on(table.paymentId),
    uniqueIndex('subscriptions_one_open_grant')
      .on(table.subscriberId, table.callerId)
      .where(isUnset(table.endsAt)),
    index('subscriptions_pair').on(table.subscriberId, table.callerId, table.startsAt),
    index('subscriptions_paid_until')
      .on(table.callerId, table.status, table.endsAt)
      .where(sql`payment_id IS NOT NULL AND status = 'active'`),
    index('subscriptions_paid_ends')
      .on(table.callerId, table.knownEnd, table.id)
      .where(isSet(table.paymentId)),
    index('subscriptions_unfinalized')
      .on(table.createdAt, table.id)
      .where(sql`payment_id IS NOT NULL AND finalized_at IS NULL`),
    index('subscriptions_caller').on(table.callerId, table.status, table.subscriberId, table.isCounted),
    index('subscriptions_newest').on(table.callerId, table.createdAt, table.id),
    // Includes the id, because all followers of a caller who begins to charge have the same end.
    index('subscriptions_lapsing')
      .on(table.knownEnd, table.id)
      .where(sql`status = 'active'`),
    check('subscriptions_paid_ends', sql`${table.paymentId} IS NULL OR ${table.endsAt} IS NOT NULL`),
    check('subscriptions_forward', sql`${table.endsAt} IS NULL OR ${table.endsAt} > ${table.startsAt}`),
    check('subscriptions_not_self', sql`${table.subscriberId} <> ${table.callerId}`),
  ],
);

/**
 * Changes between Free and Paid that not all of the caller's subscriptions have yet. A row is deleted once they have
 * (`fee-changes.repository.ts`).
 */
export const feeChanges = table(
  'fee_changes',
  {
    callerId: keep(userReference('caller_id').primaryKey()),
    /** The time of the first change to Free. Null without one. */
    freedAt: keep(timestamp('freed_at')),
    lastFreedAt: keep(timestamp('last_freed_at')),
    /** The time of the last change. Null if it was to Free. */
    chargedAt: keep(timestamp('charged_at')),
    /** The slice of subscribers that is being changed, or was changed last: after the first id, up to the second. */
    afterId: keep(text('after_id').notNull().default('')),
    untilId: keep(text('until_id').notNull().default('')),
  },
  { of: 'callerId' },
);

/** Fees that callers charged before the present one. The calculator uses them. */
export const pastFees = table(
  'past_fees',
  {
    callerId: keep(userReference('caller_id')),
    /** The midnight (UTC) up to which the fee was in force, from that of the row before. */
    until: keep(timestamp('until').notNull()),
    /** On days with several fees, the highest one. */
    feeLamports: keep(lamports('fee_lamports').notNull()),
  },
  { of: 'callerId' },
  (table) => [primaryKey({ columns: [table.callerId, table.until] })],
);

/** The end of an open-ended period whose caller has begun to charge. NULL if the caller hasn't. */
const openEnd = sql.raw(`(
      SELECT charged_at + ${FREE_TO_PAID_GRACE_MS} FROM fee_changes WHERE caller_id = s.caller_id)`);

const daysBefore = sql.raw(`COALESCE((
      SELECT number FROM silent_days WHERE caller_id = s.caller_id AND at < s.moves_from ORDER BY at DESC LIMIT 1), 0)`);

/** The SQL of `movedTime`. It reads one row per lookup, however many days the caller has. */
const moved = (time: 'starts_at' | 'ends_at') =>
  sql.raw(`CASE WHEN s.${time} > s.moves_from THEN s.${time} + ${DAY_MS} * MAX(0, COALESCE((
      SELECT number FROM silent_days
      WHERE caller_id = s.caller_id AND (at - number * ${DAY_MS}) < s.${time} - (s.days_before + 1) * ${DAY_MS}
      ORDER BY (at - number * ${DAY_MS}) DESC, number DESC
      LIMIT 1), 0) - s.days_before) ELSE s.${time} END`);

/**
 * The periods of `subscriptions`, moved by the silent days since they were written. Open-ended periods have an end here
 * if their caller has begun to charge.
 */
export const periods = sqliteView('periods', {
  id: text('id').notNull(),
  subscriberId: text('subscriber_id').notNull(),
  callerId: text('caller_id').notNull(),
  paymentId: text('payment_id'),
  startsAt: timestamp('starts_at').notNull(),
  endsAt: timestamp('ends_at'),
  status: text('status', { enum: ['active', 'expired'] }).notNull(),
  createdAt: timestamp('created_at').notNull(),
  movesFrom: timestamp('moves_from'),
  isCounted: flag('is_counted').notNull(),
  /** The end in `subscriptions`. Null for an open-ended period. */
  writtenEnd: timestamp('written_end'),
  knownEnd: timestamp('known_end'),
}).as(sql`
  SELECT s.id, s.subscriber_id, s.caller_id, s.payment_id, s.status, s.created_at, s.moves_from, s.is_counted,
    s.known_end, s.ends_at AS written_end,
    ${moved('starts_at')} AS starts_at,
    CASE WHEN s.ends_at IS NULL THEN ${openEnd} ELSE ${moved('ends_at')} END AS ends_at
  FROM (SELECT *, ${daysBefore} AS days_before FROM subscriptions s) s`);
