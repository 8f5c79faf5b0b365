import { AddressLookupTableAccount, AddressLookupTableProgram, type VersionedMessage } from '@solana/web3.js';
import { isTokenProgram } from './programs.ts';
import { readMint, readTokenAccount, toUiTokenAmount } from './token-account.ts';
import type { UiTokenAmount } from './token-account.ts';
import { createVm, EMPTY_ACCOUNT } from './vm.ts';
import type { AccountState, Execution, Vm } from './vm.ts';
import type { WireTransaction } from './wire.ts';

export interface TokenBalance {
  accountIndex: number;
  mint: string;
  owner: string;
  programId: string;
  uiTokenAmount: UiTokenAmount;
}

interface ResolvedKeys {
  keys: string[];
  loaded: LoadedAddresses;
}

export interface LoadedAddresses {
  writable: string[];
  readonly: string[];
}

export interface LandedTransaction {
  signature: string;
  slot: number;
  /** Unix ms. */
  at: number;
  wire: WireTransaction;
  /** The static keys first, then the loaded writable keys, then the loaded read-only keys. */
  keys: string[];
  loaded: LoadedAddresses;
  execution: Execution;
  /** Lamports, in the order of `keys`. */
  preBalances: bigint[];
  postBalances: bigint[];
  preTokenBalances: TokenBalance[];
  postTokenBalances: TokenBalance[];
}

export type PreStates = ReadonlyMap<string, AccountState | undefined>;

function readLookupTable(account: AccountState | undefined): string[] | undefined {
  if (account?.owner !== AddressLookupTableProgram.programId.toBase58()) return undefined;
  return AddressLookupTableAccount.deserialize(account.data).addresses.map(String);
}

function resolveKeys(vm: Vm, message: VersionedMessage): ResolvedKeys | undefined {
  const loaded: LoadedAddresses = { writable: [], readonly: [] };
  for (const lookup of message.addressTableLookups) {
    const table = readLookupTable(vm.account(lookup.accountKey.toBase58()));
    for (const kind of ['writable', 'readonly'] as const) {
      for (const index of lookup[`${kind}Indexes`]) {
        const address = table?.[index];
        if (address === undefined) return undefined;
        loaded[kind].push(address);
      }
    }
  }
  return { keys: [...message.staticAccountKeys.map(String), ...loaded.writable, ...loaded.readonly], loaded };
}

function tokenBalances(vm: Vm, keys: string[]): TokenBalance[] {
  if (!keys.some(isTokenProgram)) return [];
  return keys.flatMap((key, accountIndex) => {
    const account = vm.account(key);
    const token = readTokenAccount(account);
    const mint = token && readMint(vm.account(token.mint));
    if (account === undefined || token === undefined || mint === undefined) return [];
    const uiTokenAmount = toUiTokenAmount(token.amount, mint.decimals);
    return [{ accountIndex, mint: token.mint, owner: token.owner, programId: account.owner, uiTokenAmount }];
  });
}

/** If a program is missing, litesvm reports "not executable", but a cluster reports "does not exist". */
function correctError(vm: Vm, message: VersionedMessage, execution: Execution): Execution {
  if (execution.error !== 'InvalidProgramForExecution') return execution;
  const isMissing = message.compiledInstructions.some(({ programIdIndex }) => {
    return vm.account(String(message.staticAccountKeys[programIdIndex])) === undefined;
  });
  return isMissing ? { ...execution, error: 'ProgramAccountNotFound' } : execution;
}

export type Bank = ReturnType<typeof createBank>;

/**
 * The state of the chain at its newest slot.
 * @param options.faucet holds all lamports except those in `accounts`
 * @param options.hashOfSlot for the SlotHashes sysvar
 * @param options.accounts genesis accounts by address
 */
export function createBank(options: {
  faucet: { address: string; lamports: bigint };
  hashOfSlot: (slot: number) => string;
  accounts: ReadonlyMap<string, AccountState>;
}) {
  const vm = createVm();
  for (const [address, state] of options.accounts) vm.setAccount(address, state);
  vm.setAccount(options.faucet.address, { ...EMPTY_ACCOUNT, lamports: options.faucet.lamports });

  function setTime(message: VersionedMessage, slot: number, at: number): void {
    vm.setTime({ slot, unixMs: at });
    const usesTable = message.staticAccountKeys.some((key) =>
      key.equals(AddressLookupTableProgram.programId),
    );
    if (usesTable || message.addressTableLookups.length > 0) {
      vm.setSlotHashes(slot, options.hashOfSlot);
    }
  }

  return {
    vm,
    /**
     * Returns the static keys and the keys loaded from lookup tables. Undefined if a table has too few keys.
     */
    resolveKeys: (message: VersionedMessage) => resolveKeys(vm, message),
    simulate(
      wire: WireTransaction,
      { slot, at, verifySignatures }: { slot: number; at: number; verifySignatures: boolean },
    ) {
      setTime(wire.message, slot, at);
      return correctError(vm, wire.message, vm.simulate(wire.raw, { verifySignatures }));
    },
    /**
     * Executes the transaction. Returns undefined if the fee payer can't pay the fee, because no block contains
     * such a transaction. The calling code must check signatures, blockhash and duplicates.
     */
    apply(wire: WireTransaction, { slot, at }: { slot: number; at: number }) {
      const { message } = wire;
      const signature = wire.signatures[0];
      const resolved = resolveKeys(vm, message);
      if (signature === undefined || resolved === undefined) return undefined;
      const { keys, loaded } = resolved;
      setTime(message, slot, at);
      const preBalances = keys.map(vm.balance);
      const preTokenBalances = tokenBalances(vm, keys);
      const writable = keys.filter((_, index) => message.isAccountWritable(index));
      const preStates = new Map(writable.map((key) => [key, vm.account(key)]));

      const execution = vm.execute(wire.raw);
      const postBalances = keys.map(vm.balance);
      // A transaction that can't pay its fee isn't in a block. A transaction that fails for another reason
      // is in a block and pays its fee.
      if (execution.error !== null && postBalances[0] === preBalances[0]) return undefined;
      const postTokenBalances = tokenBalances(vm, keys);
      const balances = { preBalances, postBalances, preTokenBalances, postTokenBalances };
      return { landed: { signature, slot, at, wire, keys, loaded, execution, ...balances }, preStates };
    },
    undo(preStates: PreStates) {
      for (const [address, state] of preStates) vm.setAccount(address, state ?? EMPTY_ACCOUNT);
    },
  };
}
