import { PublicKey, SolanaJSONRPCError, type ParsedTransactionWithMeta } from '@solana/web3.js';
import { z } from 'zod';
import { BLOCKHASH_BLOCKS } from '#schema/constants/money.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type {
  ChainTransaction,
  EndpointState,
  MovementsReading,
  Reading,
  TokenAccount,
  TokenHolding,
} from '../ports/chain.ts';
import type { Clock } from '../ports/clock.ts';
import { PortUnavailableError } from '../ports/unavailable.ts';
import { mapConcurrently, MAX_CONNECTIONS } from '../shared/concurrency.ts';
import { EndpointError, UnreadableResponseError, type Endpoint } from './solana-endpoint.ts';
import {
  createEndpointPool,
  INVALID_PARAMS,
  type EndpointResponse,
  type EndpointPool,
  type EndpointPoolOptions,
} from './solana-endpoint-pool.ts';
import {
  associatedAddress,
  readMovements,
  sumHoldings,
  TOKEN_PROGRAMS,
  parsedOf,
  type ParsedTokenAccount,
  readTransaction,
} from './solana-movements.ts';
import { createMintReads } from './solana-mints.ts';
import { createSend } from './solana-send.ts';
import { createSignatureReads } from './solana-signatures.ts';

/** Half of the connections, so that a long list of transactions doesn't hold up the request's other reads. */
const CONCURRENT_READS = MAX_CONNECTIONS / 2;
/** This timeout is short, because price quotes wait for the slot. */
const SLOT_TIMEOUT_MS = SECOND_MS;
/** This timeout is short, because a payment doesn't need recent fees. */
const FEES_TIMEOUT_MS = SECOND_MS;
/** This timeout is short, because opening and ending a call wait for the time of a price's block. */
const BLOCK_TIME_TIMEOUT_MS = 2 * SECOND_MS;
/** Clusters take a sample each minute. */
const SAMPLE_KEPT_MS = 15 * SECOND_MS;
/** After skipped slots, a block follows within this many slots. */
const MAX_SKIPPED_SLOTS = 500;
/** JSON-RPC's error code for a transaction of a newer version than the request allows. */
const NEWER_VERSION = -32015;
/** 1 is the newest version that web3.js can read. */
const READ_TRANSACTION = { commitment: 'confirmed', maxSupportedTransactionVersion: 1 } as const;

export interface SolanaRpcOptions extends EndpointPoolOptions {
  readonly signaturesPerRequest: number;
}

export type Chain = ReturnType<typeof createSolanaRpc>;

/**
 * Reads a cluster at commitment confirmed through the JSON-RPC of two endpoints. Sends no JSON-RPC batches, because
 * providers refuse them on their free plans. Every method throws PortUnavailableError if no endpoint responds, and
 * WrongClusterError if one is on another cluster. Addresses and signatures are base58, amounts lamports.
 */
export function createSolanaRpc(options: SolanaRpcOptions) {
  const pool = createEndpointPool(options);
  return {
    ...createBlockReads(pool, options.clock),
    ...createAccountReads(pool),
    ...createMintReads(pool, options),
    ...createTransactionReads(pool),
    ...createSignatureReads(pool, options),
    send: createSend(pool),

    /** Checks that each endpoint responds and keeps up with the other one. Throws only WrongClusterError. */
    endpointStates: () => readEndpointStates(pool),
  };
}

function createBlockReads({ sendRequest, requestAll }: EndpointPool, clock: Clock) {
  let measured = { slotMs: 0, until: 0 };
  // Never decreases, because a lagging endpoint returns a block height that is too low.
  let highestValid = 0;
  return {
    /** The newest slot at commitment 'processed'. */
    slot: () =>
      sendRequest(({ connection }) => connection.getSlot('processed'), { timeoutMs: SLOT_TIMEOUT_MS }),

    /** How long the slots of about the last minute lasted on average, in ms. Needs the cluster's performance samples. */
    async slotMs(): Promise<number> {
      if (clock.now() >= measured.until) {
        const slotMs = await sendRequest(readSlotMs, { timeoutMs: SLOT_TIMEOUT_MS });
        measured = { slotMs, until: clock.now() + SAMPLE_KEPT_MS };
      }
      return measured.slotMs;
    },

    /** The time of the first block from this slot on, unix ms. @throws PortUnavailableError if no endpoint knows it */
    blockTime: (slot: number) =>
      sendRequest((endpoint) => readBlockTime(endpoint, slot), { timeoutMs: BLOCK_TIME_TIMEOUT_MS }),

    /** The newest block height at commitment 'confirmed'. */
    blockHeight: () => sendRequest(readBlockHeight),

    /**
     * The lowest prices at which transactions with these writable accounts landed in recent slots, the oldest
     * slot first, in micro-lamports per compute unit. Empty if the endpoint doesn't know them.
     */
    recentPrices: (writable: readonly string[]) =>
      sendRequest((endpoint) => readRecentPrices(endpoint, writable), { timeoutMs: FEES_TIMEOUT_MS }),

    async latestBlockhash() {
      const { value } = await sendRequest(({ connection }) =>
        connection.getLatestBlockhashAndContext('confirmed'),
      );
      highestValid = Math.max(highestValid, value.lastValidBlockHeight);
      return value;
    },

    /** The last block height that can include a transaction that is signed now, with any valid blockhash. */
    async lastValidBlockHeight(): Promise<number> {
      const responses = await requestAll(({ connection }) => connection.getLatestBlockhash('processed'));
      const limits = responses.map((each) => ('response' in each ? each.response.lastValidBlockHeight : 0));
      highestValid = Math.max(highestValid, ...limits);
      return highestValid;
    },
  };
}

