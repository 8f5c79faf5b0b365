import bs58 from 'bs58';
import type { LandedTransaction } from './bank.ts';
import { encodeInstruction, encodeParsedInstruction } from './parse-instruction.ts';
import { encodeReturnData } from './submission.ts';
import type { TransactionError } from './transaction-error.ts';
import type { Execution } from './vm.ts';

/** A version that no library knows. */
export const UNREADABLE_VERSION = 2;
const VERSIONED_BIT = 0x80;

export type TransactionEncoding = 'json' | 'jsonParsed' | 'base64' | 'base58';
export type TransactionVersion = 'legacy' | number;

export function encodeStatus(error: TransactionError | null): unknown {
  return error === null ? { Ok: null } : { Err: error };
}

/** Leaves out empty lists, as a cluster does. */
export function encodeInnerInstructions(
  execution: Execution,
  keys: readonly string[],
  isParsed: boolean,
): unknown[] {
  return execution.inner.flatMap((list, index) => {
    if (list.length === 0) return [];
    const instructions = list.map((inner) =>
      isParsed
        ? encodeParsedInstruction(inner, keys, inner.stackHeight)
        : encodeInstruction(inner, inner.stackHeight),
    );
    return [{ index, instructions }];
  });
}

function encodeMeta(transaction: LandedTransaction, encoding: TransactionEncoding): unknown {
  const { execution } = transaction;
  const isParsed = encoding === 'jsonParsed';
  return {
    computeUnitsConsumed: execution.unitsConsumed,
    err: execution.error,
    fee: execution.fee,
    innerInstructions: encodeInnerInstructions(execution, transaction.keys, isParsed),
    // In `jsonParsed` form, `accountKeys` already contains the loaded keys.
    ...(isParsed ? {} : { loadedAddresses: transaction.loaded }),
    logMessages: execution.logs,
    postBalances: transaction.postBalances,
    postTokenBalances: transaction.postTokenBalances,
    preBalances: transaction.preBalances,
    preTokenBalances: transaction.preTokenBalances,
    ...(execution.returnData === undefined ? {} : { returnData: encodeReturnData(execution.returnData) }),
    rewards: [],
    status: encodeStatus(execution.error),
  };
}

/** The parts of a message that only some versions have. */
function encodeVersionParts(transaction: LandedTransaction): Record<string, unknown> {
  const { message } = transaction.wire;
  if (message.version === 'legacy') return {};
  if (message.version === 1) return { transactionConfig: message.transactionConfig };
  return {
    addressTableLookups: message.addressTableLookups.map((lookup) => ({
      ...lookup,
      accountKey: lookup.accountKey.toBase58(),
    })),
  };
}

function encodeJson(transaction: LandedTransaction): unknown {
  const { message, signatures } = transaction.wire;
  return {
    message: {
      accountKeys: message.staticAccountKeys.map(String),
      ...encodeVersionParts(transaction),
      header: message.header,
      instructions: message.compiledInstructions.map((each) => encodeInstruction(each, 1)),
      recentBlockhash: message.recentBlockhash,
    },
    signatures,
  };
}

function encodeJsonParsed(transaction: LandedTransaction): unknown {
  const { keys, wire } = transaction;
  const { message, signatures } = wire;
  return {
    message: {
      accountKeys: keys.map((pubkey, index) => ({
        pubkey,
        signer: message.isAccountSigner(index),
        source: index < message.staticAccountKeys.length ? 'transaction' : 'lookupTable',
        writable: message.isAccountWritable(index),
      })),
      ...encodeVersionParts(transaction),
      instructions: message.compiledInstructions.map((each) => encodeParsedInstruction(each, keys, 1)),
      recentBlockhash: message.recentBlockhash,
    },
    signatures,
  };
}

function encodeBytes(raw: Uint8Array, encoding: 'base58' | 'base64'): [text: string, encoding: string] {
  return [encoding === 'base58' ? bs58.encode(raw) : Buffer.from(raw).toString('base64'), encoding];
}

function encodeBody(transaction: LandedTransaction, encoding: TransactionEncoding): unknown {
  if (encoding === 'json') return encodeJson(transaction);
  return encoding === 'jsonParsed'
    ? encodeJsonParsed(transaction)
    : encodeBytes(transaction.wire.raw, encoding);
}

function encodeUnreadable({ wire }: LandedTransaction, encoding: TransactionEncoding): unknown {
  const raw = Uint8Array.of(VERSIONED_BIT | UNREADABLE_VERSION, ...wire.raw);
  if (encoding === 'base58' || encoding === 'base64') return encodeBytes(raw, encoding);
  return { message: { payload: encodeBytes(raw, 'base64')[0] }, signatures: wire.signatures };
}

/**
 * A transaction as `getTransaction` returns it.
 * @param options.showVersion true when the client sent `maxSupportedTransactionVersion`
 */
export function encodeTransaction(
  transaction: LandedTransaction,
  options: {
    encoding: TransactionEncoding;
    version: TransactionVersion;
    /** Unix seconds. */
    blockTime: number;
    showVersion: boolean;
  },
): unknown {
  const encode = options.version === UNREADABLE_VERSION ? encodeUnreadable : encodeBody;
  return {
    blockTime: options.blockTime,
    meta: encodeMeta(transaction, options.encoding),
    slot: transaction.slot,
    transaction: encode(transaction, options.encoding),
    ...(options.showVersion ? { version: options.version } : {}),
  };
}
