import { testEnv } from '#worker/test-support/test-app.ts';
import { PLATFORM } from './cast.ts';
import type { History } from './history.ts';
import type { Intent, Signed } from './transactions.ts';

/**
 * A payment counts if its block is at most this long after the intent's end. A blockhash stays valid for up to
 * two minutes, and the chain's clock may be off by another two.
 */
const GRACE_MS = 4 * 60_000;

export interface Landed {
  readonly slot: number;
  readonly status: 'processed' | 'confirmed' | 'finalized';
  readonly hasFailed: boolean;
  /** Unix ms in whole seconds; undefined until the transaction is confirmed. */
  readonly blockTime: number | undefined;
}

export interface ChainView {
  landed(transaction: Signed): Landed | undefined;
  /** The intents that a landed transaction paid. Exactly one of these intents must have a period. */
  paidBy(transaction: Signed): readonly Intent[];
  readonly platformBalance: bigint;
}

type Answers = [
  { result: { value: ({ slot: number; confirmationStatus: Landed['status']; err: unknown } | null)[] } },
  { result: { signature: string; blockTime: number }[] },
  { result: { value: number } },
];

export async function readChain({ transactions }: History): Promise<ChainView> {
  const platform = PLATFORM.publicKey.toBase58();
  const requests = [
    {
      method: 'getSignatureStatuses',
      params: [transactions.map(({ signature }) => signature), { searchTransactionHistory: true }],
    },
    { method: 'getSignaturesForAddress', params: [platform, { commitment: 'confirmed' }] },
    { method: 'getBalance', params: [platform, { commitment: 'finalized' }] },
  ];
  const response = await fetch(testEnv.SOLANA_RPC_URL, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(requests.map((request, id) => ({ jsonrpc: '2.0', id, ...request }))),
  });
  const [statuses, named, balance] = await response.json<Answers>();
  const times = new Map(named.result.map(({ signature, blockTime }) => [signature, blockTime * 1000]));
  const landed = new Map(
    statuses.result.value.flatMap((status, index): [Signed, Landed][] => {
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
  for (const transaction of transactions) transaction.wasInTime ||= paidBy(transaction).length > 0;
  return {
    landed: (transaction) => landed.get(transaction),
    paidBy,
    platformBalance: BigInt(balance.result.value),
  };
}
