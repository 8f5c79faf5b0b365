import bs58 from 'bs58';
import type { LandedTransaction } from './bank.ts';
import { encodeInstruction, encodeParsedInstruction } from './parse-instruction.ts';
import { encodeReturnData } from './submission.ts';
import type { TransactionError } from './transaction-error.ts';
import type { Execution } from './vm.ts';

export type TransactionEncoding = 'json' | 'jsonParsed' | 'base64' | 'base58';

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

function encodeLookups(transaction: LandedTransaction): Record<string, unknown> {
  const { message } = transaction.wire;
  if (message.version === 'legacy') return {};
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
      ...encodeLookups(transaction),
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
      ...encodeLookups(transaction),
      instructions: message.compiledInstructions.map((each) => encodeParsedInstruction(each, keys, 1)),
      recentBlockhash: message.recentBlockhash,
    },
    signatures,
  };
}

function encodeBody(transaction: LandedTransaction, encoding: TransactionEncoding): unknown {
  const { raw } = transaction.wire;
  switch (encoding) {
    case 'json':
      return encodeJson(transaction);
    case 'jsonParsed':
      return encodeJsonParsed(transaction);
    case 'base58':
      return [bs58.encode(raw), encoding];
    case 'base64':
      return [Buffer.from(raw).toString('base64'), encoding];
  }
}

/**
 * A transaction as `getTransaction` returns it.
 * @param options.showVersion true when the client sent `maxSupportedTransactionVersion`
 */
export function encodeTransaction(
  transaction: LandedTransaction,
  options: { encoding: TransactionEncoding; showVersion: boolean },
): unknown {
  return {
    blockTime: Math.floor(transaction.at / 1000),
    meta: encodeMeta(transaction, options.encoding),
    slot: transaction.slot,
    transaction: encodeBody(transaction, options.encoding),
    ...(options.showVersion ? { version: transaction.wire.message.version } : {}),
  };
}
