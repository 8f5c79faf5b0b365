import { sql, type SQL } from 'drizzle-orm';
import { LOG_ANCHOR_MAX_MS, LOG_ANCHOR_MS, LOG_UNANCHORED_MS } from '#schema/constants/log.ts';
import {
  CALL_AUTO_END_MS,
  FOLLOWER_RECORD_DELAY_MS,
  HOLDINGS_DELAY_MS,
  LEVEL_SIGHTING_MS,
  MARK_DELAY_MS,
  MARK_WINDOW_MS,
  UNPRICED_END_MS,
} from '#schema/constants/market.ts';
import { CHAT_CHECK_MS } from '#schema/constants/messages.ts';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { DEVICE_REMEMBERED_MS } from '#schema/constants/people.ts';
import { CLOSE_INTERVAL_MS } from '#schema/constants/prices.ts';
import { BACKUP_AFTER_MS } from '#schema/constants/running.ts';
import { DAY_MS, HOUR_MS } from '#schema/constants/time.ts';
import { shardOf } from '#schema/rules/prices/price-shards.ts';
import { toDay } from '#schema/rules/text/utc-day.ts';
import { part } from '../../../shared/sql.ts';
import { THINNINGS, type Thinning } from '../../market/prices/price-closes.repository.ts';

export type JobName = keyof ReturnType<typeof dueTimes>;

/**
 * SQL for each job: the time (unix ms) at which its oldest work became due, or will become due; NULL without work. A job
 * with null instead of SQL runs every minute, because its work isn't only in the database. Every query reads the first
 * rows of an index.
 */
export const dueTimes = (now: number) => ({
  ...paymentTimes(now),
  ...subscriptionTimes(now),
  ...callTimes(now),
  ...otherTimes(now),
});

function paymentTimes(now: number) {
  const midnight = now - (now % DAY_MS);
  const today = toDay(now);
  return {
    // Unreadable payments are due again since their last read.
    'payments.reconcile': earliest(
      sql`(
        SELECT MIN(created_at) FROM payment_broadcasts
        WHERE dead_at IS NULL AND landed_at IS NULL AND unreadable_at IS NULL)`,
      sql`(
        SELECT MIN(unreadable_at) FROM payment_broadcasts
        WHERE unreadable_at IS NOT NULL AND dead_at IS NULL AND landed_at IS NULL)`,
    ),
    'payments.walk': null,
    'payments.search': sql`(SELECT ${now} FROM payment_intents WHERE search_turn IS NOT NULL LIMIT 1)`,
    'payments.settle': sql`(
      SELECT MIN(created_at) FROM subscriptions WHERE payment_id IS NOT NULL AND finalized_at IS NULL)`,
    'payments.rebroadcast': sql`(
      SELECT next_send_at FROM payment_broadcasts
      WHERE next_send_at IS NOT NULL AND dead_at IS NULL
      ORDER BY next_send_at
      LIMIT 1)`,
    'payments.refunds': sql`(SELECT MIN(next_search_at) FROM refunds WHERE next_search_at IS NOT NULL)`,
    'payments.check': sql`(
      SELECT MAX(${midnight}, COALESCE(${cursorOf('payments.check')} ->> 'retryAt', 0))
      WHERE NOT EXISTS (SELECT 1 FROM ledger_checks WHERE day >= ${today} AND finished_at IS NOT NULL))`,
    'chain.watch': null,
  } as const;
}

function subscriptionTimes(now: number) {
  const midnight = now - (now % DAY_MS);
  const today = toDay(now);
  return {
    'subscriptions.silence': sql`iif(${cursorOf('subscriptions.silence')} = ${`${today} ~`}, NULL, ${midnight})`,
    'subscriptions.fees': sql`(SELECT MIN(COALESCE(charged_at, freed_at)) FROM fee_changes)`,
    'subscriptions.expire': sql`(
      SELECT known_end FROM subscriptions
      WHERE status = 'active' AND known_end <= ${now}
      ORDER BY known_end
      LIMIT 1)`,
    'chats.members': earliest(
      sql`(
        SELECT iif(check_at <= 1, ${now}, check_at) FROM chat_members
        WHERE check_at IS NOT NULL ORDER BY check_at LIMIT 1)`,
      sql`(SELECT ${now} FROM telegram_chats INDEXED BY telegram_chats_recheck WHERE recheck_after IS NOT NULL LIMIT 1)`,
    ),
  } as const;
}

