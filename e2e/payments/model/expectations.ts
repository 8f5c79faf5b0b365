import { FEES, PAIRS, PAYERS, PAYOUTS, POOR_PAYER, type CallerName } from './fixtures.ts';
import type { History } from './history.ts';
import type { Snapshot } from './repaired.ts';
import { must } from './row-invariants.ts';
import { withSilentDays } from './silence.ts';
import type { Operation, OperationOf, Pair } from './operations.ts';
import { nth, present, type Reply } from './replies.ts';
import { PLAIN_SHAPES, type Intent, type Signed } from './transactions.ts';
import { canSurelyRead } from './unreadable.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MONTH_MS = 30 * DAY_MS;
/** The kinds of ledger entries that say whether a payment counts. */
const GRANTS: ReadonlySet<string> = new Set(['granted', 'revoked']);
const POOR = PAYERS[POOR_PAYER].publicKey.toBase58();

interface Before extends Snapshot {
  readonly at: number;
  readonly transaction: Signed | undefined;
  readonly wasSent: Signed['sent'];
}

export interface Undisturbed {
  readonly operation: Operation;
  readonly reply: Reply;
  readonly before: Before;
  readonly after: Snapshot;
}

const callerIn = ({ rows }: Snapshot, caller: CallerName) =>
  rows.callers.find(({ caller_id }) => caller_id === caller);
const isLeaving = (snapshot: Snapshot, caller: CallerName) =>
  (callerIn(snapshot, caller)?.deletes_at ?? null) !== null;
const isFree = (snapshot: Snapshot, caller: CallerName) =>
  (callerIn(snapshot, caller)?.fee_lamports ?? 0) === 0;

