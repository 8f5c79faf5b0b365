import type { CallerName, Name } from './fixtures.ts';
import type { History } from './history.ts';
import type { Snapshot } from './repaired.ts';
import { must } from './row-invariants.ts';
import type { Intent, Signed, Version } from './transactions.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The platform walk reads at most this many transactions of an intent first. */
const MAX_PRIORITY_READS = 5;

/** Whether the product can certainly read the version, although one of the endpoints may be down. */
export const canSurelyRead = ({ nodes, disturbedUntil }: History, version: Version, at: number): boolean =>
  nodes.canAllRead(version) || (nodes.canRead(version) && at >= disturbedUntil);

/** The pair's payments that the product has seen but can't read. */
export const findSeen = (
  { transactions, nodes }: History,
  { person, caller }: { person: Name; caller: CallerName },
): readonly Signed[] =>
  transactions.filter(
    ({ wasSeenUnreadable, version, pays }) =>
      wasSeenUnreadable &&
      !nodes.canRead(version) &&
      pays.some((intent) => intent.owner === person && intent.caller === caller),
  );

/** Checks that nobody is asked to pay again, or sends another payment, after the product has seen an unreadable one. */
export function checkOffers({ transactions, offers }: History, { rows, chain }: Snapshot): void {
  const recorded = new Set(rows.payments.map(({ signature }) => signature));
  for (const transaction of transactions) {
    transaction.wasSeenUnreadable &&= !recorded.has(transaction.signature);
  }
  for (const { what, sent, seen } of offers.splice(0)) {
    // A payment that is already recorded isn't sent again.
    if (sent && recorded.has(sent.signature)) continue;
    // A paid intent blocks nothing, because anybody can name it in a transaction that can't be read.
    const unread = seen.find(
      (each) =>
        each !== sent &&
        chain.paidBy(each).length > 0 &&
        !each.pays.every(({ id }) => rows.payments.some(({ intent_id }) => intent_id === id)),
    );
    must(unread === undefined, `${what} although ${unread?.name} has landed and can't be read`);
  }
}

type Before = Snapshot & { readonly at: number };

/** Notes the unreadable payments that the search for an intent's payment has found. */
export function noteSearched(history: History, before: Before, intent: Intent): void {
  for (const transaction of listUnread(history, before)) {
    transaction.wasSeenUnreadable ||= transaction.names.includes(intent);
  }
}

/** Notes the unreadable payments that the walk through the platform wallet has found. */
export function noteWalked(history: History, before: Before): void {
  for (const transaction of listUnread(history, before)) {
    transaction.wasSeenUnreadable ||= isReadFirst(history, transaction, before);
  }
}

const listUnread = ({ transactions, nodes }: History, { chain }: Before): readonly Signed[] =>
  transactions.filter((each) => !nodes.canRead(each.version) && chain.paidBy(each).length > 0);

/** Whether the platform walk finds the payment by its memo. */
function isReadFirst({ transactions }: History, transaction: Signed, { rows, chain, at }: Before): boolean {
  const { memo, pays } = transaction;
  const intent = pays.find(({ id }) => id === memo);
  return (
    intent !== undefined &&
    chain.landed(transaction)?.status === 'finalized' &&
    at < intent.expiresAt + DAY_MS &&
    !rows.payments.some(({ intent_id }) => intent_id === intent.id) &&
    transactions.filter((each) => each.memo === memo).length <= MAX_PRIORITY_READS
  );
}
