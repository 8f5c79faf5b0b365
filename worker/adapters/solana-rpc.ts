import { PublicKey, SolanaJSONRPCError } from '@solana/web3.js';
import { SECOND_MS } from '#schema/constants.ts';
import type { Movements } from '#schema/rules/buys.ts';
import type { Chain } from '../ports/chain.ts';
import type { Clock } from '../ports/clock.ts';
import { PortUnavailableError } from '../ports/unavailable.ts';
import { EndpointError, type Endpoint, type EndpointName } from './solana-endpoint.ts';
import { askForPresence, createEndpointPool, type EndpointPool } from './solana-endpoint-pool.ts';
import { readMovements, sumHoldings, TOKEN_PROGRAMS } from './solana-movements.ts';
import { createSend } from './solana-send.ts';
import { createSignatureReads } from './solana-signatures.ts';
import { readTransaction } from './solana-transaction.ts';

/** JSON-RPC's error code for an unsupported transaction version. */
const UNREADABLE_VERSION = -32015;
/** Providers reject much longer batches. */
const TRANSACTIONS_PER_BATCH = 25;
/** Price quotes wait for this request, which only dates them. */
const SLOT_TIMEOUT_MS = SECOND_MS;
const READ_TRANSACTION = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;

export interface SolanaRpcOptions {
  /** The URLs contain keys: never log them. */
  readonly urls: Readonly<Record<EndpointName, string>>;
  /** Our cluster's genesis hash, base58. */
  readonly genesisHash: string;
  readonly clock: Clock;
  /** Random number from 0 to 1 that varies the pauses between attempts. */
  readonly random?: () => number;
  readonly fetch?: typeof fetch;
}

/** A cluster over the JSON-RPC of two endpoints. Reads are at commitment confirmed. */
export function createSolanaRpc({
  random = Math.random,
  fetch = (input, init) => globalThis.fetch(input, init),
  ...options
}: SolanaRpcOptions): Chain {
  const pool = createEndpointPool({ ...options, random, fetch });
  return {
    ...createBlockReads(pool),
    ...createAccountReads(pool),
    ...createTransactionReads(pool),
    ...createSignatureReads(pool),
    send: createSend(pool),
  };
}

function createBlockReads({
  ask,
  askAll,
}: EndpointPool): Pick<Chain, 'slot' | 'latestBlockhash' | 'lastValidBlockHeight'> {
  // A lagging endpoint returns a limit that is too low, so this one never goes down.
  let highestValid = 0;
  return {
    slot: () => ask(({ connection }) => connection.getSlot('processed'), { timeoutMs: SLOT_TIMEOUT_MS }),

    async latestBlockhash() {
      const { value } = await ask(({ connection }) => connection.getLatestBlockhashAndContext('confirmed'));
      highestValid = Math.max(highestValid, value.lastValidBlockHeight);
      return value;
    },

    async lastValidBlockHeight() {
      const answers = await askAll(({ connection }) => connection.getLatestBlockhash('processed'));
      const limits = answers.map((each) => ('answer' in each ? each.answer.lastValidBlockHeight : 0));
      highestValid = Math.max(highestValid, ...limits);
      return highestValid;
    },
  };
}

function createAccountReads({
  ask,
}: EndpointPool): Pick<Chain, 'balances' | 'rentExemptMinimum' | 'tokenHoldings'> {
  return {
    async balances(addresses) {
      const keys = addresses.map((address) => new PublicKey(address));
      const accounts = await ask(({ connection }) => connection.getMultipleAccountsInfo(keys));
      return accounts.map((account) => BigInt(account?.lamports ?? 0));
    },

    rentExemptMinimum: () => ask(readRentExemptMinimum),

    async tokenHoldings(owner) {
      const answers = await Promise.all(
        TOKEN_PROGRAMS.map((programId) =>
          ask(({ connection }) =>
            connection.getParsedTokenAccountsByOwner(new PublicKey(owner), { programId }),
          ),
        ),
      );
      return sumHoldings(answers.flatMap(({ value }) => value.map(({ account }) => account.data.parsed)));
    },
  };
}

function createTransactionReads(pool: EndpointPool): Pick<Chain, 'transaction' | 'movements'> {
  return {
    async transaction(signature) {
      try {
        const found = await askForPresence(pool, {
          question: ({ connection }) => connection.getParsedTransaction(signature, READ_TRANSACTION),
          isNothing: (answer) => answer?.meta == null,
        });
        return found?.meta ? readTransaction(signature, found) : null;
      } catch (error) {
        if (isUnreadableVersion(error)) return null;
        throw error;
      }
    },

    async movements(signatures) {
      const read: Movements[] = [];
      for (let start = 0; start < signatures.length; start += TRANSACTIONS_PER_BATCH) {
        const batch = signatures.slice(start, start + TRANSACTIONS_PER_BATCH);
        const found = await pool.ask(({ connection }) =>
          connection.getParsedTransactions(batch, READ_TRANSACTION),
        );
        for (const [index, signature] of batch.entries()) {
          if (found[index]?.meta) read.push(readMovements(signature, found[index]));
        }
      }
      return read;
    },
  };
}

/** web3.js returns 0 if the endpoint returns an error. */
async function readRentExemptMinimum({ name, call }: Endpoint): Promise<bigint> {
  const minimum = await call({ method: 'getMinimumBalanceForRentExemption', params: [0] });
  if (typeof minimum !== 'number' || !Number.isSafeInteger(minimum)) {
    throw new EndpointError(`the ${name} endpoint answered no rent`);
  }
  return BigInt(minimum);
}

/** web3.js can't read such a transaction. It is never a payment: we relay only legacy and v0. */
function isUnreadableVersion(error: unknown): boolean {
  return (
    error instanceof PortUnavailableError &&
    error.cause instanceof SolanaJSONRPCError &&
    error.cause.code === UNREADABLE_VERSION
  );
}
