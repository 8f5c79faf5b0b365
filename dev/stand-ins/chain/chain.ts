import type { VersionedMessage } from '@solana/web3.js';
import type { LandedTransaction } from './bank.ts';
import { MAX_BLOCKHASH_AGE } from './blockhashes.ts';
import { computeUnitPriceOf } from './compute-budget.ts';
import { createFaucet, FAUCET_LAMPORTS, type Faucet } from './faucet.ts';
import type { History } from './history.ts';
import { openLedger, dropForgottenEntries, type Ledger } from './ledger.ts';
import { createReplay, land, replayWithout, type Replay } from './replay.ts';
import { SLOT_MS, type Commitment, type SlotClock } from './slot-clock.ts';
import {
  createPreflightError,
  createRefusedExecution,
  createSignatureError,
  parseTransaction,
} from './submission.ts';
import { UNREADABLE_VERSION } from './encode-transaction.ts';
import { createTimeline, type Timeline } from './timeline.ts';
import type { TransactionError } from './transaction-error.ts';
import type { AccountState, Execution } from './vm.ts';
import { decodeTransaction } from './wire.ts';
import type { WireTransaction } from './wire.ts';

const GENESIS_BEFORE_FIRST_START_MS = 90 * 24 * 60 * 60 * 1000;

export interface ChainOptions {
  dataDir: string;
  /** Unix ms. */
  now: () => number;
  /**
   * The time of slot 0 of a new ledger in unix ms; by default 90 days before now. Ignored for an existing
   * ledger.
   */
  genesisAt?: number;
  /** The length of a new ledger's slots; by default mainnet's. */
  slotMs?: number;
  /** The seed of a new ledger's keys and blockhashes; by default random. */
  seed?: string;
  /** Accounts that exist from the first block on, by base58 address. Not stored in the ledger. */
  genesisAccounts?: ReadonlyMap<string, AccountState>;
}

export interface SubmitOptions {
  /**
   * The time of the block in unix ms; by default now. It must be neither before the newest entry nor in the
   * future.
   */
  at?: number;
  skipPreflight?: boolean;
}

interface Simulation {
  verifySignatures: boolean;
  anyBlockhash: boolean;
}

export type Chain = ReturnType<typeof createChain>;

function openState(options: ChainOptions) {
  const { now } = options;
  const ledger = openLedger({
    dataDir: options.dataDir,
    genesisAt: Math.floor(options.genesisAt ?? now() - GENESIS_BEFORE_FIRST_START_MS),
    slotMs: options.slotMs ?? SLOT_MS,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
  });
  const { seed, at: genesisAt, slotMs } = ledger.genesis;
  const faucet = createFaucet(seed);
  const timeline = createTimeline({ seed, genesisAt, slotMs, now });
  const createEmptyReplay = () =>
    createReplay(
      {
        faucet: { address: faucet.address, lamports: FAUCET_LAMPORTS },
        hashOfSlot: timeline.hashOfHeight,
        accounts: options.genesisAccounts ?? new Map(),
      },
      timeline.clock,
    );
  const replay = createEmptyReplay();
  for (const entry of dropForgottenEntries(ledger.entries)) {
    if (entry.kind === 'expire-blockhash') timeline.expireBlockhashes();
    if (entry.kind === 'slot-ms') timeline.clock.setSlotMs(entry.slotMs, entry.at);
    if (entry.kind !== 'transaction') continue;
    const { at, raw, signature } = entry;
    timeline.advanceTo(at);
    const time = { slot: timeline.clock.slotAt(at), at };
    if (land(replay, decodeTransaction(Buffer.from(raw, 'base64')), time) === undefined) {
      throw new Error(
        `Transaction ${signature} of the ledger fails now. Run \`npm run reset\` to start over.`,
      );
    }
  }
  return { ledger, faucet, timeline, createEmptyReplay, replay };
}

/**
 * Opens the chain whose ledger is in `dataDir`, or creates one.
 * @throws when the ledger can't be read or replayed
 */
