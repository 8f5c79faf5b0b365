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

/** JSON-RPC's code for a transaction version that the request did not allow. */
const UNREADABLE_VERSION = -32015;
/** Providers refuse much longer batches. */
const TRANSACTIONS_PER_BATCH = 25;
/** Quoting a price waits for the slot, which only tells the quote's age. */
const SLOT_TIMEOUT_MS = SECOND_MS;
const READ_TRANSACTION = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;

export interface SolanaRpcOptions {
  /** URLs carry keys, so they are never logged. */
  readonly urls: Readonly<Record<EndpointName, string>>;
  /** The genesis hash that both endpoints must have, base58. */
  readonly genesisHash: string;
  readonly clock: Clock;
  /** From 0 to 1, for the length of pauses. */
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
  // An endpoint that lags answers a limit that is too low, so a limit once known never goes down.
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

/** Not by web3.js, which answers 0 where an endpoint answers an error. */
async function readRentExemptMinimum({ name, call }: Endpoint): Promise<bigint> {
  const minimum = await call({ method: 'getMinimumBalanceForRentExemption', params: [0] });
  if (typeof minimum !== 'number' || !Number.isSafeInteger(minimum)) {
    throw new EndpointError(`the ${name} endpoint answered no rent`);
  }
  return BigInt(minimum);
}

/** A transaction version that web3.js cannot read is no payment: our relay takes none. */
function isUnreadableVersion(error: unknown): boolean {
  return (
    error instanceof PortUnavailableError &&
    error.cause instanceof SolanaJSONRPCError &&
    error.cause.code === UNREADABLE_VERSION
  );
}
