import { and, eq, inArray, isNull, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import {
  COUNTED_PERIOD,
  MAX_DUST_REFUNDS,
  MAX_REFUNDS_SHOWN,
  MIN_ORPHAN_LAMPORTS,
  RENEWAL_LAST_MS,
} from '#schema/constants/money.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { paymentLedger } from '#schema/tables/payment-ledger.ts';
import { payments } from '#schema/tables/payments.ts';
import { periods, subscriptions } from '#schema/tables/subscriptions.ts';
import { changeSubscriptions, hasNoFeeChange } from '../subscriptions/fee-changes.repository.ts';
import { recordEach } from '../../log/facts.repository.ts';
import { remindOfEnds } from '../subscriptions/reminders.repository.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { valuesOf } from '../../../shared/rows.ts';
import { addSilentDays, runsMoving } from '../subscriptions/silent-days.repository.ts';
import { build, hasNoRow, hasRow, valueIn } from '../../../shared/sql.ts';
import { countSubscribers, isOfPair, subscriberCounts } from '../subscriptions/subscribers.repository.ts';

const newId = sql`lower(hex(randomblob(16)))`;

export function newestInLedger(column: string, paymentId: SQL | string, kinds: readonly string[]): SQL {
  return sql`(
    SELECT l.${sql.identifier(column)} FROM payment_ledger l
    WHERE l.payment_id = ${paymentId} AND l.kind IN ${kinds}
    ORDER BY l.seq DESC
    LIMIT 1)`;
}

/** True if the payment was granted, and no fork has revoked it since. Also true for a refunded payment. */
export const isGrantedInLedger = (paymentId: SQL) =>
  sql`${newestInLedger('kind', paymentId, ['granted', 'revoked'])} IS 'granted'`;

/** SQL condition: no payment of the intent is granted. */
export const isUnpaid = (intentId: AnyColumn | string): SQL =>
  hasNoRow(payments, eq(payments.intentId, intentId), isGrantedInLedger(sql`${payments.id}`));

/** The start or end of the payment's period according to the ledger; NULL if it has none. */
export const periodInLedger = (column: 'starts_at' | 'ends_at', paymentId: SQL) =>
  newestInLedger(column, paymentId, ['granted', 'moved', 'revoked', 'refunded']);

/** SQL of the month (UTC) in which the payment was made. */
const MONTH_OF_PAYMENT = sql`strftime('%Y-%m', paid_at / 1000, 'unixepoch')`;

export interface Grant {
  readonly payment: {
    readonly signature: string;
    readonly intentId: string;
    readonly userId: string;
    readonly callerId: string;
    readonly callerLamports: bigint;
    readonly slot: number;
  };
  readonly grantId: string;
  readonly subscriptionId: string;
  readonly now: number;
}

/**
 * Gives a stored payment the period that its intent names, which follows the subscriber's other paid periods with this caller. An
 * open-ended free period is moved behind all paid periods. If the new period follows a period that silent days move,
 * silent days move it from now on, otherwise only from its start on.
 */
export function grantPeriod({ payment, grantId, subscriptionId, now }: Grant): Statement[] {
  const { userId, callerId, signature, intentId, slot } = payment;
  const pair = { subscriberId: userId, callerId };
  const isPair = isOfPair(subscriptions, pair);
  const isGranted = hasRow(paymentLedger, eq(paymentLedger.id, grantId));
  const isPairs = isOfPair(periods, pair);
  return [
    addSilentDays(sql`(${callerId})`, now),
    ...changeSubscriptions(sql`c.caller_id = ${callerId} AND p.subscriber_id = ${userId}`, now),
    sql`
      INSERT INTO payment_ledger (id, payment_id, kind, slot, starts_at, ends_at, at)
      SELECT ${grantId}, id, 'granted', ${slot}, start,
        start + ${DAY_MS} * (SELECT days FROM payment_intents WHERE id = ${intentId}), ${now}
      FROM (
        SELECT id, MAX(${now}, COALESCE((SELECT MAX(ends_at) FROM periods WHERE ${isPairs}), 0)) AS start
        FROM payments
        WHERE signature = ${signature}
          AND intent_id = ${intentId}
          AND NOT ${isGrantedInLedger(sql`payments.id`)})`,
    build
      .update(subscriptions)
      .set({ startsAt: valueIn(paymentLedger.endsAt, eq(paymentLedger.id, grantId)) })
      .where(and(isPair, isNull(subscriptions.endsAt), isGranted)),
    sql`
      INSERT INTO subscriptions (
        id, subscriber_id, caller_id, payment_id, starts_at, ends_at, moves_from, status, created_at, is_counted)
      SELECT ${subscriptionId}, ${userId}, ${callerId}, payment_id, starts_at, ends_at,
        COALESCE((
          SELECT MAX(${now}, moves_from) FROM periods
          WHERE ${isPairs} AND ends_at > ${now}
          ORDER BY ends_at DESC
          LIMIT 1), starts_at),
        'active', ${now},
        ends_at - starts_at >= ${COUNTED_PERIOD.lengthMs} AND (
          SELECT platform_lamports >= ${COUNTED_PERIOD.platformLamports} FROM payments WHERE id = payment_id)
      FROM payment_ledger WHERE id = ${grantId}
      RETURNING id`,
    // Adds the subscriber if the new period is the only active one of the pair, and if it's the only counted one.
    sql`
      UPDATE callers SET
        earned_lamports = earned_lamports + ${Number(payment.callerLamports)},
        (${subscriberCounts}) = (
          SELECT callers.subscriber_count + (COUNT(*) = 1),
            callers.paying_count + (SUM(is_counted) = 1 AND SUM(is_counted AND id = ${subscriptionId}))
          FROM subscriptions
          WHERE ${isPair} AND status = 'active')
      WHERE caller_id = ${callerId} AND ${isGranted}`,
    sql`
      INSERT INTO earned_months (month, payments, lamports)
      SELECT ${MONTH_OF_PAYMENT}, 1, platform_lamports FROM payments
      WHERE signature = ${signature} AND ${isGranted}
      ON CONFLICT (month) DO UPDATE SET payments = payments + 1, lamports = lamports + excluded.lamports`,
    remindOfEnds(sql`s.id = ${subscriptionId}`),
  ];
}

/**
 * Finalizes the periods of finalized payments, with the slot of the block, and tells both sides. Leaves
 * periods unchanged that are already final.
 */
export function finalizePeriods(
  finalized: readonly { paymentId: string; slot: number }[],
  now: number,
): Statement[] {
  const paymentIds = valuesOf(finalized.map(({ paymentId }) => paymentId));
  const isWaiting = and(inArray(subscriptions.paymentId, paymentIds), isNull(subscriptions.finalizedAt));
  return [
    sql`
      INSERT INTO payment_ledger (id, payment_id, kind, slot, at)
      SELECT ${newId}, s.payment_id, 'finalized', value ->> 'slot', ${now}
      FROM json_each(${JSON.stringify(finalized)})
      JOIN subscriptions s ON s.payment_id = value ->> 'paymentId'
      WHERE s.finalized_at IS NULL`,
    recordEach(
      'payment_received',
      sql`SELECT ${now} AS at, payment_id AS subject, caller_id AS user_id FROM subscriptions WHERE ${isWaiting}`,
    ),
    recordEach(
      'payment_made',
      sql`SELECT ${now} AS at, payment_id AS subject, subscriber_id AS user_id FROM subscriptions WHERE ${isWaiting}`,
    ),
    build.update(subscriptions).set({ finalizedAt: now }).where(isWaiting),
    sql`
      UPDATE payment_broadcasts SET landed_at = ${now}, signed_bytes = NULL, next_send_at = NULL
      WHERE landed_at IS NULL
        AND signature IN (
          SELECT p.signature FROM payments p
          JOIN subscriptions s ON s.payment_id = p.id
          WHERE p.id IN ${paymentIds})`,
  ];
}

export interface Revocation {
  readonly paymentId: string;
  /** Only this grant is revoked. A newer grant of the same payment stays. */
  readonly grantId: string;
  readonly revocationId: string;
  readonly now: number;
}

/**
 * Revokes a period unless it was finalized or granted again since, or a new fee isn't applied to all subscribers yet.
 * Later periods of the same subscriber and caller then start earlier.
 */
export function revokePeriod({ paymentId, grantId, revocationId, now }: Revocation): Statement[] {
  const isRevoked = hasRow(paymentLedger, eq(paymentLedger.id, revocationId));
  return [
    sql`
      INSERT INTO payment_ledger (id, payment_id, kind, at)
      SELECT ${revocationId}, ${paymentId}, 'revoked', ${now}
      WHERE ${newestInLedger('id', paymentId, ['granted', 'revoked'])} = ${grantId}
        AND NOT EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = ${paymentId} AND kind = 'finalized')
        AND ${hasNoFeeChange(callerOf(paymentId))}
      RETURNING id`,
    addSilentDays(callerOf(paymentId), now),
    build.delete(subscriptions).where(and(eq(subscriptions.paymentId, paymentId), isRevoked)),
    sql`
      UPDATE callers SET
        earned_lamports = earned_lamports - (SELECT caller_lamports FROM payments WHERE id = ${paymentId})
      WHERE caller_id = ${callerOf(paymentId)} AND ${isRevoked}`,
    sql`
      UPDATE earned_months SET payments = payments - 1, lamports = lamports - paid.platform_lamports
      FROM (SELECT ${MONTH_OF_PAYMENT} AS paid_in, platform_lamports FROM payments WHERE id = ${paymentId}) paid
      WHERE month = paid.paid_in AND ${isRevoked}`,
    ...closeGap({ paymentId, now, isApplied: isRevoked }),
  ];
}

export interface FoundTransfer {
  readonly paymentId: string;
  readonly signature: string;
  /** The amount that the transaction pays back to the wallet that paid, for all payments that it names. */
  readonly lamports: bigint;
  /** All accounts of the transaction, among them the references of the refunds that it names. */
  readonly accounts: readonly string[];
  readonly slot: number;
  readonly paidAt: number;
}

/** The lamports that the caller has paid back for a payment. */
export const paidBack = (paymentId: SQL | string): SQL<number> => sql`(
  SELECT COALESCE(SUM(lamports), 0) FROM refund_transfers WHERE payment_id = ${paymentId})`;

/** The amount that ends the period of payment `p` with refund `r`: the whole payment, or the share if it is asked for. */
const endingAmount = sql`iif(r.asked_at IS NULL, p.total_lamports, p.caller_lamports)`;

const leftToPay = sql`MAX(0, ${endingAmount} - ${paidBack(sql`p.id`)})`;

/**
 * The part of a transaction that counts for this payment. The chain's parsed form lacks which reference each transfer
 * names. So of several refunds to the same wallet, each gets what is left to pay, and the last one the rest.
 */
function partOf({ paymentId, signature, lamports, accounts }: FoundTransfer): SQL {
  const isSameWallet = sql`p.payer_address = (SELECT payer_address FROM payments WHERE id = ${paymentId})`;
  return sql`
    SELECT MIN(
      ${Number(lamports)} - (
        SELECT COALESCE(SUM(t.lamports), 0) FROM refund_transfers t
        JOIN payments p ON p.id = t.payment_id
        WHERE t.signature = ${signature} AND ${isSameWallet}),
      iif(EXISTS (
        SELECT 1 FROM refunds r
        JOIN payments p ON p.id = r.payment_id
        WHERE r.reference IN ${valuesOf(accounts)} AND r.payment_id <> ${paymentId}
          AND ${isSameWallet} AND ${leftToPay} > 0
          AND NOT EXISTS (SELECT 1 FROM refund_transfers WHERE signature = ${signature} AND payment_id = p.id)
      ), (
        SELECT ${leftToPay} FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE p.id = ${paymentId}
      ), ${Number(lamports)})) AS part`;
}

/** Records what a transaction pays back of a payment, and returns a row if it is new. Precedes `endIfPaidBack`. */
export function recordTransfer(transfer: FoundTransfer, now: number) {
  const { paymentId, signature, slot, paidAt } = transfer;
  const part = partOf(transfer);
  const count = sql`(SELECT COUNT(*) FROM refund_transfers WHERE payment_id = ${paymentId})`;
  const isNew = sql`part > 0 AND (part >= ${Number(MIN_ORPHAN_LAMPORTS)} OR ${count} < ${MAX_DUST_REFUNDS})
    AND NOT EXISTS (SELECT 1 FROM refund_transfers WHERE signature = ${signature} AND payment_id = ${paymentId})
    AND NOT EXISTS (SELECT 1 FROM payments WHERE signature = ${signature})`;
  return [
    sql`
      UPDATE callers SET earned_lamports = earned_lamports + (
        SELECT COALESCE(SUM(MAX(0, share - back - part) - MAX(0, share - back)), 0)
        FROM (SELECT caller_lamports AS share, ${paidBack(paymentId)} AS back FROM payments WHERE id = ${paymentId})
        JOIN (${part}) ON ${isNew})
      WHERE caller_id = ${callerOf(paymentId)}`,
    recordEach(
      'payment_refunded',
      sql`
        SELECT ${now} AS at, ${`${paymentId} ${signature}`} AS subject, user_id FROM payments JOIN (${part})
        WHERE id = ${paymentId} AND ${isNew} AND ${count} < ${MAX_REFUNDS_SHOWN}`,
    ),
    sql`
      INSERT INTO refund_transfers (signature, payment_id, lamports, slot, paid_at, at)
      SELECT ${signature}, ${paymentId}, part, ${slot}, ${paidAt}, ${now} FROM (${part})
      WHERE ${isNew}
      RETURNING signature`,
  ];
}

interface RefundEnd {
  readonly paymentId: string;
  readonly entryId: string;
  readonly now: number;
}

/**
 * Ends the payment's period if its transfers reach the caller's share and the subscriber has asked for the refund, or if
 * they reach the whole amount. Later periods of the same subscriber and caller then start earlier. While a new fee isn't
 * applied to all subscribers, a search a minute later ends it.
 */
export function endIfPaidBack({ paymentId, entryId, now }: RefundEnd): Statement[] {
  const isRefunded = hasRow(paymentLedger, eq(paymentLedger.id, entryId));
  const isPeriod = eq(subscriptions.paymentId, paymentId);
  const inEntry = (column: AnyColumn) => valueIn(column, eq(paymentLedger.id, entryId));
  const canEnd = sql`
    ${paidBack(sql`p.id`)} >= ${endingAmount}
    AND NOT EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = p.id AND kind = 'refunded')`;
  return [
    addSilentDays(callerOf(paymentId), now),
    sql`
      INSERT INTO payment_ledger (id, payment_id, kind, starts_at, ends_at, at)
      SELECT ${entryId}, s.payment_id, 'refunded',
        CASE WHEN s.starts_at < ${now} THEN s.starts_at END,
        CASE WHEN s.starts_at < ${now} THEN MIN(s.ends_at, ${now}) END,
        ${now}
      FROM refunds r
      JOIN payments p ON p.id = r.payment_id
      JOIN periods s ON s.payment_id = p.id
      WHERE p.id = ${paymentId} AND ${canEnd} AND ${hasNoFeeChange(sql`p.caller_id`)}`,
    build.delete(subscriptions).where(and(isPeriod, isNull(inEntry(paymentLedger.endsAt)), isRefunded)),
    build
      .update(subscriptions)
      .set({
        startsAt: inEntry(paymentLedger.startsAt),
        endsAt: inEntry(paymentLedger.endsAt),
        movesFrom: null,
        extendedTo: null,
        isCounted: false,
      })
      .where(and(isPeriod, isRefunded)),
    ...closeGap({ paymentId, now, isApplied: isRefunded }),
    sql`
      UPDATE refunds AS r SET next_search_at = ${now + MINUTE_MS}
      FROM payments p
      WHERE r.payment_id = ${paymentId} AND p.id = r.payment_id AND ${canEnd}`,
  ];
}

interface Gap {
  readonly paymentId: string;
  readonly now: number;
  readonly isApplied: SQL;
}

/**
 * After a payment has lost its period: moves the pair's periods that haven't started, counts the caller's subscribers, and
 * sets the reminders again, because an earlier period may be the last one now.
 */
function closeGap({ paymentId, now, isApplied }: Gap): Statement[] {
  const ofRow = sql`s.payment_id`;
  const [start, end] = [periodInLedger('starts_at', ofRow), periodInLedger('ends_at', ofRow)];
  const base = baseOfUpcoming({ paymentId, now });
  const isMoving = runsMoving(isPairOfPayment('r', paymentId), now);
  const mustRest = rests({ paymentId, now });
  return [
    sql`
      INSERT INTO payment_ledger (id, payment_id, kind, starts_at, ends_at, at)
      SELECT ${newId}, payment_id, 'moved', start, start + length, ${now}
      FROM (${upcomingPeriods({ paymentId, now })})
      WHERE (start <> starts_at OR must_rest) AND ${isApplied}`,
    sql`
      UPDATE subscriptions AS s SET
        starts_at = ${start},
        ends_at = ${end},
        moves_from = CASE WHEN ${isMoving} THEN ${now} ELSE ${base} END,
        extended_to = NULL
      WHERE ${isPairOfPayment('s', paymentId)} AND s.payment_id IS NOT NULL
        AND (s.starts_at <> ${start} OR ${mustRest})
        AND ${isApplied}`,
    sql`
      UPDATE subscriptions AS s SET
        starts_at = moved.start,
        ends_at = moved.ends_at,
        moves_from = iif(moved.ends_at IS NOT NULL AND moved.start > ${now} AND ${isMoving}, ${now}, NULL),
        extended_to = NULL
      FROM (
        SELECT m.id, m.ends_at,
          MAX(m.created_at, COALESCE((
            SELECT MAX(f.ends_at) FROM periods f
            WHERE ${isPairOfPayment('f', paymentId)} AND f.starts_at < m.starts_at), 0)) AS start
        FROM periods m
        WHERE ${isPairOfPayment('m', paymentId)} AND m.payment_id IS NULL AND m.starts_at > ${now}) moved
      WHERE s.id = moved.id AND ${isApplied}`,
    sql`
      UPDATE callers SET (${subscriberCounts}) = ${countSubscribers}
      WHERE caller_id = ${callerOf(paymentId)} AND ${isApplied}`,
    // A period that has just ended can be the last one again.
    remindOfEnds(
      sql`${isPairOfPayment('s', paymentId)} AND s.known_end > ${now - RENEWAL_LAST_MS} AND ${isApplied}`,
    ),
  ];
}

function isPairOfPayment(alias: 's' | 'f' | 'm' | 'r', paymentId: string): SQL {
  const row = sql.identifier(alias);
  return sql`
    ${row}.subscriber_id = (SELECT user_id FROM payments WHERE id = ${paymentId})
    AND ${row}.caller_id = (SELECT caller_id FROM payments WHERE id = ${paymentId})`;
}

/**
 * SELECT of the pair's paid periods that haven't started. They follow each other from `start` on: from now, or from the
 * end of the period that runs and of free time, which always comes before them.
 */
function upcomingPeriods(gap: Omit<Gap, 'isApplied'>): SQL {
  const { paymentId, now } = gap;
  return sql`
    SELECT payment_id, starts_at, length, must_rest,
      base - length + SUM(length) OVER (ORDER BY starts_at) AS start
    FROM (
      SELECT s.payment_id, s.starts_at, s.ends_at - s.starts_at AS length, ${rests(gap)} AS must_rest,
        ${baseOfUpcoming(gap)} AS base
      FROM periods s
      WHERE ${isPairOfPayment('s', paymentId)} AND s.payment_id IS NOT NULL AND s.starts_at > ${now})`;
}

const baseOfUpcoming = ({ paymentId, now }: Omit<Gap, 'isApplied'>): SQL => sql`
  MAX(${now}, COALESCE((
    SELECT MAX(f.ends_at) FROM periods f
    WHERE ${isPairOfPayment('f', paymentId)} AND (f.payment_id IS NULL OR f.starts_at <= ${now})), 0))`;

/**
 * True if silent days must no longer move the upcoming period `s` before it runs, because the pair has no running period
 * that they move.
 */
const rests = (gap: Omit<Gap, 'isApplied'>): SQL =>
  sql`(s.starts_at > ${gap.now} AND s.moves_from < ${baseOfUpcoming(gap)} AND NOT ${runsMoving(isPairOfPayment('r', gap.paymentId), gap.now)})`;

const callerOf = (paymentId: string): SQL => sql`(SELECT caller_id FROM payments WHERE id = ${paymentId})`;