/** Checks the result of an operation that ran alone, without a fault or a kill. */
export function checkReply(history: History, { operation, reply, before, after }: Undisturbed): void {
  const result = reply.ok ? 'success' : reply.code;
  const { transaction } = before;
  switch (operation.kind) {
    case 'open':
    case 'pay': {
      const { person, caller } = operation;
      if (person === caller || isFree(before, caller) || isLeaving(before, caller)) {
        return must(
          !reply.ok,
          `${person} could open a payment to ${caller}, who is Free, leaving or the same person`,
        );
      }
      const unfinished = isUnfinished(before, operation) || hasLanded(history, before, operation);
      if (!unfinished && checkLength(operation, { result, before, after }) === 'refused') return;
      if (operation.kind === 'open') {
        must(unfinished || reply.ok, `${person} could not open a payment to ${caller}: ${result}`);
        if (reply.ok) checkTerms(history, operation, before);
        return;
      }
      const isPlain = PLAIN_SHAPES.includes(operation.shape) && operation.payer !== POOR_PAYER;
      const isUnread =
        !canSurelyRead(history, operation.version, before.at) && result === 'payments.unreadable';
      must(!isPlain || unfinished || isUnread || reply.ok, `${person} could not pay ${caller}: ${result}`);
      return must(
        !reply.ok || operation.until !== 'claimed' || after.rows.subscriptions.length > 0,
        `${person} paid ${caller} but has no period`,
      );
    }
    case 'send': {
      const [intent, ...others] = transaction?.names ?? [];
      if (!transaction || !intent || others.length > 0) return;
      const isOwn = ['owner', intent.owner].includes(operation.person);
      if (!isOwn || transaction.pays.length === 0 || transaction.payer === POOR) return;
      const isFresh =
        before.at < intent.expiresAt && history.heightAt(before.at) < transaction.lastValidBlockHeight;
      const intentId = before.rows.intents.find(({ reference }) => reference === intent.reference)?.id;
      const isPaid = before.rows.payments.some(({ intent_id }) => intent_id === intentId);
      const pair = { person: intent.owner, caller: intent.caller };
      const isNew = !before.rows.broadcasts.some(({ signature }) => signature === transaction.signature);
      if (isNew && isLeaving(before, intent.caller)) {
        const hasPeriod = isPaid && result === 'success';
        return must(
          !reply.ok || hasPeriod,
          `${transaction.name} was sent to ${intent.caller}, who is leaving`,
        );
      }
      const mustSend = isFresh && !isPaid && !isUnfinished(before, pair, transaction);
      return must(!mustSend || reply.ok, `${transaction.name} was not sent: ${result}`);
    }
    case 'confirm': {
      if (!transaction) return;
      const landed = after.chain.landed(transaction);
      if (reply.ok) {
        const isConfirmed = landed !== undefined && landed.status !== 'processed';
        must(isConfirmed, `${transaction.name} was reported as confirmed but is not`);
      } else if (reply.code === 'payments.expired') {
        const isPossible =
          history.heightAt(history.now()) <= transaction.lastValidBlockHeight &&
          before.wasSent === 'accepted';
        must(
          !landed && !isPossible,
          `${transaction.name} was reported as expired but has landed or can land`,
        );
      }
      return;
    }
    case 'claim': {
      if (!transaction) return;
      const owner = transaction.names[0]?.owner;
      const person = operation.person === 'owner' ? owner : operation.person;
      const isPaid = before.chain.paidBy(transaction).length > 0;
      const payment = before.rows.payments.find(({ signature }) => signature === transaction.signature);
      const hadPeriod =
        payment !== undefined && before.rows.subscriptions.some((period) => period.payment_id === payment.id);
      const wasPayment = payment !== undefined && transaction.wasBroadcastForIntent;
      must(
        !reply.ok || isPaid || hadPeriod || wasPayment,
        `${transaction.name} opened a period but is no payment on the chain`,
      );
      const isRight = isPaid && transaction.names.length === 1 && operation.amounts === 'right';
      // The server knows whose transaction it is if it has sent it.
      const isKnown = before.rows.broadcasts.some(({ signature }) => signature === transaction.signature);
      const isUnread =
        !canSurelyRead(history, transaction.version, before.at) &&
        (result === 'payments.unreadable' || (result === 'payments.pending' && !isKnown));
      return must(
        reply.ok || !isRight || isUnread || result === 'payments.refunded' || person !== owner,
        `${transaction.name} has landed but cannot be claimed: ${result}`,
      );
    }
    case 'search':
      return checkSearch(history, { intent: nth(present(history.intents), operation.intent), reply, before });
    case 'follow': {
      const { person, caller } = operation;
      return must(
        reply.ok === (person !== caller && isFree(before, caller) && !isLeaving(before, caller)),
        `${person} asked to follow ${caller} for free: ${result}`,
      );
    }
    case 'fee': {
      must(reply.ok, `${operation.caller} could not change the fee: ${result}`);
      return checkFee(operation, before, after);
    }
    case 'leave':
      return checkLeaving(operation, { result, before, after });
    case 'ask': {
      const refusals = ['payments.not_final', 'payments.refunded'];
      if (!operation.isAsked) refusals.push('payments.refund_opened');
      return must(reply.ok || refusals.includes(reply.code), `asking for a refund failed: ${result}`);
    }
    case 'payout': {
      // An erased wallet isn't verified any more.
      if (!reply.ok && history.erased.has(operation.caller)) return;
      must(reply.ok, `${operation.caller} could not change the payout wallet: ${result}`);
      return must(
        callerIn(after, operation.caller)?.payout_address ===
          PAYOUTS[operation.caller][operation.wallet].publicKey.toBase58(),
        `${operation.caller} chose another payout wallet than the database has`,
      );
    }
    default:
  }
}

/** Checks that a deletion waits for the paid subscribers, at most 30 days, and that its day stays the same. */
function checkLeaving(
  { caller, isLeaving: isRequest }: OperationOf<'leave'>,
  { result, before, after }: Opening,
): void {
  const [was, is] = [before, after].map((snapshot) => callerIn(snapshot, caller)?.deletes_at ?? null);
  if (!isRequest) {
    const isDue = was != null && was <= before.at;
    must(isDue === (result === 'account.deletion_due'), `${caller} took the deletion back: ${result}`);
    return must(
      is === (isDue ? was : null),
      `the deletion of ${caller} is due at ${is} after it was taken back`,
    );
  }
  if (was != null) return must(is === was, `the deletion of ${caller} moved from ${was} to ${is}`);
  const ends = withSilentDays(after.rows)
    .filter(({ caller_id, payment_id }) => caller_id === caller && payment_id !== null)
    .map(({ ends_at }) => ends_at ?? 0);
  const lastEnd = Math.max(0, ...ends);
  const dueAt = lastEnd > before.at ? Math.min(lastEnd, before.at + MONTH_MS) : null;
  must(is === dueAt, `the deletion of ${caller} is due at ${is} instead of ${dueAt}: ${result}`);
}