/**
 * Not `connection.getBlockHeight`, which shares its request with later callers. If the runtime cancels the request, they
 * would wait for it in vain.
 */
async function readBlockHeight({ name, call }: Endpoint): Promise<number> {
  const height = z
    .int()
    .safeParse(await call({ method: 'getBlockHeight', params: [{ commitment: 'confirmed' }] }));
  if (!height.success) throw new EndpointError(`the ${name} endpoint returned no block height`);
  return height.data;
}

const feesSchema = z.array(z.object({ slot: z.int(), prioritizationFee: z.int().min(0) }));

async function readRecentPrices({ name, call }: Endpoint, writable: readonly string[]): Promise<bigint[]> {
  const method = 'getRecentPrioritizationFees';
  // Some providers lack only this method.
  const response = await call({ method, params: [writable] }).catch(ifRpcError([]));
  const fees = feesSchema.safeParse(response);
  if (!fees.success) throw new EndpointError(`the ${name} endpoint returned no prioritization fees`);
  return fees.data
    .toSorted((one, other) => one.slot - other.slot)
    .map(({ prioritizationFee }) => BigInt(prioritizationFee));
}

const samplesSchema = z.array(z.object({ numSlots: z.int().min(0), samplePeriodSecs: z.number().min(0) }));

/** The mean of the newest sample. `undefined` if the endpoint has no samples or lacks this method. */
async function readSlotMs({ name, call }: Endpoint): Promise<number | undefined> {
  const samples = samplesSchema.safeParse(
    await call({ method: 'getRecentPerformanceSamples', params: [1] }).catch(ifRpcError([])),
  );
  if (!samples.success) throw new EndpointError(`the ${name} endpoint returned no performance samples`);
  const [sample] = samples.data;
  if (!sample?.numSlots || !sample.samplePeriodSecs) return undefined;
  return (sample.samplePeriodSecs * SECOND_MS) / sample.numSlots;
}

/** `undefined` if the endpoint has no block there, lacks the method, or doesn't store the block any more. */
async function readBlockTime({ connection }: Endpoint, slot: number): Promise<number | undefined> {
  const [block] = await connection
    .getBlocks(slot, slot + MAX_SKIPPED_SLOTS, 'confirmed')
    .catch(ifRpcError<number[]>([]));
  if (block === undefined) return undefined;
  const seconds = await connection.getBlockTime(block).catch(ifRpcError(null));
  return seconds === null ? undefined : seconds * SECOND_MS;
}

async function readEndpointStates(pool: EndpointPool): Promise<EndpointState[]> {
  const responses = await pool.requestEach(({ connection }) => connection.getSlot('confirmed'));
  const newest = Math.max(...responses.map((each) => ('response' in each ? each.response : 0)));
  return responses.map((each) => ({ endpoint: each.name, failure: findFailure(each, newest) }));
}

function findFailure(each: EndpointResponse<number>, newestSlot: number): string | null {
  if ('failure' in each) return String(each.failure);
  const behind = newestSlot - each.response;
  return behind > BLOCKHASH_BLOCKS ? `the ${each.name} endpoint is ${behind} slots behind` : null;
}

