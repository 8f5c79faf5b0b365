import { createInvalidParamsError, RpcError } from './rpc-error.ts';
import { describeTransactionError } from './transaction-error.ts';
import type { TransactionError } from './transaction-error.ts';
import type { Execution } from './vm.ts';
import { decodeMessage, decodeTransaction, sizeLimitOf, WireError } from './wire.ts';
import type { WireTransaction } from './wire.ts';

function decodeOrRpcError<T>(type: string, raw: Uint8Array, decode: (raw: Uint8Array) => T): T {
  const limit = sizeLimitOf(raw);
  if (raw.length > limit) {
    throw createInvalidParamsError(`decoded ${type} too large: ${raw.length} bytes (max: ${limit} bytes)`);
  }
  try {
    return decode(raw);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw createInvalidParamsError(
      error.kind === 'malformed'
        ? `failed to deserialize ${type}: ${error.message}`
        : `invalid transaction: ${error.message}`,
    );
  }
}

/** Decodes a signed transaction. @throws {RpcError} -32602 with the cluster's message */
export function parseTransaction(raw: Uint8Array): WireTransaction {
  return decodeOrRpcError('solana_transaction::versioned::VersionedTransaction', raw, decodeTransaction);
}

/** Decodes a message without signatures. @throws {RpcError} -32602 with the cluster's message */
export function parseMessage(raw: Uint8Array): WireTransaction {
  return decodeOrRpcError('solana_message::versions::VersionedMessage', raw, decodeMessage);
}

export function createRefusedExecution(error: TransactionError): Execution {
  return {
    error,
    logs: [],
    inner: [],
    unitsConsumed: 0n,
    fee: 0n,
    returnData: undefined,
    postAccounts: new Map(),
  };
}

export function createSignatureError(): RpcError {
  return new RpcError(-32003, 'Transaction signature verification failure');
}

export function encodeReturnData(returnData: Execution['returnData']): unknown {
  if (returnData === undefined) return null;
  return {
    programId: returnData.programId,
    data: [Buffer.from(returnData.data).toString('base64'), 'base64'],
  };
}

export function createPreflightError(execution: Execution): RpcError {
  const message = describeTransactionError(execution.error ?? 'Unknown');
  return new RpcError(-32002, `Transaction simulation failed: ${message}`, {
    accounts: null,
    err: execution.error,
    innerInstructions: null,
    logs: execution.logs,
    replacementBlockhash: null,
    returnData: encodeReturnData(execution.returnData),
    unitsConsumed: execution.unitsConsumed,
  });
}
