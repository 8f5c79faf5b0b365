import { FEES, PAIRS, PAYERS, PAYOUTS, POOR_PAYER, type CallerName, type Name } from './fixtures.ts';
import type { History } from './history.ts';
import type { Snapshot } from './invariants.ts';
import { must } from './row-invariants.ts';
import { withSilentDays } from './silence.ts';
import { present, nth, type Operation, type Reply } from './operations.ts';
import type { Signed } from './transactions.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const GRACE_MS = 30 * DAY_MS;
const POOR = PAYERS[POOR_PAYER].publicKey.toBase58();

export interface Undisturbed {
  readonly operation: Operation;
  readonly reply: Reply;
  readonly before: Snapshot & {
    readonly at: number;
    readonly transaction: Signed | undefined;
    readonly wasSent: Signed['sent'];
  };
  readonly after: Snapshot;
}

/** Checks the result of an operation that ran alone, without a fault or a kill. */
export function checkReply(history: History, { operation, reply, before, after }: Undisturbed): void {
  const feeOf = (caller: CallerName) =>
    before.rows.callers.find(({ caller_id }) => caller_id === caller)?.fee_lamports ?? 0;
  const result = reply.ok ? 'success' : reply.code;
  const { transaction } = before;
  switch (operation.kind) {
    case 'open':
    case 'pay': {
      const { person, caller } = operation;
      if (person === caller || feeOf(caller) === 0) {
        return must(
          !reply.ok,
          `${person} could open a payment to ${caller}, who is ${person === caller ? 'the same person' : 'Free'}`,
        );
      }
      const unfinished = isUnfinished(before, { person, caller });
      if (operation.kind === 'open') {
        if (!unfinished) must(reply.ok, `${person} could not open a payment to ${caller}: ${result}`);
        if (reply.ok) checkTerms(history, { person, caller, before });
        return;
      }
      const isPlain =
        (['plain', 'legacy', 'with extras', 'in parts'] as readonly string[]).includes(operation.shape) &&
        operation.payer !== POOR_PAYER;
      if (isPlain && !unfinished) must(reply.ok, `${person} could not pay ${caller}: ${result}`);
      if (reply.ok && operation.until === 'claimed') {
        must(after.rows.subscriptions.length > 0, `${person} paid ${caller} but has no period`);
      }
      return;
    }
    case 'send': {
      if (!transaction) return;
      const [intent, ...others] = transaction.names;
      const person = operation.person === 'owner' ? intent?.owner : operation.person;
      if (
        !intent ||
        others.length > 0 ||
        transaction.pays.length === 0 ||
        person !== intent.owner ||
        transaction.payer === POOR
      ) {
        return;
      }
      const isFresh =
        before.at < intent.expiresAt && history.heightAt(before.at) < transaction.lastValidBlockHeight;
      const intentId = before.rows.intents.find(({ reference }) => reference === intent.reference)?.id;
      const isPaid = before.rows.payments.some(({ intent_id }) => intent_id === intentId);
      if (isFresh && !isPaid && !isUnfinished(before, { person, caller: intent.caller }, transaction)) {
        must(reply.ok, `${transaction.name} was not sent: ${result}`);
      }
      return;
    }
    case 'confirm':
      if (transaction && reply.ok) {
        must(
          ['confirmed', 'finalized'].includes(after.chain.landed(transaction)?.status ?? ''),
          `${transaction.name} was reported as confirmed but is not`,
        );
      }
      if (transaction && !reply.ok && reply.code === 'payments.expired') {
        const isPossible =
          history.heightAt(history.now()) <= transaction.lastValidBlockHeight &&
          before.wasSent === 'accepted';
        must(
          !after.chain.landed(transaction) && !isPossible,
          `${transaction.name} was reported as expired but ${isPossible ? 'can land' : 'has landed'}`,
        );
      }
      return;
    case 'claim': {
      if (!transaction) return;
      const person = operation.person === 'owner' ? transaction.names[0]?.owner : operation.person;
      const isPaid = before.chain.paidBy(transaction).length > 0;
      const hadPeriod = hasPeriod(before, transaction);
      const wasPayment = before.rows.payments.some(({ signature }) => signature === transaction.signature);
      if (reply.ok) {
        must(
          isPaid || hadPeriod || (wasPayment && transaction.wasBroadcastForIntent),
          `${transaction.name} opened a period but is no payment on the chain`,
        );
      } else if (
        isPaid &&
        transaction.names.length === 1 &&
        operation.amounts === 'right' &&
        result !== 'payments.refunded'
      ) {
        must(
          person !== transaction.names[0]?.owner,
          `${transaction.name} has landed but cannot be claimed: ${result}`,
        );
      }
      return;
    }
    case 'follow':
      return must(
        reply.ok === (operation.person !== operation.caller && feeOf(operation.caller) === 0),
        `${operation.person} asked to follow ${operation.caller} for free: ${result}`,
      );
    case 'fee': {
      must(reply.ok, `${operation.caller} could not change the fee: ${result}`);
      const wanted = FEES[operation.fee] ?? null;
      const now = after.rows.callers.find(({ caller_id }) => caller_id === operation.caller)?.fee_lamports;
      must(
        now === Math.round(Number(wanted ?? 0) * 1e9),
        `${operation.caller} set a fee of ${wanted} SOL but the database has ${now} lamports`,
      );
      return checkFollowers({
        caller: operation.caller,
        wasFree: feeOf(operation.caller) === 0,
        isFree: wanted === null,
        at: before.at,
        before,
        after,
      });
    }
    case 'payout': {
      must(reply.ok, `${operation.caller} could not change the payout wallet: ${result}`);
      const address = after.rows.callers.find(
        ({ caller_id }) => caller_id === operation.caller,
      )?.payout_address;
      return must(
        address === PAYOUTS[operation.caller][operation.wallet].publicKey.toBase58(),
        `${operation.caller} chose another payout wallet than the database has`,
      );
    }
    case 'sign':
    case 'land':
    case 'refund':
    case 'expire':
    case 'fork':
    case 'cron':
    case 'rebroadcast':
    case 'act':
    case 'advance':
  }
}

