import type { Chain } from '../../adapters/solana-rpc.ts';
import type {
  ChainTransaction,
  FinalizedPage,
  FinalizedPageQuery,
  SignatureEntry,
} from '../../ports/chain.ts';

const PAGE_SIZE = 1_000;

export interface ListChain {
  readonly chain: Chain;
  /** The platform wallet's transactions, newest first. */
  readonly entries: SignatureEntry[];
  /** By signature. All other transactions are absent. */
  readonly transactions: Map<string, ChainTransaction | 'unreadable'>;
  /** The signatures whose transactions were read, in order. */
  readonly reads: string[];
  /** All requests so far. */
  readonly requests: () => number;
  readonly mostAtOnce: () => number;
  /** Runs before a transaction is read. */
  beforeRead: (signature: string) => Promise<void>;
}

/** A chain for the platform walk and the daily check: finalized transactions from two lists. */
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

      absentAtFinalized: async () => new Set(),

      transaction: (signature) =>
        count(async () => {
          await environment.beforeRead(signature);
          environment.reads.push(signature);
          return environment.transactions.get(signature) ?? 'absent';
        }),

      finalizedPage: (query) => count(() => pageOf(environment.entries, query)),
      newestFinalizedPage: (query) => count(() => pageOf(environment.entries, { ...query, before: null })),
    } satisfies Partial<Chain> as unknown as Chain,
  };
  return environment;
}

function pageOf(
  all: readonly SignatureEntry[],
  { before, positions }: Omit<FinalizedPageQuery, 'address'>,
): FinalizedPage {
  const last = all.findIndex(({ signature }) => signature === before);
  if (before !== null && last < 0) return { entries: [], end: 'unknown' };
  const entries = all.slice(last + 1, last + 1 + PAGE_SIZE);
  const met = entries.findIndex(({ signature }) => positions.some((each) => each.signature === signature));
  if (met >= 0) return { entries: entries.slice(0, met), end: 'met' };
  const lowest = Math.min(...positions.map(({ slot }) => slot));
  const isFull = entries.length === PAGE_SIZE && (entries.at(-1)?.slot ?? 0) >= lowest;
  if (isFull) return { entries, end: 'more' };
  return { entries, end: lowest === 0 ? 'met' : 'passed' };
}
