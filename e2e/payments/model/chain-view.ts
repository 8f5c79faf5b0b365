import { readStatuses, rpc } from '#worker/test-support/payments/chain.ts';
import { PLATFORM } from './fixtures.ts';
import type { Landed } from './repaired.ts';
import type { History } from './history.ts';
import type { Intent, Signed } from './transactions.ts';

/**
 * A payment counts if its block is at most this long after the intent's end. A blockhash stays valid for up to
 * two minutes, and the chain's clock may be off by another two.
 */
const GRACE_MS = 4 * 60_000;

export interface ChainView {
  landed(transaction: Signed): Landed | undefined;
  /** The intents that a landed transaction paid. Exactly one of these intents must have a period. */
  paidBy(transaction: Signed): readonly Intent[];
  readonly platformBalance: bigint;
}

export async function readChain({ transactions }: History): Promise<ChainView> {
  const platform = PLATFORM.publicKey.toBase58();
  const [statuses, named, balance] = await Promise.all([
    readStatuses(transactions.map(({ signature }) => signature)),
    rpc<{ signature: string; blockTime: number }[]>('getSignaturesForAddress', platform, {
      commitment: 'confirmed',
    }),
    rpc<{ value: number }>('getBalance', platform, { commitment: 'finalized' }),
  ]);
  const times = new Map(named.map(({ signature, blockTime }) => [signature, blockTime * 1000]));
  const landed = new Map(
    statuses.flatMap((status, index): [Signed, Landed][] => {
      const transaction = transactions[index];
      if (!transaction || status === null) return [];
      return [
        [
          transaction,
          {
            slot: status.slot,
            status: status.confirmationStatus,
            hasFailed: status.err !== null,
            blockTime: times.get(transaction.signature),
          },
        ],
      ];
    }),
  );
  const paidBy = (transaction: Signed) => {
    const found = landed.get(transaction);
    const { blockTime } = found ?? {};
    if (!found || found.hasFailed || blockTime === undefined) return [];
    // If the product sent a transaction, it counts as in time, no matter when it lands.
    const wasRelayed = transaction.sent === 'accepted' || transaction.sent === 'unknown';
    return transaction.pays.filter(({ expiresAt }) => wasRelayed || blockTime <= expiresAt + GRACE_MS);
  };
  for (const transaction of transactions) {
    transaction.wasBroadcastForIntent ||= paidBy(transaction).length > 0;
  }
  return {
    landed: (transaction) => landed.get(transaction),
    paidBy,
    platformBalance: BigInt(balance.value),
  };
}