export function createChain(options: ChainOptions) {
  const { ledger, faucet, timeline, createEmptyReplay, replay } = openState(options);
  const { clock, heightAt, blockHeight, blockTime } = timeline;
  const timeOf = (at: number) => ({ slot: clock.slotAt(at), at });
  let current = replay;
  let lowestPrice = 0n;

  function findRejection(wire: WireTransaction, at: number): TransactionError | undefined {
    const isRecent = timeline.isRecent(wire.message.recentBlockhash, [blockHeight(), heightAt(at)]);
    if (!isRecent) return 'BlockhashNotFound';
    return current.history.has(wire.signatures[0] ?? '') ? 'AlreadyProcessed' : undefined;
  }

  function simulateAt(at: number, wire: WireTransaction, simulation: Simulation): Execution {
    const { verifySignatures, anyBlockhash } = simulation;
    const execution = current.bank.simulate(wire, { ...timeOf(at), verifySignatures });
    if (execution.error === 'SignatureFailure' || anyBlockhash) return execution;
    const error = findRejection(wire, at);
    return error === undefined ? execution : createRefusedExecution(error);
  }

  function submit(
    rawTransaction: Uint8Array,
    { at, skipPreflight = false }: SubmitOptions = {},
    lowest = lowestPrice,
  ): string {
    const wire = parseTransaction(rawTransaction);
    const signature = wire.signatures[0] ?? '';
    const time = blockTime(at);
    const execution = simulateAt(time, wire, { verifySignatures: true, anyBlockhash: false });
    if (execution.error !== null && !skipPreflight) {
      throw execution.error === 'SignatureFailure' ? createSignatureError() : createPreflightError(execution);
    }
    // Without preflight, a cluster also accepts a transaction that can't land, and silently drops it.
    if (execution.error === 'SignatureFailure' || findRejection(wire, time) !== undefined) return signature;
    if (computeUnitPriceOf(wire.message) < lowest) return signature;
    if (land(current, wire, timeOf(time)) === undefined) return signature;
    timeline.advanceTo(time);
    const raw = Buffer.from(wire.raw).toString('base64');
    ledger.append({ kind: 'transaction', at: time, signature, raw });
    return signature;
  }

  return {
    ...createReads(() => current, clock),
    ...createBlockhashReads(timeline),
    ...createVersions(),
    ...createTimeControls({ ledger, timeline, defaultSlotMs: options.slotMs ?? SLOT_MS }),
    /**
     * Checks and executes a signed transaction.
     * @returns the base58 signature; with `skipPreflight`, even if the transaction never lands
     * @throws {RpcError} -32602 not a transaction, -32003 wrong signature, -32002 preflight failed
     * @throws {RangeError} when `at` is before the newest entry or after now
     */
    submit: (rawTransaction: Uint8Array, options?: SubmitOptions) => submit(rawTransaction, options),
    /**
     * Makes the network busy: a transaction that offers less than this price (micro-lamports per compute unit) is
     * accepted but never lands. 0 ends the load. Airdrops always land.
     */
    setLoad(microLamports: bigint) {
      lowestPrice = microLamports;
    },
    /** The lowest price at which transactions land now. */
    lowestPrice: () => lowestPrice,
    /**
     * Sends lamports from the faucet, as a real transaction.
     * @returns the signature, base58
     * @throws {RpcError} as `submit`
     * @throws {RangeError} when `at` is before the newest entry or after now
     */
    airdrop(address: string, lamports: bigint, { at }: { at?: number } = {}) {
      const time = blockTime(at);
      return submit(
        airdropTransaction({ faucet, timeline, history: current.history, address, lamports, time }),
        { at: time },
        0n,
      );
    },
    /**
     * Simulates a fork, which removes the transaction and all later transactions that depend on it.
     * @throws {RangeError} when there is no such transaction
     */
    forget(signature: string) {
      if (!current.history.has(signature)) throw new RangeError(`no transaction ${signature}`);
      const fork = createEmptyReplay();
      const signatures = replayWithout(signature, { from: current.history, to: fork });
      current = fork;
      ledger.append({ kind: 'forget', signatures });
    },
    /** The fee in lamports. Undefined if the runtime reports no fee for the message. */
    feeFor(wire: WireTransaction) {
      const time = timeOf(blockTime(undefined));
      const { fee } = current.bank.simulate(wire, { ...time, verifySignatures: false });
      return fee === 0n ? undefined : fee;
    },
    /**
     * Executes a transaction without changing the chain. Unless `anyBlockhash` is true, checks its blockhash and
     * looks for duplicates.
     */
    simulate: (wire: WireTransaction, simulation: Simulation) =>
      simulateAt(blockTime(undefined), wire, simulation),
    close: () => ledger.close(),
  };
}

