import type { FailedTransactionMetadata } from 'litesvm/dist/internal.js';

/** A transaction error in the cluster's JSON, such as `{"InstructionError":[0,{"Custom":1}]}`. */
export type TransactionError = string | Record<string, unknown>;

/** The cluster's messages of the errors that LiteSVM can cause. */
const MESSAGES: Readonly<Record<string, string>> = {
  AccountLoadedTwice: 'Account loaded twice',
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidAccountForFee: 'This account may not be used to pay transaction fees',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InvalidProgramForExecution: 'This program may not be used for executing instructions',
  SanitizeFailure: 'Transaction failed to sanitize accounts offsets correctly',
  InvalidWritableAccount: 'Transaction loads a writable account that cannot be written',
  TooManyAccountLocks: 'Transaction locked too many accounts',
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
  InvalidAddressLookupTableOwner: 'Transaction loads an address table account with an invalid owner',
  InvalidAddressLookupTableData: 'Transaction loads an address table account with invalid data',
  InvalidAddressLookupTableIndex: 'Transaction address table lookup uses an invalid index',
  MaxLoadedAccountsDataSizeExceeded: 'Transaction exceeded max loaded accounts data size cap',
};

const INSTRUCTION_MESSAGES: Readonly<Record<string, string>> = {
  GenericError: 'generic instruction error',
  InvalidArgument: 'invalid program argument',
  InvalidInstructionData: 'invalid instruction data',
  InvalidAccountData: 'invalid account data for instruction',
  AccountDataTooSmall: 'account data too small for instruction',
  InsufficientFunds: 'insufficient funds for instruction',
  IncorrectProgramId: 'incorrect program id for instruction',
  MissingRequiredSignature: 'missing required signature for instruction',
  AccountAlreadyInitialized: 'instruction requires an uninitialized account',
  UninitializedAccount: 'instruction requires an initialized account',
  ExternalAccountLamportSpend: 'instruction spent from the balance of an account it does not own',
  ReadonlyLamportChange: 'instruction changed the balance of a read-only account',
  NotEnoughAccountKeys: 'insufficient account keys for instruction',
  MissingAccount: 'An account required by the instruction is missing',
  MaxSeedLengthExceeded: 'Length of the seed is too long for address generation',
  InvalidSeeds: 'Provided seeds do not result in a valid address',
  ComputationalBudgetExceeded: 'Computational budget exceeded',
  PrivilegeEscalation: 'Cross-program invocation with unauthorized signer or writable account',
  ProgramFailedToComplete: 'Program failed to complete',
  Immutable: 'Account is immutable',
  IncorrectAuthority: 'Incorrect authority provided',
  InvalidAccountOwner: 'Invalid account owner',
  ArithmeticOverflow: 'Program arithmetic overflowed',
  IllegalOwner: 'Provided owner is not allowed',
};

const DEBUG_TEXT =
  /{ err: (?<name>\w+)(?:\((?<index>\d+)(?:, (?<inner>\w+)(?:\((?<detail>\w*).*?\))?)?\)| { account_index: (?<account>\d+) })?, meta: /;

/**
 * Reads the error from litesvm's debug text. litesvm's own values are numeric `const enum`s, which can't be imported
 * under `isolatedModules`.
 */
export function readTransactionError(failed: FailedTransactionMetadata): TransactionError {
  const { name, index, inner, detail, account } = DEBUG_TEXT.exec(failed.toString())?.groups ?? {};
  if (name === undefined) throw new Error('litesvm no longer has the error in its debug text');
  if (account !== undefined) return { [name]: { account_index: Number(account) } };
  if (index === undefined) return name;
  if (inner === undefined) return { [name]: Number(index) };
  return { [name]: [Number(index), inner === 'Custom' ? { Custom: Number(detail) } : inner] };
}

/** The cluster's message. The error's name for an error without a known message. */
export function describeTransactionError(error: TransactionError): string {
  if (typeof error === 'string') return MESSAGES[error] ?? error;
  const [[name, detail] = ['', undefined]] = Object.entries(error);
  if (name === 'InstructionError') {
    const [index, inner] = detail as [number, string | { Custom: number }];
    const reason =
      typeof inner === 'string'
        ? (INSTRUCTION_MESSAGES[inner] ?? inner)
        : `custom program error: 0x${inner.Custom.toString(16)}`;
    return `Error processing Instruction ${index}: ${reason}`;
  }
  if (name === 'DuplicateInstruction') {
    return `Transaction contains a duplicate instruction (${String(detail)}) that is not allowed`;
  }
  const { account_index: account } = detail as { account_index: number };
  return name === 'InsufficientFundsForRent'
    ? `Transaction results in an account (${account}) with insufficient funds for rent`
    : `Execution of the program referenced by account at index ${account} is temporarily restricted.`;
}
