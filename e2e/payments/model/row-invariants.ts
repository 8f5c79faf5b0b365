import type { Rows } from '../support/row-queries.ts';
import { checkSilentDays, withSilentDays } from './silence.ts';
import { must } from './violation.ts';

export { must, Violation } from './violation.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A period with a lower commission isn't counted as a subscriber's, nor is one shorter than 30 days. */
const MIN_COUNTED_LAMPORTS = 5_000_000;
/** A block is finalized after this many more blocks. */
export const SLOTS_TO_FINALITY = 32;

type Subscription = Rows['subscriptions'][number];

interface Slots {
  /** The slot of the chain at a time (unix ms). */
  slotAt(unixMs: number): number;
}

/** Checks what holds for the rows of any database between two transactions. @throws Violation */
export function checkRows(rows: Rows, slots: Slots): void {
  checkPaidPeriods(rows);
  checkPeriods(rows);
  checkSilentDays(rows);
  checkGrants(rows);
  checkCounters(rows);
  checkLedger(slots, rows);
  checkRefundRows(rows);
}

/** Checks that every payment's amounts add up, and that a paid period belongs to its payment's user and caller. */
function checkPaidPeriods(rows: Rows): void {
  for (const payment of rows.payments) {
    must(
      payment.caller_lamports + payment.platform_lamports === payment.total_lamports,
      `the amounts of ${payment.signature} do not add up`,
    );
  }
  const payments = new Map(rows.payments.map((payment) => [payment.id, payment]));
  const paid = rows.subscriptions.filter(({ payment_id }) => payment_id !== null);
  must(new Set(paid.map(({ payment_id }) => payment_id)).size === paid.length, 'a payment has two periods');
  for (const { payment_id, subscriber_id, caller_id } of paid) {
    const payment = payments.get(payment_id ?? '');
    must(payment !== undefined, 'a paid period has no payment');
    must(
      payment.user_id === subscriber_id && payment.caller_id === caller_id,
      `a period of ${subscriber_id} with ${caller_id} has a payment from ${payment.user_id} to ${payment.caller_id}`,
    );
  }
}

/**
 * Checks that paid periods last as long as they were bought for and a day for each silent day in them, or until a refund, and never overlap. A period starts when it is granted or
 * moved, or when the previous one ends. A payment that is revoked or refunded later doesn't move a period that runs.
 */
function checkPeriods(rows: Rows): void {
  const { payments, ledger, silentDays } = rows;
  const newestEntry = (paymentId: string, kinds: readonly string[]) =>
    ledger.findLast(({ payment_id, kind }) => payment_id === paymentId && kinds.includes(kind));
  const lostLater = (pair: Subscription) =>
    payments.some(
      ({ id, user_id, caller_id }) =>
        user_id === pair.subscriber_id &&
        caller_id === pair.caller_id &&
        (newestEntry(id, ['revoked', 'refunded'])?.at ?? 0) >= pair.starts_at,
    );
  const pairs = Map.groupBy(
    withSilentDays(rows),
    ({ subscriber_id, caller_id }) => `${subscriber_id} with ${caller_id}`,
  );
  for (const [pair, periods] of pairs) {
    const bounded = periods
      .filter((period): period is Subscription & { ends_at: number } => period.ends_at !== null)
      .toSorted((a, b) => a.starts_at - b.starts_at);
    const open = periods.filter(({ ends_at }) => ends_at === null);
    must(open.length <= 1, `${pair}: more than one open grant`);
    let previousEnd = 0;
    for (const period of bounded) {
      const { starts_at, ends_at, payment_id, caller_id, created_at } = period;
      must(starts_at >= previousEnd, `${pair}: periods overlap`);
      if (payment_id !== null) {
        const refundedAt = newestEntry(payment_id, ['refunded'])?.at ?? Infinity;
        const days = silentDays.filter(
          (day) => day.caller_id === caller_id && day.at >= starts_at && day.at < ends_at,
        );
        must(
          ends_at === Math.min(starts_at + (boughtDays(rows, payment_id) + days.length) * DAY_MS, refundedAt),
          `${pair}: a paid period with ${days.length} silent days lasts ${ends_at - starts_at} ms`,
        );
        const movedAt = newestEntry(payment_id, ['moved'])?.at ?? created_at;
        const earliest = Math.max(created_at, movedAt, previousEnd);
        must(
          starts_at === earliest || lostLater(period),
          `${pair}: a paid period begins ${starts_at - earliest} ms late`,
        );
      }
      previousEnd = ends_at;
    }
    must(
      open.every(({ starts_at }) => starts_at >= previousEnd),
      `${pair}: an open grant begins before the last period ends`,
    );
  }
}

function boughtDays({ payments, intents }: Rows, paymentId: string): number {
  const payment = payments.find(({ id }) => id === paymentId);
  return intents.find(({ id }) => id === payment?.intent_id)?.days ?? 0;
}

/** Checks that only a Free caller has subscriptions without an end. */
function checkGrants({ subscriptions, callers }: Rows): void {
  for (const { caller_id } of callers.filter(({ fee_lamports }) => fee_lamports > 0)) {
    const grant = subscriptions.find((period) => period.caller_id === caller_id && period.ends_at === null);
    must(!grant, `${grant?.subscriber_id} has an open free grant although ${caller_id} is Paid`);
  }
}

