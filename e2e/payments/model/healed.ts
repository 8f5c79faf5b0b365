import { SLOTS_TO_FINALITY, type History } from './history.ts';
import { must, type Moment } from './invariants.ts';
import type { Signed } from './transactions.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Limits of one cron run. */
const INTENTS_PER_RUN = 30;
const NAMED_PER_INTENT = 10;
const BLOCKHASH_BLOCKS = 150;

/** Whether the cron can find a transaction: we sent it, or it names an intent of the last day. */
function isInReach(history: History, { rows }: Moment, transaction: Signed): boolean {
  if (
    rows.broadcasts.some(({ signature, dead_at }) => signature === transaction.signature && dead_at === null)
  ) {
    return true;
  }
  return isNamedOfLate(history, { rows }, transaction);
}

function isNamedOfLate(
  { now, transactions }: History,
  { rows }: Pick<Moment, 'rows'>,
  transaction: Signed,
): boolean {
  const young = rows.intents.filter(({ created_at }) => created_at > now() - DAY_MS);
  if (young.length > INTENTS_PER_RUN) return false;
  return transaction.names.some((intent) => {
    const others = transactions.filter(({ names }) => names.includes(intent));
    return others.length <= NAMED_PER_INTENT && young.some(({ reference }) => reference === intent.reference);
  });
}

/**
 * Checks the state after an undisturbed cron run: landed payments have their period, finalized ones are settled,
 * vanished ones have none, and money that bought nothing is on the operator's list. With `everywhere` (after the
 * daily check) it must hold for transactions that the cron cannot find, too.
 */
export function checkHealed(history: History, moment: Moment, { everywhere }: { everywhere: boolean }): void {
  const { rows, chain } = moment;
  const payments = new Map(rows.payments.map((payment) => [payment.signature, payment]));
  const periods = new Map(rows.subscriptions.map((period) => [period.payment_id, period]));
  for (const transaction of history.transactions) {
    const { name, signature, platformGain } = transaction;
    const landed = chain.landed(transaction);
    const payment = payments.get(signature);
    const period = payment && periods.get(payment.id);
    const orphan = rows.orphans.find((row) => row.signature === signature);
    const isPaid = chain.paidBy(transaction).length > 0;
    // After a fork it may land again too late: a period granted in time stays.
    const mayBePaid = isPaid || (transaction.wasInTime && landed?.hasFailed === false);
    const mustBePaid = isPaid || (mayBePaid && payment !== undefined);
    const isFinal = landed?.status === 'finalized';

    if (landed === undefined) {
      const grant = rows.ledger.findLast(
        ({ payment_id, kind }) => payment_id === payment?.id && kind === 'granted',
      );
      const isGone = (grant?.slot ?? 0) < history.slotAt(history.now()) - SLOTS_TO_FINALITY;
      must(!period || !isGone, `${name} is gone from the chain, and its period is still there`);
      const isForgotten =
        history.heightAt(transaction.sentAt) + BLOCKHASH_BLOCKS <
        history.heightAt(history.now()) - SLOTS_TO_FINALITY;
      const isJustRevoked = rows.ledger.some(
        ({ payment_id, kind, at }) =>
          payment_id === payment?.id && kind === 'revoked' && at === history.now(),
      );
      const isHeldUp =
        rows.broadcasts.some((row) => row.signature === signature && row.dead_at === null) &&
        !period &&
        !isJustRevoked;
      must(!isForgotten || !isHeldUp, `${name} can never land any more, and still holds up others`);
      must(!orphan, `${name} is not on the chain, and on the operator's list`);
      continue;
    }
    if (landed.status === 'processed') continue;
    must(
      !period || mayBePaid,
      `${name} has a period, and ${landed.hasFailed ? 'failed' : 'pays nothing in time'}`,
    );
    must(
      !orphan || (!mustBePaid && isFinal && !landed.hasFailed),
      `${name} is on the operator's list, and ${mustBePaid ? 'was a payment' : 'took no money for good'}`,
    );
    if (mustBePaid) {
      if (!everywhere && !isInReach(history, moment, transaction)) continue;
      must(period !== undefined, `${name} has landed and has no period`);
      must(!isFinal || period.settled_at !== null, `${name} is finalized and not settled`);
    } else if (isFinal && !landed.hasFailed && (everywhere || isNamedOfLate(history, moment, transaction))) {
      must(orphan !== undefined, `${name} took money, bought nothing, and is not on the operator's list`);
      must(
        BigInt(orphan.platform_lamports) === platformGain,
        `${name} left the platform ${platformGain} lamports, and the operator's list says ${orphan.platform_lamports}`,
      );
    }
  }
}

/** Every lamport that reached the platform belongs to a payment or an orphan. */
export function checkPlatformBalance({ rows, chain }: Moment, atFirst: bigint): void {
  const granted = new Set(rows.subscriptions.map(({ payment_id }) => payment_id));
  const paid = rows.payments
    .filter(({ id }) => granted.has(id))
    .reduce((sum, { platform_lamports }) => sum + platform_lamports, 0);
  const orphaned = rows.orphans.reduce((sum, { platform_lamports }) => sum + platform_lamports, 0);
  must(
    chain.platformBalance - atFirst === BigInt(paid + orphaned),
    `the platform received ${chain.platformBalance - atFirst} lamports, of which ${paid} are payments and ${orphaned} are on the operator's list`,
  );
}