function callTimes(now: number) {
  return {
    'prices.marks': earliest(
      unmarkedSince({ side: 'open', column: 'called_at', index: 'calls_by_opening', now }),
      unmarkedSince({ side: 'end', column: 'ended_at', index: 'calls_recent', now }),
    ),
    'calls.results': sql`(
      SELECT MIN(ended_at) + ${FOLLOWER_RECORD_DELAY_MS} FROM calls INDEXED BY calls_unrecorded
      WHERE ended_at IS NOT NULL AND follower_rule IS NULL)`,
    'calls.end': earliest(
      sql`(SELECT MIN(called_at) + ${CALL_AUTO_END_MS} FROM calls WHERE ended_at IS NULL)`,
      sql`(SELECT MIN(since) + ${UNPRICED_END_MS} FROM unpriced_mints)`,
    ),
    'callers.activity': sql`(SELECT MIN(active_until) FROM callers WHERE is_active = 1)`,
    'calls.late': sql`(
      SELECT iif(
        EXISTS (SELECT 1 FROM log_anchors WHERE dead_at IS NULL AND size >= e.id AND block_time IS NOT NULL),
        e.at,
        e.at + ${LOG_UNANCHORED_MS + 1})
      FROM log_entries e
      WHERE e.id > COALESCE(CAST(${cursorOf('calls.late')} AS INTEGER), 0)
      ORDER BY e.id
      LIMIT 1)`,
    'calls.holdings': sql`(
      SELECT MIN(due_at) + ${HOLDINGS_DELAY_MS} FROM call_holdings WHERE due_at IS NOT NULL)`,
    'calls.levels': earliest(
      sql`(SELECT MIN(due_at) FROM level_checks)`,
      sql`(SELECT MIN(seen_at) + ${LEVEL_SIGHTING_MS} FROM level_checks)`,
    ),
    'prices.refresh': earliest(
      sql`(
        SELECT COALESCE((
          SELECT MIN(refreshed_at) FROM price_shards s
          WHERE EXISTS (SELECT 1 FROM active_mints WHERE shard = s.shard)), ${now})
        WHERE EXISTS (SELECT 1 FROM active_mints))`,
      // SOL's price is always needed. Without active calls, its closing prices are enough.
      sql`COALESCE(
        (SELECT ${boundaryAfter('refreshed_at', CLOSE_INTERVAL_MS)} FROM price_shards
          WHERE shard = ${shardOf(WRAPPED_SOL_MINT)}),
        ${now})`,
    ),
    'closes.thin': earliest(...Object.values(THINNINGS).map(thinningTime)),
  } as const;
}

