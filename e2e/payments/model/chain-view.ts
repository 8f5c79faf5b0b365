import { readStatuses, rpc } from '#test/payments/chain.ts';
import { PLATFORM } from './fixtures.ts';
import type { Landed, Snapshot } from './repaired.ts';
import type { History } from './history.ts';
import type { Signed } from './transactions.ts';

/**
 * A payment counts if its block is at most this long after the intent's end. A blockhash stays valid for up to
 * two minutes, and the chain's clock may be off by another two.
 */
const GRACE_MS = 4 * 60_000;

export async function readChain({ transactions }: History): Promise<Snapshot['chain']> {
  const platform = PLATFORM.publicKey.toBase58();
  const [statuses, named, balance] = await Promise.all([
    readStatuses(transactions.map(({ signature }) => signature)),
    rpc<{ signature: string; blockTime: number }[]>('getSignaturesForAddress', platform, {
      commitment: 'confirmed',
    }),
    rpc<{ value: number }>('getBalance', platform, { commitment: 'finalized' }),
  ]);
  const times = new Map(named.map(({ signature, blockTime }) => [signature, blockTime * 1000]));
  const landed = new Map<string, Landed>();
  for (const [index, { signature }] of transactions.entries()) {
    const { slot, confirmationStatus: status, err } = statuses[index] ?? {};
    if (slot === undefined || status === undefined) continue;
    landed.set(signature, { slot, status, hasFailed: err !== null, blockTime: times.get(signature) });
  }
  const paidBy = ({ signature, sent, pays }: Signed) => {
    const { hasFailed, blockTime } = landed.get(signature) ?? {};
    if (hasFailed !== false || blockTime === undefined) return [];
    // If the product sent a transaction, it counts as in time, no matter when it lands.
    const wasRelayed = sent === 'accepted' || sent === 'unknown';
    return pays.filter(({ expiresAt }) => wasRelayed || blockTime <= expiresAt + GRACE_MS);
  };
  for (const transaction of transactions) {
    transaction.wasBroadcastForIntent ||= paidBy(transaction).length > 0;
  }
  return { landed: ({ signature }) => landed.get(signature), paidBy, platformBalance: BigInt(balance.value) };
}
