import type { LandedTransaction } from './bank.ts';
import type { Chain } from './chain.ts';
import { encodeAccount, readAccountView } from './encode-account.ts';
import { encodeInnerInstructions, encodeStatus, encodeTransaction } from './encode-transaction.ts';
import type { TransactionEncoding } from './encode-transaction.ts';
import { describeMemos } from './parse-instruction.ts';
import { withContext } from './rpc-context.ts';
import { createInvalidParamsError, RpcError } from './rpc-error.ts';
import {
  readBlockCommitment,
  readBoolean,
  readBytes,
  readChoice,
  readCommitment,
  readConfig,
  readList,
  readPubkey,
  readSignature,
  readString,
  readUnsigned,
  requireParams,
} from './rpc-params.ts';
import type { Config, Params } from './rpc-params.ts';
import type { Commitment } from './slot-clock.ts';
import { createSignatureError, encodeReturnData, parseTransaction } from './submission.ts';
import { MAX_TRANSACTION_BYTES } from './wire.ts';
import type { WireTransaction } from './wire.ts';

const WIRE_ENCODINGS = ['base58', 'base64'] as const;
const ENCODINGS: readonly TransactionEncoding[] = ['json', 'jsonParsed', 'base64', 'base58'];
/** The length of the largest transaction (4096 bytes) in each encoding, in characters. */
const MAX_ENCODED = { base58: 5594, base64: 5464 };
const MAX_STATUSES = 256;
/** Size of a validator's status cache. Older signatures need `searchTransactionHistory`. */
const STATUS_CACHE_SLOTS = 300;
const MAX_SIGNATURES = 1000;

function readTransaction(value: unknown, config: Config): WireTransaction {
  const encoding = readChoice(config['encoding'], WIRE_ENCODINGS, 'base58');
  const text = readString(value);
  const limit = MAX_ENCODED[encoding];
  if (text.length > limit) {
    throw createInvalidParamsError(
      `${encoding} encoded solana_transaction::versioned::VersionedTransaction too large: ` +
        `${text.length} bytes (max: encoded/raw ${limit}/${MAX_TRANSACTION_BYTES})`,
    );
  }
  return parseTransaction(readBytes(text, encoding));
}

export function sendTransaction(chain: Chain, params: Params): unknown {
  requireParams(params, 1);
  const config = readConfig(params[1]);
  readCommitment(chain, { ...config, commitment: config['preflightCommitment'] });
  const { raw } = readTransaction(params[0], config);
  return chain.submit(raw, { skipPreflight: readBoolean(config, 'skipPreflight') });
}

export function requestAirdrop(chain: Chain, params: Params): unknown {
  requireParams(params, 2);
  const address = readPubkey(params[0]);
  const lamports = BigInt(readUnsigned(params[1]));
  readCommitment(chain, readConfig(params[2]));
  return chain.airdrop(address, lamports);
}

export function simulateTransaction(chain: Chain, params: Params): unknown {
  requireParams(params, 1);
  const config = readConfig(params[1]);
  const commitment = readCommitment(chain, config);
  const verifySignatures = readBoolean(config, 'sigVerify');
  const anyBlockhash = readBoolean(config, 'replaceRecentBlockhash');
  if (verifySignatures && anyBlockhash) {
    throw createInvalidParamsError('sigVerify may not be used with replaceRecentBlockhash');
  }
  const wire = readTransaction(params[0], config);
  const execution = chain.simulate(wire, { verifySignatures, anyBlockhash });
  if (execution.error === 'SignatureFailure') throw createSignatureError();

  const wanted = readConfig(config['accounts']);
  const addresses =
    wanted['addresses'] === undefined ? undefined : readList(wanted['addresses']).map(readPubkey);
  const view = readAccountView(chain, { encoding: 'base64', ...wanted }, 'processed');
  const keys = chain.keysOf(wire.message);
  return withContext(chain, commitment, {
    accounts:
      addresses?.map((address) =>
        execution.error === null
          ? encodeAccount(execution.postAccounts.get(address) ?? chain.account(address), view)
          : null,
      ) ?? null,
    err: execution.error,
    innerInstructions: readBoolean(config, 'innerInstructions')
      ? encodeInnerInstructions(execution, keys, true)
      : null,
    logs: execution.logs,
    replacementBlockhash: anyBlockhash ? chain.latestBlockhash({ commitment }) : null,
    returnData: encodeReturnData(execution.returnData),
    unitsConsumed: execution.unitsConsumed,
  });
}