/** Checks that earnings, without what was paid back, and subscriber counts equal the sums over the periods. */
function checkCounters(rows: Rows): void {
  const { callers, payments, subscriptions, ledger } = rows;
  const granted = new Set(subscriptions.map(({ payment_id }) => payment_id));
  const refunded = new Set(
    ledger.filter(({ kind }) => kind === 'refunded').map(({ payment_id }) => payment_id),
  );
  for (const { caller_id, earned_lamports, subscriber_count, paying_count } of callers) {
    const earned = payments
      .filter(
        ({ id, ...payment }) => payment.caller_id === caller_id && (granted.has(id) || refunded.has(id)),
      )
      .reduce((sum, payment) => sum + Math.max(0, payment.caller_lamports - paidBack(rows, payment.id)), 0);
    must(
      earned_lamports === earned,
      `${caller_id} has a counter of ${earned_lamports} lamports but earned ${earned}`,
    );
    const active = subscriptions.filter(
      (period) => period.caller_id === caller_id && period.status === 'active',
    );
    const followers = new Set(active.map(({ subscriber_id }) => subscriber_id));
    const counted = active.filter(({ payment_id }) => {
      const platform = payments.find(({ id }) => id === payment_id)?.platform_lamports ?? 0;
      const isMonth = payment_id !== null && boughtDays(rows, payment_id) >= 30;
      return isMonth && platform >= MIN_COUNTED_LAMPORTS && !refunded.has(payment_id ?? '');
    });
    const paying = new Set(counted.map(({ subscriber_id }) => subscriber_id)).size;
    must(paying_count === paying, `${caller_id} has a counter of ${paying_count} payers but has ${paying}`);
    must(
      subscriber_count === followers.size,
      `${caller_id} has a counter of ${subscriber_count} subscribers but has ${followers.size}`,
    );
  }
}

/** The recorded sum of a payment's refund, in lamports. */
export const paidBack = ({ refundTransfers }: Rows, paymentId: string): number =>
  refundTransfers
    .filter(({ payment_id }) => payment_id === paymentId)
    .reduce((sum, { lamports }) => sum + lamports, 0);

/**
 * Checks that a refund ends a payment's period, once, exactly if the whole share was paid back and had been asked for, or
 * if the whole amount was paid back.
 */
function checkRefundRows(rows: Rows): void {
  const { refunds, refundTransfers, payments, ledger, feeChanges } = rows;
  for (const { id, signature, caller_id, caller_lamports, total_lamports } of payments) {
    must(
      !refundTransfers.some((transfer) => transfer.signature === signature),
      `${signature} is a payment and a refund`,
    );
    const refund = refunds.find(({ payment_id }) => payment_id === id);
    const isAsked = (refund?.asked_at ?? null) !== null;
    const isPaidBack = paidBack(rows, id) >= (isAsked ? caller_lamports : total_lamports);
    const entries = ledger.filter(({ payment_id, kind }) => payment_id === id && kind === 'refunded');
    const mayWait = entries.length === 0 && feeChanges.some((change) => change.caller_id === caller_id);
    must(
      mayWait || entries.length === (isPaidBack ? 1 : 0),
      `${signature} has ${entries.length} refunded entries and ${paidBack(rows, id)} lamports paid back, ${isAsked ? 'asked' : 'not asked'}`,
    );
    must(
      entries.every(({ seq }) => !ledger.some((line) => line.payment_id === id && line.seq > seq)),
      `the ledger of ${signature} goes on after a refund`,
    );
  }
}

/**
 * Checks that the ledger has each payment's history, and that no entry finalizes or revokes a payment before
 * finality.
 */
function checkLedger({ slotAt }: Slots, { ledger, payments, subscriptions }: Rows): void {
  for (const { id, signature } of payments) {
    const lines = ledger.filter(({ payment_id }) => payment_id === id);
    const last = lines.findLast(({ kind }) => kind !== 'finalized');
    const period = subscriptions.find(({ payment_id }) => payment_id === id);
    must(last !== undefined, `the payment ${signature} has no ledger entry`);
    must(
      (last.starts_at !== null) === (period !== undefined),
      `the ledger ends with ${last.kind} for a payment ${period ? 'with' : 'without'} a period`,
    );
    must(
      !period || (period.starts_at === last.starts_at && period.ends_at === last.ends_at),
      'a period has other times than the ledger',
    );
    const finalized = lines.filter(({ kind }) => kind === 'finalized');
    must(
      finalized.length <= 1 && (!period || (period.finalized_at !== null) === (finalized.length === 1)),
      'period and ledger disagree whether a payment is settled',
    );
    for (const { kind, slot, at, seq } of lines) {
      if (kind === 'finalized') {
        must(
          (slot ?? 0) <= slotAt(at) - SLOTS_TO_FINALITY,
          `${signature} was settled before it was finalized`,
        );
      }
      const grant = lines.findLast((line) => line.seq < seq && line.kind === 'granted');
      if (kind === 'revoked') {
        must(
          (grant?.slot ?? 0) < slotAt(at) - SLOTS_TO_FINALITY,
          `${signature} was revoked before its absence was final`,
        );
      }
    }
  }
}