function otherTimes(now: number) {
  const midnight = now - (now % DAY_MS);
  const today = toDay(now);
  return {
    'messages.write': earliest(
      sql`(SELECT MIN(at) FROM facts WHERE is_reminder = 0)`,
      sql`(SELECT MIN(at) FROM facts WHERE is_reminder = 1)`,
    ),
    'log.sequence': null,
    'log.witness': null,
    'log.anchor': anchorTime,
    'log.archive': sql`iif(${cursorOf('log.archive')} ->> 'day' = ${today}, NULL, ${midnight})`,
    'accounts.delete': sql`(SELECT MIN(deletes_at) FROM callers WHERE deletes_at IS NOT NULL)`,
    'accounts.erase': sql`(
      SELECT deleted_at FROM users WHERE deleted_at IS NOT NULL AND erased_at IS NULL LIMIT 1)`,
    'sessions.purge': earliest(
      sql`(SELECT MIN(expires_at) FROM sessions)`,
      sql`(SELECT MIN(last_sign_in_at) + ${DEVICE_REMEMBERED_MS} FROM devices)`,
    ),
    'chats.check': sql`(SELECT MIN(checked_at) + ${CHAT_CHECK_MS} FROM telegram_chats)`,
    // Rows stay for an hour more, so that a row that is used every few minutes isn't deleted and inserted each time.
    'attempts.purge': sql`(SELECT MIN(full_at) + ${HOUR_MS} FROM attempts)`,
    'sender.resend': sql`(SELECT MIN(resend_at) FROM failed_deliveries WHERE resend_at IS NOT NULL)`,
    'sender.wake': null,
    // A round of the repair begins every day.
    'statistics.repair': sql`iif(${cursorOf('statistics.repair')} = ${`${today} ~`}, NULL, ${midnight})`,
    'backup.export': sql`(
      SELECT iif(c.cursor ->> 'step' <> 'done', c.cursor ->> 'startedAt',
        iif(c.cursor ->> 'day' >= ${today}, NULL, ${midnight + BACKUP_AFTER_MS}))
      FROM (SELECT ${cursorOf('backup.export')} AS cursor) c)`,
  } as const;
}

const cursorOf = (job: string): SQL => part(`(SELECT cursor FROM job_leases WHERE job = '${job}')`);

/** NULL if all are NULL. D1 limits the terms of a UNION to five. */
const earliest = (...times: readonly SQL[]): SQL =>
  sql`(SELECT MIN(value) FROM json_each(json_array(${sql.join([...times], sql`, `)})))`;

/** The next multiple of the interval. D1 binds numbers as REAL, but this must be an integer division. */
const boundaryAfter = (column: string, interval: number): SQL =>
  part(`(${column} / ${interval} + 1) * ${interval}`);

interface Side {
  readonly side: 'open' | 'end';
  readonly column: string;
  readonly index: string;
  readonly now: number;
}

const unmarkedSince = ({ side, column, index, now }: Side): SQL => sql`(
  SELECT ${part(column)} + ${MARK_DELAY_MS} FROM calls k INDEXED BY ${part(index)}
  WHERE ${part(column)} BETWEEN ${now - MARK_DELAY_MS - MARK_WINDOW_MS} AND ${now - MARK_DELAY_MS}
    AND NOT EXISTS (
      SELECT 1 FROM price_marks m WHERE m.call_id = k.id AND m.side = ${side} AND m.price IS NOT NULL)
    ${part(side === 'end' ? 'AND k.follower_rule IS NULL' : '')}
  ORDER BY ${part(column)}
  LIMIT 1)`;

/** An open anchor is due at once, otherwise the next one when its interval is over. */
const anchorTime = earliest(
  sql`(
    SELECT created_at FROM (
      SELECT created_at, finalized_at FROM log_anchors
      WHERE dead_at IS NULL ORDER BY size DESC, created_at DESC LIMIT 1)
    WHERE finalized_at IS NULL)`,
  sql`(
    SELECT ${boundaryAfter('at', LOG_ANCHOR_MS)} FROM log_checkpoints
    WHERE size > COALESCE((
      SELECT size FROM log_anchors WHERE dead_at IS NULL AND finalized_at IS NOT NULL
      ORDER BY size DESC LIMIT 1), 0)
    ORDER BY size
    LIMIT 1)`,
  sql`(
    SELECT ${boundaryAfter('created_at', LOG_ANCHOR_MAX_MS)} FROM log_anchors
    WHERE dead_at IS NULL AND finalized_at IS NOT NULL
    ORDER BY size DESC, created_at DESC
    LIMIT 1)`,
);

const thinningTime = ({ job, intervalMs, afterMs }: Thinning): SQL =>
  sql`(
    SELECT ${afterMs} + ${boundaryAfter('at', intervalMs)} FROM price_closes
    WHERE at >= COALESCE(CAST(${cursorOf(job)} AS INTEGER), 0)
    ORDER BY at
    LIMIT 1)`;
