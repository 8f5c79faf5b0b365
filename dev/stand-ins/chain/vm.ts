// litesvm's entry point takes only decoded transactions of @solana/kit. The internal class imported here
// takes raw bytes.
import { Account, Clock, FailedTransactionMetadata, LiteSvm, Rent } from 'litesvm/dist/internal.js';
import type { TransactionMetadata } from 'litesvm/dist/internal.js';
import type { MessageCompiledInstruction } from '@solana/web3.js';
import bs58 from 'bs58';
import { LIGHTHOUSE_PROGRAM, MEMO_PROGRAM } from './programs.ts';
import { readTransactionError } from './transaction-error.ts';
import type { TransactionError } from './transaction-error.ts';

export const SLOTS_PER_EPOCH = 432_000;
const SLOT_HASHES_KEPT = 512;
/**
 * The rent after two of the five steps of SIMD-0437, as on mainnet in November 2026. An empty account needs 650,240
 * lamports.
 */
const RENT = { lamportsPerByte: 5_080n, exemptionThreshold: 1, burnPercent: 50 };

export interface AccountState {
  lamports: bigint;
  data: Uint8Array;
  /** Base58. */
  owner: string;
  executable: boolean;
  rentEpoch: bigint;
}

export interface InnerInstruction extends MessageCompiledInstruction {
  stackHeight: number;
}

export interface Execution {
  error: TransactionError | null;
  logs: string[];
  /** Inner instructions, one list per executed top-level instruction. */
  inner: InnerInstruction[][];
  unitsConsumed: bigint;
  /** The network fee in lamports, even if it wasn't charged. */
  fee: bigint;
  returnData: { programId: string; data: Uint8Array } | undefined;
  /** The accounts after a successful simulation. */
  postAccounts: Map<string, AccountState>;
}

export const EMPTY_ACCOUNT: AccountState = {
  lamports: 0n,
  data: new Uint8Array(),
  owner: '11111111111111111111111111111111',
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
};

function toAccountState(account: Account, owner = bs58.encode(account.owner())): AccountState {
  return {
    lamports: account.lamports(),
    data: account.data(),
    owner,
    executable: account.executable(),
    rentEpoch: account.rentEpoch(),
  };
}

/**
 * litesvm 1.4 reports the fee only at the end of its debug text. The pattern matches only at that end, so a
 * program's log can't fake a fee.
 */
function feeOf(meta: TransactionMetadata): bigint {
  const fee = / fee: (\d+) }\)$/.exec(meta.toString())?.[1];
  if (fee === undefined) throw new Error('litesvm no longer has the fee at the end of its debug text');
  return BigInt(fee);
}

function returnDataOf(meta: TransactionMetadata): Execution['returnData'] {
  const data = meta.returnData().data();
  if (data.length === 0) return undefined;
  return { programId: bs58.encode(meta.returnData().programId()), data };
}

function toExecution(
  error: TransactionError | null,
  meta: TransactionMetadata,
  postAccounts = new Map<string, AccountState>(),
): Execution {
  return {
    error,
    logs: meta.logs(),
    inner: meta.innerInstructions().map((list) =>
      list.map((inner) => {
        const compiled = inner.instruction();
        return {
          programIdIndex: compiled.programIdIndex(),
          accountKeyIndexes: [...compiled.accounts()],
          data: compiled.data(),
          stackHeight: inner.stackHeight(),
        };
      }),
    ),
    unitsConsumed: meta.computeUnitsConsumed(),
    fee: feeOf(meta),
    returnData: returnDataOf(meta),
    postAccounts,
  };
}

export type Vm = ReturnType<typeof createVm>;

/**
 * A fresh Solana runtime with the standard programs. The calling code must check blockhashes and duplicates,
 * because litesvm knows only one blockhash.
 */
export function createVm() {
  const svm = new LiteSvm();
  svm.setBlockhashCheck(false);
  svm.setTransactionHistory(0n);
  svm.setSigverify(false);
  svm.setRent(new Rent(RENT.lamportsPerByte, RENT.exemptionThreshold, RENT.burnPercent));
  // Every cluster has the mint of wrapped SOL from its first block.
  svm.withNativeMints();
  // litesvm doesn't include Lighthouse, so put the memo program at its address.
  const memo = svm.getAccount(bs58.decode(MEMO_PROGRAM));
  if (memo === null) throw new Error('litesvm no longer includes the memo program');
  svm.addProgramWithLoader(bs58.decode(LIGHTHOUSE_PROGRAM), memo.data(), memo.owner());

  return {
    account(address: string) {
      const account = svm.getAccount(bs58.decode(address));
      return account === null || account.lamports() === 0n ? undefined : toAccountState(account);
    },
    /** Lamports; 0n for a missing account. */
    balance: (address: string) => svm.getBalance(bs58.decode(address)) ?? 0n,
    setAccount(address: string, state: AccountState) {
      const { lamports, data, owner, executable, rentEpoch } = state;
      const account = new Account(lamports, data, bs58.decode(owner), executable, rentEpoch);
      svm.setAccount(bs58.decode(address), account);
    },
    accountsOwnedBy(program: string) {
      const owned = svm.getProgramAccounts(bs58.decode(program));
      return new Map(
        owned.map((each) => [bs58.encode(each.address), toAccountState(each.account(), program)]),
      );
    },
    minimumBalance: (dataLength: number) => svm.minimumBalanceForRentExemption(BigInt(dataLength)),
    setTime({ slot, unixMs }: { slot: number; unixMs: number }) {
      const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH));
      const seconds = BigInt(Math.floor(unixMs / 1000));
      svm.setClock(new Clock(BigInt(slot), seconds, epoch, epoch + 1n, seconds));
    },
    /**
     * Fills the SlotHashes sysvar. Call it only for the lookup table program: it is slow, and no other program
     * reads the sysvar.
     */
    setSlotHashes(newestSlot: number, hashOf: (slot: number) => string) {
      const count = Math.min(SLOT_HASHES_KEPT, newestSlot + 1);
      svm.setSlotHashes(
        Array.from({ length: count }, (_, age) => ({
          slot: BigInt(newestSlot - age),
          hash: hashOf(newestSlot - age),
        })),
      );
    },
    /**
     * `raw` must have passed `decodeTransaction`, because other bytes make the native code abort the process.
     */
    simulate(raw: Uint8Array, { verifySignatures }: { verifySignatures: boolean }) {
      svm.setSigverify(verifySignatures);
      const result = svm.simulateVersionedTransaction(raw);
      svm.setSigverify(false);
      if (result instanceof FailedTransactionMetadata) {
        return toExecution(readTransactionError(result), result.meta());
      }
      const post = result.postAccounts().map((each) => {
        return [bs58.encode(each.address), toAccountState(each.account())] as const;
      });
      return toExecution(null, result.meta(), new Map(post));
    },
    execute(raw: Uint8Array) {
      const result = svm.sendVersionedTransaction(raw);
      return result instanceof FailedTransactionMetadata
        ? toExecution(readTransactionError(result), result.meta())
        : toExecution(null, result);
    },
  };
}
