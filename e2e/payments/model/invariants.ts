import type { Rows } from '../support/row-queries.ts';
import { PAIRS, PLATFORM } from './fixtures.ts';
import type { History } from './history.ts';
import { checkRefunds } from './refunds.ts';
import type { Snapshot } from './repaired.ts';
import { checkRows, must } from './row-invariants.ts';

export function checkSnapshot(history: History, timestamp: Snapshot): void {
  const { rows } = timestamp;
  checkPayments(history, rows);
  checkRows(rows, history);
  checkRefunds(history, rows);
  checkBroadcasts(history, timestamp);
  checkPending(history, timestamp);
  checkIntents(history, rows);
}

/** Checks that every payment is a transaction signed for its intent. */
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
  }
}

/**
 * Checks that each broadcast that is marked dead was rejected, can no longer land, or landed without moving
 * money.
 */
function checkBroadcasts(
  { transactions, heightAt }: History,
  { rows: { broadcasts }, chain }: Snapshot,
): void {
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
 * Checks that each follower has at most one unfinalized broadcast to a caller. Such a broadcast may still land,
 * or has landed without being recorded as a payment.
 */
function checkPending({ transactions, heightAt, now }: History, { rows, chain }: Snapshot): void {
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