export function pickedBy(history: History, operation: Operation): Signed | undefined {
  return 'transaction' in operation && operation.kind !== 'fork'
    ? nth(present(history.transactions), operation.transaction)
    : undefined;
}

function hasPeriod({ rows }: Snapshot, { signature }: Signed): boolean {
  const payment = rows.payments.find((row) => row.signature === signature);
  return rows.subscriptions.some(({ payment_id }) => payment !== undefined && payment_id === payment.id);
}

/**
 * True if this follower has a broadcast to this caller that is neither recorded as a payment nor marked
 * dead.
 */
function isUnfinished(
  { rows }: Snapshot,
  { person, caller }: { person: Name; caller: CallerName },
  except?: Signed,
): boolean {
  const intents = new Set(
    rows.intents
      .filter(({ user_id, caller_id }) => user_id === person && caller_id === caller)
      .map(({ id }) => id),
  );
  const granted = new Set(
    rows.payments
      .filter(({ id }) => rows.subscriptions.some(({ payment_id }) => payment_id === id))
      .map(({ signature }) => signature),
  );
  return rows.broadcasts.some(
    ({ signature, intent_id, dead_at }) =>
      intents.has(intent_id) &&
      dead_at === null &&
      !granted.has(signature) &&
      signature !== except?.signature,
  );
}

function checkTerms(
  { intents }: History,
  { person, caller, before }: { person: Name; caller: CallerName; before: Snapshot },
): void {
  const intent = intents.findLast((each) => each.owner === person && each.caller === caller && !each.isLost);
  const terms = before.rows.callers.find(({ caller_id }) => caller_id === caller);
  const isSame =
    intent &&
    BigInt(terms?.fee_lamports ?? 0) === intent.callerLamports + intent.platformLamports &&
    terms?.payout_address === intent.callerAddress;
  must(isSame === true, `the terms that ${person} received differ from those of ${caller}`);
}

/**
 * Checks a change of a caller's fee. From Free to Paid, free followers keep access for 30 days. From Paid
 * to Free, subscriptions stay. Paid time never changes.
 */
function checkFollowers({
  caller,
  wasFree,
  isFree,
  at,
  before,
  after,
}: {
  caller: CallerName;
  wasFree: boolean;
  isFree: boolean;
  at: number;
  before: Snapshot;
  after: Snapshot;
}): void {
  for (const { follower } of PAIRS.filter((pair) => pair.caller === caller)) {
    const of = ({ rows }: Snapshot) =>
      withSilentDays(rows).filter(
        ({ subscriber_id, caller_id }) => subscriber_id === follower && caller_id === caller,
      );
    // As written, because the change of the fee also adds the caller's silent day.
    const paid = ({ rows }: Snapshot) =>
      JSON.stringify(
        rows.subscriptions.filter(
          ({ subscriber_id, caller_id, payment_id }) =>
            subscriber_id === follower && caller_id === caller && payment_id !== null,
        ),
      );
    must(paid(before) === paid(after), `a new fee of ${caller} changed the paid periods of ${follower}`);
    const hadGrant = of(before).some(({ ends_at }) => ends_at === null);
    if (!isFree) {
      must(
        of(after).every(({ ends_at }) => ends_at !== null),
        `${follower} has an open free grant although ${caller} is Paid`,
      );
      if (wasFree && hadGrant) {
        must(
          coveredUntil(of(after), at) >= at + GRACE_MS,
          `${follower} loses access to ${caller} before 30 days are over`,
        );
      }
    } else if (!wasFree && of(before).some(({ ends_at }) => ends_at !== null && ends_at > at)) {
      must(
        of(after).some(({ ends_at }) => ends_at === null),
        `${follower} has no open grant after ${caller} became Free`,
      );
    }
  }
}

/** Returns the end of the access that starts at `from` and has no gap between its periods. */
function coveredUntil(
  periods: readonly { starts_at: number; ends_at: number | null }[],
  from: number,
): number {
  let until = from;
  for (const { starts_at, ends_at } of periods.toSorted((a, b) => a.starts_at - b.starts_at)) {
    if (starts_at <= until && ends_at !== null) until = Math.max(until, ends_at);
  }
  return until;
}