interface Opening {
  readonly result: string;
  readonly before: Before;
  readonly after: Snapshot;
}

/**
 * Checks that 90 days are sold only by callers with a steady record and that access, including open intents, ends at most
 * 120 days ahead.
 */
function checkLength(
  { person, caller, days }: OperationOf<'open'> | OperationOf<'pay'>,
  { result, before, after }: Opening,
): 'refused' | 'allowed' {
  const { at, rows } = before;
  if (result === 'payments.length_not_offered') {
    must(days === 90 && !isSteady(rows, caller, at), `${caller} didn't sell ${days} days to ${person}`);
    return 'refused';
  }
  must(
    result !== 'success' || days !== 90 || isSteady(rows, caller, at),
    `${caller} sold 90 days to ${person} without a steady record`,
  );
  const isOfPair = (user: string, of: string) => user === person && of === caller;
  const ends = withSilentDays(rows)
    .filter(({ subscriber_id, caller_id }) => isOfPair(subscriber_id, caller_id))
    .map(({ ends_at }) => ends_at ?? at);
  const open = rows.intents.filter(
    ({ user_id, caller_id, expires_at }) => isOfPair(user_id, caller_id) && expires_at > at,
  );
  const [paidUntil, limit] = [Math.max(at, ...ends), at + 120 * DAY_MS];
  if (result === 'payments.too_far_ahead') {
    const until = paidUntil + (days + open.reduce((sum, intent) => sum + intent.days, 0)) * DAY_MS;
    must(until > limit, `${person} could not pay ${caller} for ${days} days, though they end in time`);
    return 'refused';
  }
  const isNew = after.rows.intents.length > rows.intents.length;
  // The clock may run during the request.
  const end = paidUntil + days * DAY_MS;
  must(!isNew || end <= limit + DAY_MS, `${person} could pay ${caller} until ${end}`);
  return 'allowed';
}

/** True if the caller ended a call in each of the last three spans of 30 days and had no silent day in them. */
function isSteady({ ended, silentDays }: Snapshot['rows'], caller: CallerName, at: number): boolean {
  const isLate = (time: number, span: number) => time > at - (span + 1) * MONTH_MS;
  const isIn = (time: number, span: number) => isLate(time, span) && time <= at - span * MONTH_MS;
  const wasSilent = silentDays.some((day) => day.caller_id === caller && isLate(day.at, 2));
  return (
    !wasSilent &&
    [0, 1, 2].every((span) => ended.some((call) => call.caller_id === caller && isIn(call.ended_at, span)))
  );
}

export function pickedBy(history: History, operation: Operation): Signed | undefined {
  return 'transaction' in operation && operation.kind !== 'fork'
    ? nth(present(history.transactions), operation.transaction)
    : undefined;
}

/** The oldest transactions of an intent that a search reads. */
const SEARCHED = 10;

/** Checks that a search finds a payment that has landed, and says so if it can't be read. */
function checkSearch(
  history: History,
  { intent, reply, before }: { intent: Intent | undefined; reply: Reply; before: Before },
): void {
  if (reply.ok || !intent) return;
  const { chain, rows } = before;
  const named = history.transactions.filter(({ names }) => names.includes(intent));
  if (named.length > SEARCHED) return;
  const known = new Set(rows.payments.map(({ signature }) => signature));
  const missed = named.filter((each) => !known.has(each.signature) && chain.paidBy(each).includes(intent));
  for (const { name, version } of missed) {
    must(reply.code !== 'payments.pending', `${name} has landed but was not found: ${reply.code}`);
    must(!canSurelyRead(history, version, before.at), `${name} has landed but was refused: ${reply.code}`);
  }
}

/**
 * True if this follower has a broadcast to this caller that is neither recorded as a payment nor marked
 * dead.
 */
