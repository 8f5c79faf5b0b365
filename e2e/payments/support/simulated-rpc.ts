import { SystemProgram } from '@solana/web3.js';
import { SLOT_MS } from '#dev/stand-ins/chain/slot-clock.ts';
import { createSolanaRpc } from '#worker/adapters/solana-rpc.ts';
import type { Clock } from '#worker/ports/clock.ts';

const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const FINALITY_MS = 13_000;
const PAGE = 1_000;

/** A successful transaction that names the platform wallet. */
export interface SimulatedTransaction {
  readonly signature: string;
  /** Unix ms. */
  readonly at: number;
  readonly memo: string | null;
  readonly accounts: readonly string[];
  readonly transfers: readonly { readonly destination: string; readonly lamports: number }[];
}

interface RpcBody {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * Two RPC endpoints over a list of transactions, oldest first. The first endpoint is `slotsBehind` slots behind. It
 * responds to the requests of the platform walk and of the finalization.
 */
export function createSimulatedRpc({ clock, slotsBehind }: { clock: Clock; slotsBehind: number }) {
  const landed: SimulatedTransaction[] = [];
  const bySignature = new Map<string, SimulatedTransaction>();
  let requests = 0;

  /** The transactions that an endpoint has finalized, newest first. */
  const page = (until: number, before: string | undefined) => {
    let last = landed.length - 1;
    if (before !== undefined) last = landed.findLastIndex(({ signature }) => signature === before) - 1;
    while (last >= 0 && (landed[last]?.at ?? 0) > until) last -= 1;
    return landed.slice(Math.max(0, last - PAGE + 1), last + 1).toReversed();
  };

  const respond = (seenUntil: number, { method, params }: RpcBody): unknown => {
    const finalizedUntil = seenUntil - FINALITY_MS;
    if (method === 'getSignaturesForAddress') {
      const { before } = (params[1] ?? {}) as { before?: string };
      return page(finalizedUntil, before).map(describeEntry);
    }
    if (method === 'getTransaction') {
      const found = bySignature.get(params[0] as string);
      return found === undefined || found.at > seenUntil ? null : describeTransaction(found);
    }
    if (method === 'getSignatureStatuses') {
      const value = (params[0] as string[]).map((signature) => {
        const found = bySignature.get(signature);
        if (found === undefined || found.at > seenUntil) return null;
        const confirmationStatus = found.at <= finalizedUntil ? 'finalized' : 'confirmed';
        return { slot: slotOf(found.at), confirmations: null, err: null, confirmationStatus };
      });
      return { context: { slot: slotOf(seenUntil) }, value };
    }
    throw new Error(`The simulation has no ${method}`);
  };

  const fetchRpc = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const body = JSON.parse(String(init?.body)) as RpcBody;
    const lag = String(input).includes('//one.') ? slotsBehind * SLOT_MS : 0;
    if (body.method === 'getGenesisHash') {
      return Response.json({ jsonrpc: '2.0', id: body.id, result: GENESIS });
    }
    requests += 1;
    return Response.json({ jsonrpc: '2.0', id: body.id, result: respond(clock.now() - lag, body) });
  };

  return {
    chain: createSolanaRpc({
      urls: { primary: 'https://one.example/key', fallback: 'https://two.example/key' },
      genesisHash: GENESIS,
      signaturesPerRequest: 256,
      clock,
      fetch: fetchRpc,
    }),
    /** The transactions must be added in the order of their time. */
    land(transaction: SimulatedTransaction): void {
      landed.push(transaction);
      bySignature.set(transaction.signature, transaction);
    },
    /** A fork removes the transaction. */
    forget(signature: string): void {
      bySignature.delete(signature);
      landed.splice(
        landed.findLastIndex((each) => each.signature === signature),
        1,
      );
    },
    landedBetween: (from: number, to: number) => landed.filter(({ at }) => at > from && at <= to).length,
    /** Requests since the last call. */
    takeRequests(): number {
      const count = requests;
      requests = 0;
      return count;
    },
  };
}

const slotOf = (at: number) => Math.floor(at / SLOT_MS);

const describeEntry = ({ signature, at, memo }: SimulatedTransaction) => ({
  signature,
  slot: slotOf(at),
  err: null,
  memo: memo === null ? null : `[${memo.length}] ${memo}`,
  blockTime: Math.floor(at / 1_000),
  confirmationStatus: 'finalized',
});

function describeTransaction({ signature, at, accounts, transfers }: SimulatedTransaction) {
  const [source] = accounts;
  const received = (account: string) =>
    transfers
      .filter(({ destination }) => destination === account)
      .reduce((sum, each) => sum + each.lamports, 0);
  const sent = transfers.reduce((sum, { lamports }) => sum + lamports, 0);
  return {
    slot: slotOf(at),
    blockTime: Math.floor(at / 1_000),
    version: 'legacy',
    transaction: {
      signatures: [signature],
      message: {
        recentBlockhash: GENESIS,
        accountKeys: accounts.map((pubkey, index) => ({
          pubkey,
          signer: index === 0,
          writable: true,
          source: 'transaction',
        })),
        instructions: transfers.map(({ destination, lamports }) => ({
          program: 'system',
          programId: SystemProgram.programId.toBase58(),
          parsed: { type: 'transfer', info: { source, destination, lamports } },
        })),
      },
    },
    meta: {
      err: null,
      fee: 5_000,
      innerInstructions: [],
      logMessages: [],
      preBalances: accounts.map(() => 10_000_000_000),
      postBalances: accounts.map(
        (account, index) => 10_000_000_000 + received(account) - (index === 0 ? sent + 5_000 : 0),
      ),
      preTokenBalances: [],
      postTokenBalances: [],
    },
  };
}
