import type { Chain, ChainTransaction, SignatureEntry } from '../../ports/chain.ts';

const PAGE_SIZE = 1_000;

export interface ListChain {
  readonly chain: Chain;
  /** The platform wallet's transactions, newest first. */
  readonly entries: SignatureEntry[];
  /** Readable transactions. Others are `null`. */
  readonly transactions: Map<string, ChainTransaction>;
  /** The signatures whose transactions were read, in order. */
  readonly reads: string[];
  /** All requests so far. */
  readonly requests: () => number;
  readonly mostAtOnce: () => number;
  /** Runs before a transaction is read. */
  beforeRead: (signature: string) => Promise<void>;
}

/** A chain for the daily check: finalized transactions from two lists. */
export function createListChain(): ListChain {
  let requests = 0;
  let running = 0;
  let most = 0;
  const count = async <Value>(response: () => Promise<Value> | Value): Promise<Value> => {
    requests += 1;
    running += 1;
    most = Math.max(most, running);
    try {
      await Promise.resolve();
      return await response();
    } finally {
      running -= 1;
    }
  };
  const environment: ListChain = {
    entries: [],
    transactions: new Map(),
    reads: [],
    requests: () => requests,
    mostAtOnce: () => most,
    beforeRead: async () => undefined,
    chain: {
      signatureStates: (signatures) =>
        count(() => signatures.map(() => ({ status: 'finalized', error: null, slot: 1 }))),

      transaction: (signature) =>
        count(async () => {
          await environment.beforeRead(signature);
          environment.reads.push(signature);
          return environment.transactions.get(signature) ?? null;
        }),

      finalizedPage: ({ before, until }) =>
        count(() => {
          const indexOf = (signature: string) =>
            environment.entries.findIndex((entry) => entry.signature === signature);
          const end = until === null ? environment.entries.length : indexOf(until);
          const entries = environment.entries.slice(before === null ? 0 : indexOf(before) + 1, end);
          return { entries: entries.slice(0, PAGE_SIZE), isLast: entries.length <= PAGE_SIZE };
        }),
    } satisfies Partial<Chain> as unknown as Chain,
  };
  return environment;
}