function isUnfinished({ rows }: Snapshot, { person, caller }: Pair, except?: Signed): boolean {
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

/**
 * True if a transaction has landed that names an intent of this pair and isn't recorded, whatever it pays. Also true for a
 * payment that a fork had removed, because it's granted again.
 */
function hasLanded(
  { transactions, refunds }: History,
  { rows, chain }: Snapshot,
  { person, caller }: Pair,
): boolean {
  const isRevoked = (paymentId: string) =>
    rows.ledger.findLast((entry) => entry.payment_id === paymentId && GRANTS.has(entry.kind))?.kind ===
    'revoked';
  const recorded = new Set(
    rows.payments.filter(({ id }) => !isRevoked(id)).map(({ signature }) => signature),
  );
  const landed = transactions.filter(
    (each) => !recorded.has(each.signature) && chain.landed(each) !== undefined,
  );
  return [...landed, ...refunds].some(({ names }) =>
    names.some((intent) => intent.owner === person && intent.caller === caller),
  );
}

/** Checks that the intent has the caller's terms, and that no payment of it has landed. */
function checkTerms({ intents, transactions }: History, { person, caller }: Pair, before: Snapshot): void {
  const intent = intents.findLast((each) => each.owner === person && each.caller === caller && !each.isLost);
  const terms = callerIn(before, caller);
  const isSame =
    intent &&
    BigInt(terms?.fee_lamports ?? 0) === intent.feeLamports &&
    (intent.feeLamports * BigInt(intent.days) + 29n) / 30n ===
      intent.callerLamports + intent.platformLamports &&
    terms?.payout_address === intent.callerAddress;
  must(isSame === true, `the terms that ${person} received differ from those of ${caller}`);
  const paid = transactions.find(
    (each) => each.names.length === 1 && before.chain.paidBy(each).includes(intent),
  );
  must(!paid, `${person} was asked to pay ${caller} again although ${paid?.name} has landed`);
}

/**
 * Checks a change of a caller's fee. From Free to Paid, free followers keep access for 30 days. From Paid
 * to Free, subscriptions stay. Paid time never changes.
 */
function checkFee({ caller, fee }: OperationOf<'fee'>, before: Before, after: Snapshot): void {
  const { at } = before;
  const wanted = FEES[fee] ?? null;
  const now = callerIn(after, caller)?.fee_lamports;
  must(
    now === Math.round(Number(wanted ?? 0) * 1e9),
    `${caller} set a fee of ${wanted} SOL but the database has ${now} lamports`,
  );
  for (const { follower } of PAIRS.filter((pair) => pair.caller === caller)) {
    const isOfPair = (row: { subscriber_id: string; caller_id: string }) =>
      row.subscriber_id === follower && row.caller_id === caller;
    const [periods, periodsAfter] = [before, after].map(({ rows }) => withSilentDays(rows).filter(isOfPair));
    // Compares the stored times, because the change of the fee also adds the caller's silent day.
    const [paid, paidAfter] = [before, after].map(({ rows }) =>
      JSON.stringify(rows.subscriptions.filter((row) => isOfPair(row) && row.payment_id !== null)),
    );
    must(paid === paidAfter, `a new fee of ${caller} changed the paid periods of ${follower}`);
    const hasGrant = (all: typeof periods) => all?.some(({ ends_at }) => ends_at === null) === true;
    if (wanted !== null) {
      must(!hasGrant(periodsAfter), `${follower} has an open free grant although ${caller} is Paid`);
      must(
        !isFree(before, caller) || !hasGrant(periods) || coveredUntil(at, periodsAfter) >= at + MONTH_MS,
        `${follower} loses access to ${caller} before 30 days are over`,
      );
    } else if (!isFree(before, caller)) {
      const hadAccess = periods?.some(({ ends_at }) => ends_at !== null && ends_at > at) === true;
      must(!hadAccess || hasGrant(periodsAfter), `${follower} has no open grant after ${caller} became Free`);
    }
  }
}

/** Returns the end of the access that starts at `from` and has no gap between its periods. */
function coveredUntil(
  from: number,
  periods: readonly { starts_at: number; ends_at: number | null }[] = [],
): number {
  let until = from;
  for (const { starts_at, ends_at } of periods.toSorted((a, b) => a.starts_at - b.starts_at)) {
    if (starts_at <= until && ends_at !== null) until = Math.max(until, ends_at);
  }
  return until;
}
