import type { Rows } from '../support/rows.ts';
import { PAIRS, PLATFORM } from './cast.ts';
import type { ChainView } from './chain-view.ts';
import { SLOTS_TO_FINALITY, Violation, type History } from './history.ts';

const PERIOD_MS = 30 * 24 * 60 * 60 * 1000;

/** The state of database and chain between operations. */
export interface Moment {
  readonly rows: Rows;
  readonly chain: ChainView;
}

type Subscription = Rows['subscriptions'][number];

export function must(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Violation(sentence);
}

export function checkMoment(history: History, moment: Moment): void {
  const { rows } = moment;
  checkPayments(history, rows);
  checkPeriods(rows);
  checkGrants(rows);
  checkCounters(rows);
  checkLedger(history, rows);
  checkBroadcasts(history, moment);
  checkPending(history, moment);
  checkIntents(history, rows);
}

/**
 * Checks that every payment is a transaction signed for its intent, and that its period belongs to the
 * intent's owner.
 */
function checkPayments({ transactions }: History, rows: Rows): void {
  const intents = new Map(rows.intents.map((intent) => [intent.id, intent]));
  for (const payment of rows.payments) {
    const transaction = transactions.find(({ signature }) => signature === payment.signature);
    must(transaction !== undefined, `a payment has an unknown signature: ${payment.signature}`);
    const intent = transaction.pays.find(
      ({ reference }) => reference === intents.get(payment.intent_id)?.reference,
    );
    must(intent !== undefined, `${transaction.name} is recorded for an intent that it does not pay`);
    must(
      payment.user_id === intent.owner && payment.caller_id === intent.caller,
      `${transaction.name} is recorded from ${payment.user_id} to ${payment.caller_id}, not from ${intent.owner} to ${intent.caller}`,
    );
    must(payment.payer_address === transaction.payer, `${transaction.name} is recorded with a wrong payer`);
    must(
      BigInt(payment.caller_lamports) === intent.callerLamports &&
        BigInt(payment.platform_lamports) === intent.platformLamports,
      `${transaction.name} is recorded with other amounts than its intent`,
    );
    must(
      payment.caller_lamports + payment.platform_lamports === payment.total_lamports,
      `the amounts of ${transaction.name} do not add up`,
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
 * Checks that paid periods last 30 days and never overlap. A period starts when it is granted or when the
 * previous one ends.
 */
function checkPeriods({ subscriptions }: Rows): void {
  for (const { follower, caller } of PAIRS) {
    const periods = subscriptions.filter(
      ({ subscriber_id, caller_id }) => subscriber_id === follower && caller_id === caller,
    );
    const bounded = periods
      .filter((period): period is Subscription & { ends_at: number } => period.ends_at !== null)
      .toSorted((a, b) => a.starts_at - b.starts_at);
    const open = periods.filter(({ ends_at }) => ends_at === null);
    const pair = `${follower} with ${caller}`;
    must(open.length <= 1, `${pair}: more than one open grant`);
    let previousEnd = 0;
    for (const { starts_at, ends_at, payment_id, created_at } of bounded) {
      must(starts_at >= previousEnd, `${pair}: periods overlap`);
      if (payment_id !== null) {
        must(ends_at - starts_at === PERIOD_MS, `${pair}: a paid period lasts ${ends_at - starts_at} ms`);
        must(
          starts_at === Math.max(created_at, previousEnd),
          `${pair}: a paid period begins ${starts_at - Math.max(created_at, previousEnd)} ms late`,
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

/** Checks that only a Free caller has subscriptions without an end. */
function checkGrants({ subscriptions, callers }: Rows): void {
  for (const { caller_id } of callers.filter(({ fee_lamports }) => fee_lamports > 0)) {
    const grant = subscriptions.find((period) => period.caller_id === caller_id && period.ends_at === null);
    must(!grant, `${grant?.subscriber_id} has an open free grant although ${caller_id} is Paid`);
  }
}

/** Checks that earnings and subscriber counts equal the sums over the periods. */
function checkCounters({ callers, payments, subscriptions }: Rows): void {
  const granted = new Set(subscriptions.map(({ payment_id }) => payment_id));
  for (const { caller_id, earned_lamports, subscriber_count } of callers) {
    const earned = payments
      .filter((payment) => payment.caller_id === caller_id && granted.has(payment.id))
      .reduce((sum, { caller_lamports }) => sum + caller_lamports, 0);
    must(
      earned_lamports === earned,
      `${caller_id} has a counter of ${earned_lamports} lamports but earned ${earned}`,
    );
    const followers = new Set(
      subscriptions
        .filter((period) => period.caller_id === caller_id && period.status === 'active')
        .map(({ subscriber_id }) => subscriber_id),
    );
    must(
      subscriber_count === followers.size,
      `${caller_id} has a counter of ${subscriber_count} subscribers but has ${followers.size}`,
    );
  }
}

/**
 * Checks that the ledger has each payment's history, and that no entry settles or revokes a payment before
 * finality.
 */
function checkLedger({ slotAt }: History, { ledger, payments, subscriptions }: Rows): void {
  for (const { id, signature } of payments) {
    const lines = ledger.filter(({ payment_id }) => payment_id === id);
    const last = lines.findLast(({ kind }) => kind !== 'settled');
    const period = subscriptions.find(({ payment_id }) => payment_id === id);
    must(last !== undefined, `the payment ${signature} has no ledger entry`);
    must(
      (last.kind !== 'revoked') === (period !== undefined),
      `the ledger ends with ${last.kind} for a payment ${period ? 'with' : 'without'} a period`,
    );
    must(
      !period || (period.starts_at === last.starts_at && period.ends_at === last.ends_at),
      'a period has other times than the ledger',
    );
    const settled = lines.filter(({ kind }) => kind === 'settled');
    must(
      settled.length <= 1 && (period?.settled_at != null) === (settled.length === 1),
      'period and ledger disagree whether a payment is settled',
    );
    for (const { kind, slot, at, seq } of lines) {
      if (kind === 'settled') {
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

/**
 * Checks that each broadcast that is marked dead was rejected, can no longer land, or landed without moving
 * money.
 */
function checkBroadcasts({ transactions, heightAt }: History, { rows: { broadcasts }, chain }: Moment): void {
  for (const { signature, dead_at } of broadcasts) {
    if (dead_at === null) continue;
    const transaction = transactions.find((signed) => signed.signature === signature);
    must(transaction !== undefined, `a broadcast has an unknown signature: ${signature}`);
    const couldLand = heightAt(dead_at) <= transaction.lastValidBlockHeight;
    must(
      !couldLand || transaction.sent !== 'accepted' || chain.landed(transaction)?.status === 'finalized',
      `${transaction.name} was marked dead while it could land`,
    );
  }
}

/**
 * Checks that each follower has at most one unsettled broadcast to a caller. Such a broadcast may still land,
 * or has landed without being recorded as a payment.
 */
function checkPending({ transactions, heightAt, now }: History, { rows, chain }: Moment): void {
  const recorded = new Set(rows.payments.map(({ signature }) => signature));
  for (const { follower, caller } of PAIRS) {
    const pending = transactions.filter((transaction) => {
      const landed = chain.landed(transaction);
      const isOfPair = transaction.pays.some(
        (intent) => intent.owner === follower && intent.caller === caller,
      );
      if (
        !isOfPair ||
        transaction.sent !== 'accepted' ||
        transaction.isSentByWallet ||
        recorded.has(transaction.signature)
      ) {
        return false;
      }
      return landed ? !landed.hasFailed : heightAt(now()) <= transaction.lastValidBlockHeight;
    });
    must(
      pending.length <= 1,
      `${pending.map(({ name }) => name).join(' and ')} from ${follower} to ${caller} can both land`,
    );
  }
  for (const transaction of transactions) {
    const isOurs = ['unknown', 'accepted'].includes(transaction.sent) || transaction.isSentByWallet;
    must(
      isOurs || !chain.landed(transaction),
      `${transaction.name} is on the chain but was ${transaction.sent === 'never' ? 'never sent' : 'rejected'}`,
    );
    must(
      !transaction.wasReportedExpired || transaction.isSentByWallet || !chain.landed(transaction),
      `${transaction.name} is on the chain but was reported as expired`,
    );
  }
}

/** Checks that an intent's terms never change. */
function checkIntents({ intents }: History, rows: Rows): void {
  for (const intent of intents) {
    const row = rows.intents.find(({ reference }) => reference === intent.reference);
    must(row !== undefined, `the intent of ${intent.owner} was deleted`);
    const isSame =
      row.user_id === intent.owner &&
      row.caller_id === intent.caller &&
      row.caller_address === intent.callerAddress &&
      row.platform_address === PLATFORM.publicKey.toBase58() &&
      BigInt(row.caller_lamports) === intent.callerLamports &&
      BigInt(row.platform_lamports) === intent.platformLamports &&
      row.total_lamports === row.caller_lamports + row.platform_lamports &&
      row.expires_at === intent.expiresAt;
    must(isSame, `the terms of ${intent.owner}'s intent with ${intent.caller} have changed`);
  }
}
