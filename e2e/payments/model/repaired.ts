import type { Rows } from '../support/row-queries.ts';
import { must, SLOTS_TO_FINALITY } from './row-invariants.ts';

export interface Landed {
  readonly slot: number;
  readonly status: 'processed' | 'confirmed' | 'finalized';
  readonly hasFailed: boolean;
  /** Unix ms in whole seconds; undefined until the transaction is confirmed. */
  readonly blockTime: number | undefined;
}

/** A transaction with its expected effects, computed without the product. */
export interface Expected {
  readonly name: string;
  readonly signature: string;
  /** The intents that the transaction names. */
  readonly names: readonly { readonly reference: string }[];
  /** The balance changes of the platform and of the first named intent's caller, in lamports. */
  readonly platformGain: bigint;
  readonly callerGain: bigint;
  /** True if it once landed in time. */
  readonly wasBroadcastForIntent: boolean;
  /** Unix ms. */
  readonly sentAt: number;
}

/** All transactions and the chain's time. */
export interface Played {
  readonly transactions: readonly Expected[];
  now(): number;
  slotAt(unixMs: number): number;
  heightAt(unixMs: number): number;
}

/** The rows, and what the chain knows about the transactions. */
export interface Snapshot {
  readonly rows: Rows;
  readonly chain: {
    landed(transaction: Expected): Landed | undefined;
    /** The intents that a landed transaction paid. */
    paidBy(transaction: Expected): readonly unknown[];
    readonly platformBalance: bigint;
  };
}

const BLOCKHASH_BLOCKS = 150;
/** A smaller amount that bought nothing counts as dust. The operator's list omits dust. */
const LISTED_FROM_LAMPORTS = 100_000n;

export interface RepairedOptions {
  /** Includes the transactions that only the walk through the platform wallet finds. */
  readonly everywhere: boolean;
  /** Whether the product may not have been able to read the transaction. */
  isUnread?(transaction: Expected): boolean;
}

/**
 * Checks the state after a cron run without faults. Landed payments must have their period, and finalized
 * ones must be finalized. Vanished payments must have no period. Money that bought nothing must be on the
 * operator's list.
 */
export function checkRepaired(
  history: Played,
  timestamp: Snapshot,
  { everywhere, isUnread = () => false }: RepairedOptions,
): void {
  const { rows, chain } = timestamp;
  const payments = new Map(rows.payments.map((payment) => [payment.signature, payment]));
  const periods = new Map(rows.subscriptions.map((period) => [period.payment_id, period]));
  for (const transaction of history.transactions) {
    const { name, signature, platformGain, callerGain, names } = transaction;
    const isDust = platformGain + (names.length > 0 ? callerGain : 0n) < LISTED_FROM_LAMPORTS;
    const landed = chain.landed(transaction);
    const payment = payments.get(signature);
    const period = payment && periods.get(payment.id);
    const orphan = rows.orphans.find((row) => row.signature === signature);
    const isPaid = chain.paidBy(transaction).length > 0;
    // After a fork, the transaction may land again, but too late. A period that was granted in time stays.
    const mayBePaid = isPaid || (transaction.wasBroadcastForIntent && landed?.hasFailed === false);
    const mustBePaid = isPaid || (mayBePaid && payment !== undefined);
    const isFinal = landed?.status === 'finalized';

    if (landed === undefined) {
      const grant = rows.ledger.findLast(
        ({ payment_id, kind }) => payment_id === payment?.id && kind === 'granted',
      );
      const isGone = (grant?.slot ?? 0) < history.slotAt(history.now()) - SLOTS_TO_FINALITY;
      must(!period || !isGone, `${name} vanished from the chain but still has a period`);
      const broadcast = rows.broadcasts.find((row) => row.signature === signature && row.dead_at === null);
      // A wallet's transaction is stored when it's found but can't be read.
      const storedAt = Math.max(transaction.sentAt, broadcast?.created_at ?? 0);
      const hasExpired =
        history.heightAt(storedAt) + BLOCKHASH_BLOCKS < history.heightAt(history.now()) - SLOTS_TO_FINALITY;
      const isJustRevoked = rows.ledger.some(
        ({ payment_id, kind, at }) =>
          payment_id === payment?.id && kind === 'revoked' && at === history.now(),
      );
      const isBlocking = broadcast !== undefined && !period && !isJustRevoked;
      must(!hasExpired || !isBlocking, `${name} can no longer land but still blocks other payments`);
      must(!orphan, `${name} is on the operator's list but not on the chain`);
      continue;
    }
    if (landed.status === 'processed') continue;
    must(
      !period || mayBePaid,
      `${name} has a period but ${landed.hasFailed ? 'failed' : 'is no payment in time'}`,
    );
    must(
      !orphan || (!mustBePaid && isFinal && !landed.hasFailed && !isDust),
      `${name} is on the operator's list but ${mustBePaid ? 'is a payment' : 'is dust, not final or failed'}`,
    );
    if (!period && !orphan && isUnread(transaction)) continue;
    if (mustBePaid) {
      const isOpen = rows.broadcasts.some((row) => row.signature === signature && row.dead_at === null);
      if (!everywhere && !isOpen) continue;
      const isRefunded = rows.ledger.some(
        ({ payment_id, kind }) => payment_id === payment?.id && kind === 'refunded',
      );
      must(period !== undefined || isRefunded, `${name} has landed but has no period`);
      must(!isFinal || !period || period.finalized_at !== null, `${name} is finalized but not settled`);
    } else if (isFinal && !landed.hasFailed && !isDust && everywhere) {
      must(orphan !== undefined, `${name} took money and bought nothing but is not on the operator's list`);
      must(
        BigInt(orphan.platform_lamports) === platformGain,
        `${name} paid the platform ${platformGain} lamports but the operator's list has ${orphan.platform_lamports}`,
      );
      const parts = JSON.parse(orphan.caller_parts) as readonly { lamports: number }[];
      const listed = parts.reduce((sum, { lamports }) => sum + BigInt(lamports), 0n);
      must(
        names.length !== 1 || listed === (callerGain > 0n ? callerGain : 0n),
        `${name} paid the caller ${callerGain} lamports but the operator's list has ${listed}`,
      );
    }
  }
}

/** Every lamport that reached the platform belongs to a payment, an orphan or the counted dust. */
export function checkPlatformBalance({ rows, chain }: Snapshot, atFirst: bigint): void {
  // The platform keeps its share of a refunded payment.
  const granted = new Set([
    ...rows.subscriptions.map(({ payment_id }) => payment_id),
    ...rows.ledger.filter(({ kind }) => kind === 'refunded').map(({ payment_id }) => payment_id),
  ]);
  const paid = rows.payments
    .filter(({ id }) => granted.has(id))
    .reduce((sum, { platform_lamports }) => sum + platform_lamports, 0);
  const orphaned = rows.orphans.reduce((sum, { platform_lamports }) => sum + platform_lamports, 0);
  const dust = rows.dust[0]?.lamports ?? 0;
  must(
    chain.platformBalance - atFirst === BigInt(paid + orphaned + dust),
    `the platform received ${chain.platformBalance - atFirst} lamports but has ${paid} from payments, ${orphaned} on the operator's list and ${dust} of dust`,
  );
}
