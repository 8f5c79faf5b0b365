import { SECOND_MS } from '#schema/constants/time.ts';
import type { Chain } from '../../adapters/solana-rpc.ts';
import type { ChainTransaction, SignatureEntry } from '../../ports/chain.ts';

/** The time after which a transaction is final. */
const FINALITY_MS = 13 * SECOND_MS;
const BLOCKHASH_MS = 60 * SECOND_MS;
const SLOT_MS = 400;
const PAGE_SIZE = 1_000;

export interface RefundTransfer {
  readonly from: string;
  readonly to: string;
  readonly lamports: bigint;
  readonly references: readonly string[];
}

interface LandedTransfer extends RefundTransfer {
  readonly signature: string;
  readonly slot: number;
  readonly at: number;
}

/** A simulated chain of transfers between wallets, with finality and forks. */
export function createRefundChain(now: () => number) {
  const landed: LandedTransfer[] = [];
  let sent = 0;
  const slotAt = (at: number) => Math.floor(at / SLOT_MS);
  const isFinal = ({ at }: LandedTransfer) => at + FINALITY_MS <= now();
  const entryOf = ({ signature, slot, at }: LandedTransfer): SignatureEntry => ({
    signature,
    slot,
    hasFailed: false,
    at,
    memo: null,
  });

  /** Oldest first on a page of the newest, as nodes with different orders within a slot would list it. */
  const page = (address: string, before: string | null) => {
    const all = landed.filter((each) => each.references.includes(address) && isFinal(each)).toReversed();
    const from = before === null ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
    const entries = all.slice(from, from + PAGE_SIZE);
    return {
      entries: entries.map(entryOf),
      end: entries.length === PAGE_SIZE ? ('more' as const) : ('met' as const),
    };
  };

  const describe = ({
    from,
    to,
    lamports,
    references,
    signature,
    slot,
    at,
  }: LandedTransfer): ChainTransaction => ({
    signature,
    slot,
    blockTime: at,
    hasFailed: false,
    accounts: [from, to, ...references],
    signers: [from],
    transfers: [{ source: from, destination: to, lamports }],
    balanceChanges:
      from === to
        ? new Map()
        : new Map([
            [from, -lamports],
            [to, lamports],
          ]),
    feePayer: from,
    feeLamports: 0n,
    memos: [],
  });

  const chain = {
    latestBlockhash: async () => ({
      blockhash: 'blockhash',
      lastValidBlockHeight: slotAt(now() + BLOCKHASH_MS),
    }),
    lastValidBlockHeight: async () => slotAt(now() + BLOCKHASH_MS),
    recentPrices: async () => [],
    signatureStates: async (signatures) => signatures.map(() => ({ status: 'unknown' as const })),
    absentAtFinalized: async (queries) =>
      new Set(
        queries
          .filter(({ upTo }) => 'blockHeight' in upTo && upTo.blockHeight < slotAt(now() - FINALITY_MS))
          .map(({ signature }) => signature),
      ),
    transaction: async (signature) => {
      const found = landed.find((each) => each.signature === signature);
      return found ? describe(found) : 'absent';
    },
    newestFinalizedPage: async ({ address }) => page(address, null),
    finalizedPage: async ({ address, before }) => page(address, before),
  } satisfies Partial<Chain>;

  return {
    // The other methods aren't part of refunds.
    chain: chain as Partial<Chain> as Chain,

    land(transfer: RefundTransfer): LandedTransfer {
      sent += 1;
      const at = now();
      const transaction = { ...transfer, signature: `transfer-${at}-${sent}`, slot: slotAt(at), at };
      landed.push(transaction);
      return transaction;
    },

    /** Removes the newest transaction if it isn't final. */
    fork(): void {
      const newest = landed.at(-1);
      if (newest && !isFinal(newest)) landed.pop();
    },

    count: () => landed.length,

    hasFinal: ({ signature }: { readonly signature: string }) =>
      landed.some((each) => each.signature === signature && isFinal(each)),
  };
}
