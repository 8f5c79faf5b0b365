import { sql, type SQL } from 'drizzle-orm';
import { FREE_TO_PAID_GRACE_MS } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { isFreeFee } from '#schema/rules/money/lamports.ts';
import { remindOfEnds } from './reminders.repository.ts';
import { runsMoving } from './silent-days.repository.ts';
import { allOf } from '../../../shared/sql.ts';

/**
 * A change between Free and Paid at once changes the subscriptions of this many subscribers. The cron changes the others
 * in slices.
 */
export const FOLLOWERS_PER_SLICE = 200;

/** Greater than every id. */
const LAST_ID = '~';

interface FeeChange {
  readonly now: number;
  readonly callerId: string;
  readonly feeLamports: bigint;
  /** SQL condition: the row of `callers` gets this fee. */
  readonly where: SQL | undefined;
}

/** Notes the past fee, and a change between Free and Paid. Must precede the change of the fee. */
export function noteFeeChange(change: FeeChange): SQL[] {
  const { now, callerId, feeLamports, where } = change;
  const isFree = isFreeFee(feeLamports);
  const [freedAt, chargedAt] = isFree ? [now, null] : [null, now];
  const noteCharge = sql`
    INSERT INTO fee_changes (caller_id, freed_at, last_freed_at, charged_at)
    SELECT caller_id, ${freedAt}, ${freedAt}, ${chargedAt}
    FROM callers
    WHERE caller_id = ${callerId} AND (fee_lamports = 0) <> ${Number(isFree)} AND ${allOf(where)}
    ON CONFLICT (caller_id) DO UPDATE SET
      freed_at = COALESCE(freed_at, excluded.freed_at),
      last_freed_at = COALESCE(excluded.last_freed_at, last_freed_at),
      charged_at = excluded.charged_at,
      until_id = ''`;
  return [notePastFees(change), noteCharge];
}

/**
 * A day's first change ends the fee before it at the last midnight. The day's highest fee counts until the next one:
 * otherwise, a low fee around midnight would be the calculator's, whose periods start then.
 */
function notePastFees({ now, callerId, feeLamports, where }: FeeChange): SQL {
  const midnight = now - (now % DAY_MS);
  const fee = Number(feeLamports);
  return sql`
    INSERT INTO past_fees (caller_id, until, fee_lamports)
    SELECT caller_id, until, MAX(fee_lamports, new_fee)
    FROM callers CROSS JOIN (
      SELECT ${midnight} AS until, 0 AS new_fee UNION ALL SELECT ${midnight + DAY_MS}, ${fee})
    WHERE caller_id = ${callerId} AND fee_lamports <> ${fee} AND ${allOf(where)}
    ON CONFLICT (caller_id, until) DO UPDATE SET fee_lamports = MAX(fee_lamports, excluded.fee_lamports)
      WHERE until > ${midnight}`;
}

export function changeNextSlice(callerId: string, now: number): SQL[] {
  return [
    sql`
      UPDATE fee_changes AS c SET
        after_id = until_id,
        until_id = COALESCE((
          SELECT subscriber_id FROM subscriptions
          WHERE caller_id = c.caller_id AND status = 'active' AND subscriber_id > c.until_id
          ORDER BY subscriber_id
          LIMIT 1 OFFSET ${FOLLOWERS_PER_SLICE - 1}), ${LAST_ID})
      WHERE caller_id = ${callerId}`,
    ...changeSubscriptions(
      sql`c.caller_id = ${callerId} AND p.subscriber_id > c.after_id AND p.subscriber_id <= c.until_id`,
      now,
    ),
    remindOfEnds(sql`+s.payment_id IS NULL AND s.id IN (
      SELECT p.id
      FROM fee_changes c
      CROSS JOIN subscriptions p INDEXED BY subscriptions_caller
      WHERE c.caller_id = ${callerId} AND p.caller_id = ${callerId} AND p.status = 'active'
        AND p.subscriber_id > c.after_id AND p.subscriber_id <= c.until_id)`),
    sql`DELETE FROM fee_changes WHERE caller_id = ${callerId} AND until_id = ${LAST_ID}`,
  ];
}

/** Changes subscriptions that have ended since the fee changed. Must precede marking them as expired. */
export const changeLapsed = (callerId: string, now: number): SQL[] =>
  changeSubscriptions(
    sql`c.caller_id = ${callerId} AND p.subscriber_id IN (
      SELECT subscriber_id FROM subscriptions INDEXED BY subscriptions_lapsing
      WHERE caller_id = ${callerId} AND status = 'active' AND known_end <= ${now}
        AND known_end > (SELECT freed_at FROM fee_changes WHERE caller_id = ${callerId})
      ORDER BY known_end DESC
      LIMIT ${FOLLOWERS_PER_SLICE})`,
    now,
  );

