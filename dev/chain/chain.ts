import { createBank } from './bank.ts';
import type { Bank, LandedTransaction } from './bank.ts';
import { createBlockhashes, MAX_BLOCKHASH_AGE } from './blockhashes.ts';
import { createFaucet, FAUCET_LAMPORTS } from './faucet.ts';
import { createHistory } from './history.ts';
import type { History } from './history.ts';
import { openLedger, withoutForgotten } from './ledger.ts';
import { createSlotClock } from './slot-clock.ts';
import type { Commitment, SlotClock } from './slot-clock.ts';
import { createStateView } from './state-view.ts';
import type { StateView } from './state-view.ts';
import { createPreflightError, createSignatureError, parseTransaction, refuse } from './submission.ts';
import type { TransactionError } from './transaction-error.ts';
import type { AccountState, Execution } from './vm.ts';
import { decodeTransaction, withEmptySignatures } from './wire.ts';
import type { WireMessage, WireTransaction } from './wire.ts';

const GENESIS_BEFORE_FIRST_START_MS = 90 * 24 * 60 * 60 * 1000;

export interface ChainOptions {
  /** The ledger's folder; created when missing. */
  dataDir: string;
  /** Unix ms. */
  now: () => number;
  /** Unix ms of slot 0 of a new ledger; default: 90 days before now. An existing ledger keeps its own. */
  genesisAt?: number;
  /** Seed of a new ledger's keys and blockhashes; default: random. */
  seed?: string;
  /** Accounts that exist from the first block on, by base58 address. Not stored in the ledger. */
  genesisAccounts?: ReadonlyMap<string, AccountState>;
}

export interface SubmitOptions {
  /** Unix ms of the block; default: now. Must not be before the newest entry or after now. */
  at?: number;
  skipPreflight?: boolean;
}

export interface Chain {
  readonly genesisHash: string;
  readonly clock: SlotClock;
  /**
   * Sends lamports from the faucet, as a real transaction.
   * @returns the signature, base58
   * @throws {RpcError} as `submit`
   * @throws {RangeError} when `at` is out of order
   */
  airdrop(address: string, lamports: bigint, options?: { at?: number }): string;
  /**
   * Checks and executes a signed transaction.
   * @returns the base58 signature; with `skipPreflight` also for a transaction that never lands
   * @throws {RpcError} -32602 not a transaction, -32003 wrong signature, -32002 preflight failed
   * @throws {RangeError} when `at` is out of order
   */
  submit(rawTransaction: Uint8Array, options?: SubmitOptions): string;
  latestBlockhash(options?: { commitment?: Commitment; at?: number }): {
    blockhash: string;
    lastValidBlockHeight: number;
  };
  isBlockhashValid(blockhash: string, commitment?: Commitment): boolean;
  /** Invalidates every blockhash issued so far, as if 150 blocks had passed. */
  expireBlockhash(): void;
  /**
   * Simulates a fork: removes the transaction from its block, with later ones that depend on it.
   * @throws {RangeError} when there is no such transaction
   */
  forget(signature: string): void;
  blockHeight(commitment?: Commitment): number;
  balance(address: string): bigint;
  account(address: string, commitment?: Commitment): AccountState | undefined;
  accountsOwnedBy(program: string, commitment?: Commitment): Map<string, AccountState>;
  minimumBalance(dataLength: number): bigint;
  /** Lamports; undefined when the runtime can't price the message. */
  feeFor(message: WireMessage, bytes: Uint8Array): bigint | undefined;
  /** All keys that the message's instructions index into. A lookup table that is too short adds none. */
  keysOf(message: WireMessage): readonly string[];
  /** Runs without landing. Checks blockhash and duplicates unless `anyBlockhash`. */
  simulate(wire: WireTransaction, options: { verifySignatures: boolean; anyBlockhash: boolean }): Execution;
  transaction(signature: string): LandedTransaction | undefined;
  /** Oldest first. */
  transactionsNaming(address: string): readonly LandedTransaction[];
  commitmentOf(transaction: LandedTransaction): Commitment;
  close(): void;
}

