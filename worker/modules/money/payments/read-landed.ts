import type { ChainTransaction } from '../../../ports/chain.ts';
import { mapConcurrently, MAX_CONNECTIONS } from '../../../shared/concurrency.ts';
import type { OrphanRow } from './ledger.repository.ts';
import { namedIntents } from './plan-reads.ts';
import { describeOrphan, recordIfPaid, RECORDS_PER_RUN, type PaymentDependencies } from './record-payment.ts';
import type { Dust } from './unread.repository.ts';

/** Half of the connections, because a read may ask both endpoints. */
const CONCURRENT_READS = MAX_CONNECTIONS / 2;
/** After this many failures without a success, the endpoints have failed. */
const MAX_FAILED_READS = 5;

export interface Findings {
  readonly recorded: number;
  readonly orphans: readonly OrphanRow[];
  readonly dust: Dust;
  /** Signatures that no endpoint has yet, and those that couldn't be read, although others could. */
  readonly absent: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  readonly unreadable: ReadonlySet<string>;
  /** Signatures that the next run reads, because this one has recorded RECORDS_PER_RUN payments. */
  readonly left: ReadonlySet<string>;
}

/**
 * Reads finalized transactions of the platform wallet. Records those that pay an intent, one at a time and in
 * the given order, so that a subscriber's payments to a caller keep their order.
 */
export function createReadLanded(options: PaymentDependencies) {
  const { intents, chain, clock, platformAddress } = options;

  /** @param save is called at least every ten seconds */
  return async (signatures: readonly string[], save: () => Promise<void>): Promise<Findings> => {
    const failed = new Set<string>();
    let hasRead = false;
    const read = async (signature: string) => {
      await save();
      try {
        const transaction = await chain.transaction(signature);
        hasRead = true;
        return { signature, transaction };
      } catch (error) {
        failed.add(signature);
        // If nothing can be read, the next run reads everything again.
        if (!hasRead && failed.size >= Math.min(MAX_FAILED_READS, signatures.length)) throw error;
        return { signature, transaction: 'absent' as const };
      }
    };
    const readings = await mapConcurrently(signatures, read, CONCURRENT_READS);
    const readable = readings.flatMap(({ transaction }) =>
      typeof transaction === 'string' || transaction.blockTime === null ? [] : [transaction],
    );
    const unreadable = new Set(
      readings.flatMap(({ signature, transaction }) => (transaction === 'unreadable' ? [signature] : [])),
    );
    const known = new Set([...unreadable, ...readable.map(({ signature }) => signature)]);
    const found = await intents.find({
      accounts: readable.flatMap(({ accounts }) => accounts),
      ids: readable.flatMap(({ memos }) => memos.flatMap(namedIntents)),
    });
    const byReference = new Map(found.map((intent) => [intent.reference, intent]));
    const byId = new Map(found.map((intent) => [intent.id, intent]));
    const orphans: OrphanRow[] = [];
    const dust = { transfers: 0, lamports: 0n };
    const left = new Set<string>();
    let recorded = 0;
    for (const transaction of readable) {
      if (recorded >= RECORDS_PER_RUN) {
        left.add(transaction.signature);
        continue;
      }
      const named = transaction.accounts.flatMap((account) => byReference.get(account) ?? []);
      await save();
      const { intent, verdict } = await recordIfPaid(options, { transaction, named });
      if ('payer' in verdict) {
        recorded += 1;
        continue;
      }
      const now = clock.now();
      const namedByMemo = transaction.memos.flatMap(namedIntents).flatMap((id) => byId.get(id) ?? []);
      const orphan = describeOrphan(
        { transaction, intent, named: [...named, ...namedByMemo], ...verdict },
        { platformAddress, now },
      );
      if (orphan) orphans.push(orphan);
      else addDust(dust, transaction, platformAddress);
    }
    const absent = new Set(signatures.filter((signature) => !known.has(signature)));
    return { recorded, orphans, dust, absent, unreadable, failed, left };
  };
}

function addDust(
  dust: { transfers: number; lamports: bigint },
  { balanceChanges }: ChainTransaction,
  platformAddress: string,
): void {
  const received = balanceChanges.get(platformAddress) ?? 0n;
  if (received <= 0n) return;
  dust.transfers += 1;
  dust.lamports += received;
}