/**
 * From Paid to Free, running subscriptions become open-ended when their paid time ends. From Free to Paid, open-ended
 * subscriptions end after the grace period. Repeated fee changes add at most one period to a paid one. May run
 * repeatedly. Must precede every change of these subscriptions that depends on their other periods.
 * @param which condition on the period `p` and the change `c` of its caller's fee
 */
export function changeSubscriptions(which: SQL, now: number): SQL[] {
  // CROSS JOIN reads the changes first: there are almost never any.
  const changed = sql`
    FROM fee_changes c CROSS JOIN periods p
    WHERE p.caller_id = c.caller_id AND p.status = 'active' AND ${which}`;
  const isOpen = sql`p.written_end IS NULL AND c.charged_at IS NOT NULL`;
  const graceEnd = sql`charged_at + ${FREE_TO_PAID_GRACE_MS}`;
  const isOfPair = sql`r.subscriber_id = s.subscriber_id AND r.caller_id = s.caller_id`;
  return [
    // Extends the last period if it is free. A new period per change would add rows without bound.
    sql`
      WITH last AS MATERIALIZED (
        SELECT p.id, p.starts_at, p.moves_from, c.caller_id, c.charged_at ${changed}
          AND +p.payment_id IS NULL AND p.written_end IS NOT NULL AND p.ends_at > c.freed_at
          AND NOT EXISTS (
            SELECT 1 FROM periods later
            WHERE later.subscriber_id = p.subscriber_id AND later.caller_id = p.caller_id
              AND (later.written_end IS NULL OR later.starts_at > p.starts_at)))
      UPDATE subscriptions AS s SET
        starts_at = ${whenCharged(sql`last.starts_at`)},
        ends_at = NULL,
        moves_from = NULL,
        extended_to = NULL
      FROM last
      WHERE s.id = last.id`,
    // Silent days may have moved the last end since an open-ended period got its start.
    sql`
      INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at)
      SELECT lower(hex(randomblob(16))), subscriber_id, caller_id, ${whenCharged(sql`last_end`)}, NULL, 'active', ${now}
      FROM (
        SELECT p.subscriber_id, p.caller_id, p.moves_from, c.charged_at, MAX(p.ends_at) AS last_end ${changed}
          AND c.freed_at IS NOT NULL AND p.written_end IS NOT NULL
        GROUP BY p.subscriber_id, p.caller_id
        HAVING SUM(${wasRunning}) > 0) last
      WHERE true
      ON CONFLICT (subscriber_id, caller_id) WHERE ends_at IS NULL DO UPDATE SET
        starts_at = excluded.starts_at
        WHERE excluded.starts_at > subscriptions.starts_at`,
    // Deletes open-ended periods that would start after the grace period.
    sql`
      DELETE FROM subscriptions
      WHERE id IN (SELECT p.id ${changed} AND ${isOpen} AND p.starts_at >= ${graceEnd})`,
    // Silent days also move a free period that follows a period that they move.
    sql`
      WITH open AS MATERIALIZED (SELECT p.id, c.charged_at ${changed} AND ${isOpen})
      UPDATE subscriptions AS s SET
        ends_at = ${graceEnd},
        moves_from = iif(s.starts_at > charged_at AND ${runsMoving(isOfPair, sql`charged_at`)}, charged_at, NULL)
      FROM open
      WHERE s.id = open.id`,
  ];
}

/** A time minus the silent days since the caller became Paid, because reading the stored time adds them again. */
const whenCharged = (time: SQL): SQL => sql`${time} - ${DAY_MS} * (
  SELECT COUNT(*) FROM silent_days d
  WHERE d.caller_id = last.caller_id AND d.at >= last.charged_at AND d.at >= last.moves_from AND d.at < ${time})`;

/** The period `p` hadn't ended when the caller became Free. */
const wasRunning = sql`
  ((p.created_at <= c.freed_at AND p.ends_at > c.freed_at)
    OR (p.created_at <= c.last_freed_at AND p.ends_at > c.last_freed_at))`;

/**
 * SQL condition: the caller's last change of the fee has reached all subscriptions. Check it before you end a period
 * early: otherwise, the next slice would assume that the period had ended before the change.
 */
export const hasNoFeeChange = (callerId: SQL): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM fee_changes WHERE caller_id = ${callerId})`;