/** The state that a fork discards and rebuilds. */
interface Replay {
  bank: Bank;
  history: History;
  view: StateView;
}

/**
 * Opens the chain whose ledger is in `dataDir`, or creates one.
 * @throws when the ledger can't be read or replayed
 */
export function createChain(options: ChainOptions): Chain {
  const { now } = options;
  const ledger = openLedger({
    dataDir: options.dataDir,
    genesisAt: Math.floor(options.genesisAt ?? now() - GENESIS_BEFORE_FIRST_START_MS),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
  });
  const { seed, at: genesisAt } = ledger.genesis;
  const blockhashes = createBlockhashes(seed);
  const faucet = createFaucet(seed);
  let newestAt = genesisAt;
  let expiries = 0;
  const clock = createSlotClock({ genesisAt, now, notBefore: () => newestAt });

  // Clients only compare heights, so expiring blockhashes may skip heights.
  const heightOf = (slot: number) => slot + expiries * (MAX_BLOCKHASH_AGE + 1);
  const blockHeight = (commitment?: Commitment) => heightOf(clock.slot(commitment));

  function createReplay(): Replay {
    const bank = createBank({
      faucet: { address: faucet.address, lamports: FAUCET_LAMPORTS },
      hashOfSlot: blockhashes.ofHeight,
      accounts: options.genesisAccounts ?? new Map(),
    });
    return { bank, history: createHistory(), view: createStateView(bank.vm, clock) };
  }

  /** @returns the transaction in its block; undefined when it can't pay its fee */
  function land(replay: Replay, wire: WireTransaction, at: number): LandedTransaction | undefined {
    const applied = replay.bank.apply(wire, { slot: clock.slotAt(at), at });
    if (applied === undefined) return undefined;
    replay.history.add(applied.landed);
    replay.view.remember(applied.landed.slot, applied.preStates);
    return applied.landed;
  }

  let current = createReplay();
  for (const entry of withoutForgotten(ledger.entries)) {
    if (entry.kind === 'expire-blockhash') expiries += 1;
    if (entry.kind !== 'transaction') continue;
    newestAt = entry.at;
    if (land(current, decodeTransaction(Buffer.from(entry.raw, 'base64')), entry.at) === undefined) {
      throw new Error(`the ledger's ${entry.signature} no longer lands; \`npm run reset\` begins anew`);
    }
  }

  function momentOf(at: number | undefined): number {
    const newest = Math.floor(Math.max(now(), newestAt));
    if (at === undefined) return newest;
    if (at < newestAt) throw new RangeError(`at ${at} is before the ledger's newest entry, ${newestAt}`);
    if (at > newest) throw new RangeError(`at ${at} is in the future`);
    return Math.floor(at);
  }

  function isRecent(blockhash: string, at: number): boolean {
    const heights = [blockHeight(), heightOf(clock.slotAt(at))];
    return heights.some((height) => blockhashes.findRecent(blockhash, height) !== undefined);
  }

  function check(wire: WireTransaction, at: number): TransactionError | undefined {
    if (!isRecent(wire.message.recentBlockhash, at)) return 'BlockhashNotFound';
    return current.history.has(wire.signatures[0] ?? '') ? 'AlreadyProcessed' : undefined;
  }

  function simulateAt(
    wire: WireTransaction,
    at: number,
    simulation: { verifySignatures: boolean; anyBlockhash: boolean },
  ): Execution {
    const { verifySignatures, anyBlockhash } = simulation;
    const execution = current.bank.simulate(wire, { slot: clock.slotAt(at), at, verifySignatures });
    if (execution.error === 'SignatureFailure' || anyBlockhash) return execution;
    const error = check(wire, at);
    return error === undefined ? execution : refuse(error);
  }

  function submit(rawTransaction: Uint8Array, { at, skipPreflight = false }: SubmitOptions = {}): string {
    const wire = parseTransaction(rawTransaction);
    const signature = wire.signatures[0] ?? '';
    const moment = momentOf(at);
    const execution = simulateAt(wire, moment, { verifySignatures: true, anyBlockhash: false });
    if (execution.error !== null && !skipPreflight) {
      throw execution.error === 'SignatureFailure' ? createSignatureError() : createPreflightError(execution);
    }
    // Without preflight, a cluster accepts these too and silently drops them.
    if (execution.error === 'SignatureFailure' || check(wire, moment) !== undefined) return signature;
    if (land(current, wire, moment) === undefined) return signature;
    newestAt = moment;
    const raw = Buffer.from(wire.raw).toString('base64');
    ledger.append({ kind: 'transaction', at: moment, signature, raw });
    return signature;
  }

  /** Two equal airdrops in one slot would be the same transaction, so the second uses an older blockhash. */
  function airdropTransaction(to: string, lamports: bigint, at: number): Uint8Array {
    let raw: Uint8Array;
    let height = heightOf(clock.slotAt(at));
    do {
      raw = faucet.transfer({ to, lamports, blockhash: blockhashes.ofHeight(height) });
      height -= 1;
    } while (current.history.has(decodeTransaction(raw).signatures[0] ?? '') && height >= 0);
    return raw;
  }

  /** @returns the removed transaction and those that depended on it */
  function replayWithout(forgotten: string): string[] {
    const replay = createReplay();
    const vanished = [forgotten];
    for (const { signature, wire, slot, at, execution } of current.history.all()) {
      if (signature === forgotten) continue;
      const applied = replay.bank.apply(wire, { slot, at });
      const fails =
        applied === undefined || (applied.landed.execution.error !== null && execution.error === null);
      if (fails) {
        if (applied !== undefined) replay.bank.undo(applied.preStates);
        vanished.push(signature);
        continue;
      }
      replay.history.add(applied.landed);
      replay.view.remember(slot, applied.preStates);
    }
    current = replay;
    return vanished;
  }

  return {
    genesisHash: blockhashes.ofHeight(0),
    clock,
    submit,
    airdrop(address, lamports, { at } = {}) {
      const moment = momentOf(at);
      return submit(airdropTransaction(address, lamports, moment), { at: moment });
    },
    latestBlockhash({ commitment, at } = {}) {
      const height = at === undefined ? blockHeight(commitment) : heightOf(clock.slotAt(at));
      return { blockhash: blockhashes.ofHeight(height), lastValidBlockHeight: height + MAX_BLOCKHASH_AGE };
    },
    isBlockhashValid: (blockhash, commitment) =>
      blockhashes.findRecent(blockhash, blockHeight(commitment)) !== undefined,
    expireBlockhash() {
      expiries += 1;
      ledger.append({ kind: 'expire-blockhash', at: momentOf(undefined) });
    },
    forget(signature) {
      if (!current.history.has(signature)) throw new RangeError(`no transaction ${signature}`);
      ledger.append({ kind: 'forget', signatures: replayWithout(signature) });
    },
    blockHeight,
    balance: (address) => current.bank.vm.balance(address),
    account: (address, commitment = 'processed') => current.view.account(address, commitment),
    accountsOwnedBy: (program, commitment = 'processed') => current.view.accountsOwnedBy(program, commitment),
    minimumBalance: (dataLength) => current.bank.vm.minimumBalance(dataLength),
    feeFor(message, bytes) {
      const wire = decodeTransaction(withEmptySignatures(bytes, message.requiredSignatures));
      const at = momentOf(undefined);
      const { fee } = current.bank.simulate(wire, { slot: clock.slotAt(at), at, verifySignatures: false });
      return fee === 0n ? undefined : fee;
    },
    keysOf: (message) => current.bank.resolveKeys(message)?.keys ?? message.staticKeys,
    simulate: (wire, simulation) => simulateAt(wire, momentOf(undefined), simulation),
    transaction: (signature) => current.history.get(signature),
    transactionsNaming: (address) => current.history.naming(address),
    commitmentOf({ slot }) {
      if (slot <= clock.slot('finalized')) return 'finalized';
      return slot <= clock.slot('confirmed') ? 'confirmed' : 'processed';
    },
    close: () => ledger.close(),
  };
}