function createReads(current: () => Replay, clock: SlotClock) {
  return {
    balance: (address: string) => current().bank.vm.balance(address),
    account: (address: string, commitment: Commitment = 'processed') =>
      current().view.account(address, commitment),
    accountsOwnedBy: (program: string, commitment: Commitment = 'processed') =>
      current().view.accountsOwnedBy(program, commitment),
    minimumBalance: (dataLength: number) => current().bank.vm.minimumBalance(dataLength),
    /**
     * The message's static keys and the keys loaded from lookup tables. Only the static keys if a table has
     * too few keys.
     */
    keysOf: (message: VersionedMessage) =>
      current().bank.resolveKeys(message)?.keys ?? message.staticAccountKeys.map(String),
    transaction: (signature: string) => current().history.get(signature),
    /** The transactions that name the address, oldest first. */
    transactionsNaming: (address: string) => current().history.naming(address),
    /** Unix seconds. All transactions of a block have its time. */
    blockTimeOf: (slot: number) => Math.floor(clock.timeOf(slot) / 1_000),
    commitmentOf({ slot }: LandedTransaction): Commitment {
      if (slot <= clock.slot('finalized')) return 'finalized';
      return slot <= clock.slot('confirmed') ? 'confirmed' : 'processed';
    },
  };
}

function createBlockhashReads({ clock, hashOfHeight, heightAt, blockHeight, isRecent }: Timeline) {
  return {
    genesisHash: hashOfHeight(0),
    clock,
    blockHeight,
    latestBlockhash({ commitment, at }: { commitment?: Commitment; at?: number } = {}) {
      const height = at === undefined ? blockHeight(commitment) : heightAt(at);
      return { blockhash: hashOfHeight(height), lastValidBlockHeight: height + MAX_BLOCKHASH_AGE };
    },
    isBlockhashValid: (blockhash: string, commitment?: Commitment) =>
      isRecent(blockhash, [blockHeight(commitment)]),
  };
}

interface TimeControls {
  ledger: Ledger;
  timeline: Timeline;
  defaultSlotMs: number;
}

function createTimeControls({ ledger, timeline, defaultSlotMs }: TimeControls) {
  return {
    /** Invalidates every blockhash issued so far, as if 150 blocks had passed. */
    expireBlockhash() {
      timeline.expireBlockhashes();
      ledger.append({ kind: 'expire-blockhash', at: timeline.blockTime(undefined) });
    },
    /** Changes the length of slots from the next slot on. */
    setSlotMs(slotMs = defaultSlotMs) {
      if (slotMs === timeline.clock.slotMs()) return;
      const at = timeline.blockTime(undefined);
      timeline.clock.setSlotMs(slotMs, at);
      ledger.append({ kind: 'slot-ms', at, slotMs });
    },
    /** Finalizes every confirmed transaction at once. */
    finalize: () => timeline.clock.finalize(),
  };
}

function createVersions() {
  const unreadable = new Map<string, boolean>();
  return {
    /**
     * From now on, RPC methods return this transaction as version 2, which no library can read. The transaction may
     * land later. It still moves lamports and is listed.
     * @param isReturned true for a node that ignores `maxSupportedTransactionVersion` and returns the transaction
     */
    makeUnreadable: (signature: string, isReturned = false) => void unreadable.set(signature, isReturned),
    isAlwaysReturned: (signature: string) => unreadable.get(signature) === true,
    /** Returns every transaction in its own version again. */
    makeAllReadable: () => unreadable.clear(),
    versionOf: ({ signature, wire }: LandedTransaction) =>
      unreadable.has(signature) ? UNREADABLE_VERSION : wire.message.version,
  };
}

interface Airdrop {
  faucet: Faucet;
  timeline: Timeline;
  history: History;
  address: string;
  lamports: bigint;
  time: number;
}

/** Two equal airdrops in one slot would be the same transaction, so the second one uses an older blockhash. */
function airdropTransaction({ faucet, timeline, history, address, lamports, time }: Airdrop): Uint8Array {
  let raw: Uint8Array;
  let height = timeline.heightAt(time);
  do {
    raw = faucet.transfer({ to: address, lamports, blockhash: timeline.hashOfHeight(height) });
    height -= 1;
  } while (history.has(decodeTransaction(raw).signatures[0] ?? '') && height >= 0);
  return raw;
}