function hasReached(chain: Chain, transaction: LandedTransaction, commitment: Commitment): boolean {
  return transaction.slot <= chain.clock.slot(commitment);
}

export function getSignatureStatuses(chain: Chain, params: Params): unknown {
  requireParams(params, 1);
  const list = readList(params[0]);
  if (list.length > MAX_STATUSES) {
    throw createInvalidParamsError(`Too many inputs provided; max ${MAX_STATUSES}`);
  }
  const isHistorySearched = readBoolean(readConfig(params[1]), 'searchTransactionHistory');
  const newest = chain.clock.slot();
  const statuses = list.map(readSignature).map((signature) => {
    const transaction = chain.transaction(signature);
    if (transaction === undefined) return null;
    const { slot, execution } = transaction;
    if (!isHistorySearched && slot < newest - STATUS_CACHE_SLOTS) return null;
    const confirmationStatus = chain.commitmentOf(transaction);
    return {
      confirmationStatus,
      confirmations: confirmationStatus === 'finalized' ? null : newest - slot,
      err: execution.error,
      slot,
      status: encodeStatus(execution.error),
    };
  });
  return withContext(chain, 'processed', statuses);
}

export function getTransaction(chain: Chain, params: Params): unknown {
  requireParams(params, 1);
  const signature = readSignature(params[0]);
  const config = typeof params[1] === 'string' ? { encoding: params[1] } : readConfig(params[1]);
  const commitment = readBlockCommitment(chain, config);
  const encoding = readChoice(config['encoding'], ENCODINGS, 'json');
  const maxVersion = config['maxSupportedTransactionVersion'] ?? undefined;
  if (maxVersion !== undefined) readUnsigned(maxVersion);

  const transaction = chain.transaction(signature);
  if (transaction === undefined || !hasReached(chain, transaction, commitment)) return null;
  const version = chain.versionOf(transaction);
  const isReturned = version === 'legacy' || version <= Number(maxVersion ?? -1);
  if (!isReturned && !chain.isAlwaysReturned(signature)) {
    throw new RpcError(
      -32015,
      `Transaction version (${version}) is not supported by the requesting client. ` +
        'Please try the request again with the following configuration parameter: ' +
        `"maxSupportedTransactionVersion": ${version}`,
    );
  }
  return encodeTransaction(transaction, {
    encoding,
    version,
    blockTime: chain.blockTimeOf(transaction.slot),
    showVersion: maxVersion !== undefined,
  });
}

function positionOf(
  chain: Chain,
  newestFirst: readonly LandedTransaction[],
  signature: string | undefined,
): { first: number; after: number } | undefined {
  const transaction = signature === undefined ? undefined : chain.transaction(signature);
  if (transaction === undefined) return undefined;
  const index = newestFirst.indexOf(transaction);
  if (index !== -1) return { first: index, after: index + 1 };
  const older = newestFirst.findIndex((each) => each.slot < transaction.slot);
  const position = older === -1 ? newestFirst.length : older;
  return { first: position, after: position };
}

export function getSignaturesForAddress(chain: Chain, params: Params): unknown {
  requireParams(params, 1);
  const address = readPubkey(params[0]);
  const config = readConfig(params[1]);
  const commitment = readBlockCommitment(chain, config);
  const limit = readUnsigned(config['limit'] ?? MAX_SIGNATURES);
  if (limit === 0 || limit > MAX_SIGNATURES) {
    throw createInvalidParamsError(`Invalid limit; max ${MAX_SIGNATURES}`);
  }
  const [before, until] = [config['before'], config['until']].map((each) =>
    each === undefined || each === null ? undefined : readSignature(each),
  );

  const newestFirst = chain
    .transactionsNaming(address)
    .filter((each) => hasReached(chain, each, commitment))
    .reverse();
  const beginning = positionOf(chain, newestFirst, before);
  if (before !== undefined && beginning === undefined) return [];
  return newestFirst
    .slice(beginning?.after ?? 0, positionOf(chain, newestFirst, until)?.first)
    .slice(0, limit)
    .map((each) => ({
      blockTime: chain.blockTimeOf(each.slot),
      confirmationStatus: chain.commitmentOf(each),
      err: each.execution.error,
      memo: describeMemos(each.wire.message.compiledInstructions, each.keys),
      signature: each.signature,
      slot: each.slot,
    }));
}