function createAccountReads({ sendRequest }: EndpointPool) {
  return {
    /** The balances in the order of the addresses. An account that doesn't exist has 0n. */
    async balances(addresses: readonly string[]): Promise<bigint[]> {
      const keys = addresses.map((address) => new PublicKey(address));
      const accounts = await sendRequest(({ connection }) => connection.getMultipleAccountsInfo(keys));
      return accounts.map((account) => BigInt(account?.lamports ?? 0));
    },

    /** The minimum for an account without data, in lamports. */
    rentExemptMinimum: () => sendRequest(readRentExemptMinimum),

    /**
     * The owner's finalized accounts of a token. First the associated accounts of both token programs, even if they don't
     * exist, because they may have existed before; then the others, those with the most tokens first.
     */
    async tokenAccounts({ owner, mint }: { owner: string; mint: string }): Promise<TokenAccount[]> {
      const [ownerKey, mintKey] = [new PublicKey(owner), new PublicKey(mint)];
      const { value } = await sendRequest(({ connection }) =>
        connection.getParsedTokenAccountsByOwner(ownerKey, { mint: mintKey }, 'finalized'),
      ).catch((error: unknown) => {
        if (isFinalError(error, INVALID_PARAMS)) return { value: [] };
        throw error;
      });
      const found = value.map(({ pubkey, account }) => ({
        address: pubkey.toBase58(),
        amount: BigInt(parsedOf<ParsedTokenAccount['info']>(account.data).info.tokenAmount.amount),
      }));
      const associated = TOKEN_PROGRAMS.map((program) => associatedAddress(ownerKey, mintKey, program));
      const others = found.filter(({ address }) => !associated.includes(address));
      return [
        ...associated.map(
          (address) => found.find((each) => each.address === address) ?? { address, amount: 0n },
        ),
        ...others.toSorted((one, other) => (one.amount < other.amount ? 1 : -1)),
      ];
    },

    async tokenHoldings(owner: string): Promise<TokenHolding[]> {
      const key = new PublicKey(owner);
      const accounts = [];
      // Sequential, because several owners may be read at once and connections are limited.
      for (const programId of TOKEN_PROGRAMS) {
        const { value } = await sendRequest(({ connection }) =>
          connection.getParsedTokenAccountsByOwner(key, { programId }),
        );
        accounts.push(...value.map(({ account }) => account.data.parsed));
      }
      return sumHoldings(accounts);
    },
  };
}

function createTransactionReads(pool: EndpointPool) {
  return {
    /** Reads a transaction at commitment 'confirmed'. */
    async transaction(signature: string): Promise<Reading<ChainTransaction>> {
      const found = await readParsed(pool, signature);
      return typeof found === 'string' ? found : readTransaction(signature, found);
    },

    async movements(signatures: readonly string[]): Promise<MovementsReading> {
      const read = await mapConcurrently(
        signatures,
        async (signature) => ({ signature, found: await readParsed(pool, signature) }),
        CONCURRENT_READS,
      );
      return {
        movements: read.flatMap(({ signature, found }) =>
          typeof found === 'string' ? [] : [readMovements(signature, found)],
        ),
        unreadable: read.flatMap(({ signature, found }) => (found === 'unreadable' ? [signature] : [])),
      };
    },
  };
}

/** Also asks the other endpoint if the first one lacks the transaction or can't return its version. */
async function readParsed(
  pool: EndpointPool,
  signature: string,
): Promise<Reading<ParsedTransactionWithMeta>> {
  const readings = await pool.requestUntil(
    (endpoint) => readAt(endpoint, signature),
    (reading) => typeof reading !== 'string',
  );
  const found = readings.find((reading) => typeof reading !== 'string');
  return found ?? (readings.includes('unreadable') ? 'unreadable' : 'absent');
}

async function readAt(endpoint: Endpoint, signature: string): Promise<Reading<ParsedTransactionWithMeta>> {
  try {
    const found = await endpoint.connection.getParsedTransaction(signature, READ_TRANSACTION);
    return found?.meta ? found : 'absent';
  } catch (error) {
    if (error instanceof SolanaJSONRPCError && error.code === NEWER_VERSION) return 'unreadable';
    if (error instanceof UnreadableResponseError && (await hasUnknownShape(endpoint, signature))) {
      return 'unreadable';
    }
    throw error;
  }
}

/** True if the endpoint works and has the transaction, but in a form that web3.js doesn't know. */
async function hasUnknownShape({ call }: Endpoint, signature: string): Promise<boolean> {
  const params = [signature, { ...READ_TRANSACTION, encoding: 'jsonParsed' }];
  return z.object({ slot: z.int() }).safeParse(await call({ method: 'getTransaction', params })).success;
}

/** web3.js's own method returns 0 if the endpoint returns an error. */
async function readRentExemptMinimum({ name, call }: Endpoint): Promise<bigint> {
  const minimum = await call({ method: 'getMinimumBalanceForRentExemption', params: [0] });
  if (typeof minimum !== 'number' || !Number.isSafeInteger(minimum)) {
    throw new EndpointError(`the ${name} endpoint returned no rent-exempt minimum`);
  }
  return BigInt(minimum);
}

/** Such an error doesn't count against the endpoint. */
function ifRpcError<Value>(value: Value) {
  return (error: unknown): Value => {
    if (error instanceof SolanaJSONRPCError) return value;
    throw error;
  };
}

function isFinalError(error: unknown, code: number): boolean {
  return (
    error instanceof PortUnavailableError &&
    error.cause instanceof SolanaJSONRPCError &&
    error.cause.code === code
  );
}
