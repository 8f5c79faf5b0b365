import { Connection, PublicKey, SendTransactionError, type ParsedInstruction, type ParsedTransactionWithMeta, type PartiallyDecodedInstruction } from '@solana/web3.js';
import type { Movements } from '#schema/rules/buys.ts';
import type { Transfer } from '#schema/rules/payment.ts';
import type { Chain, ChainTransaction, Rejection } from '../ports/chain.ts';
import { PortUnavailableError } from '../ports/unavailable.ts';
import { readBalanceChanges, readInstructions, readMovements, sumHoldings, TOKEN_PROGRAMS } from './solana-movements.ts';
import { SECOND_MS } from '#schema/constants.ts';

const TIMEOUT_MS = 8_000;
/** The most a cluster answers at once. */
const SIGNATURES_PER_REFERENCE = 1_000;
/** Providers refuse batches that are much longer. */
const TRANSACTIONS_PER_BATCH = 25;

/** A cluster over its JSON-RPC, by web3.js. Reads are at commitment confirmed. */
export function createSolanaRpc({ url }: { url: string }): Chain {
  const connection = new Connection(url, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }),
  });

  return {
    latestBlockhash: () => ask(() => connection.getLatestBlockhash()),

    balances: async (addresses) => {
      const accounts = await ask(() => connection.getMultipleAccountsInfo(addresses.map((address) => new PublicKey(address))));
      return accounts.map((account) => BigInt(account?.lamports ?? 0));
    },

    rentExemptMinimum: async () => BigInt(await ask(() => connection.getMinimumBalanceForRentExemption(0))),

    send: async ({ bytes, signature }) => {
      try {
        return { signature: await connection.sendRawTransaction(bytes) };
      } catch (error) {
        if (!(error instanceof SendTransactionError)) throw new PortUnavailableError('chain', error);
        const { value } = await ask(() => connection.getSignatureStatus(signature, { searchTransactionHistory: true }));
        return value ? { signature } : { rejection: readRejection(error.transactionError.message) };
      }
    },

    signatureState: async (signature) => {
      const { value } = await ask(() => connection.getSignatureStatus(signature, { searchTransactionHistory: true }));
      const status = value?.confirmationStatus;
      return status === 'confirmed' || status === 'finalized' ? { status, error: value?.err ?? null } : { status: 'unknown' };
    },

    transaction: async (signature) => {
      const found = await ask(() => connection.getParsedTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }));
      return found?.meta ? readTransaction(signature, found) : null;
    },

    signaturesFor: async (address) => {
      const found = await ask(() => connection.getSignaturesForAddress(new PublicKey(address), { limit: SIGNATURES_PER_REFERENCE }, 'confirmed'));
      return found
        .filter(({ err }) => err === null)
        .map(({ signature }) => signature)
        .toReversed();
    },

    newestSignatures: async ({ address, limit }) => {
      const found = await ask(() => connection.getSignaturesForAddress(new PublicKey(address), { limit }, 'confirmed'));
      return found.map(({ signature, slot, err }) => ({ signature, slot, hasFailed: err !== null }));
    },

    movements: async (signatures) => {
      const read: Movements[] = [];
      for (let start = 0; start < signatures.length; start += TRANSACTIONS_PER_BATCH) {
        const batch = signatures.slice(start, start + TRANSACTIONS_PER_BATCH);
        const found = await ask(() => connection.getParsedTransactions(batch, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }));
        read.push(...batch.flatMap((signature, index) => (found[index]?.meta ? [readMovements(signature, found[index])] : [])));
      }
      return read;
    },

    tokenHoldings: async (owner) => {
      const answers = await Promise.all(TOKEN_PROGRAMS.map((programId) => ask(() => connection.getParsedTokenAccountsByOwner(new PublicKey(owner), { programId }))));
      return sumHoldings(answers.flatMap(({ value }) => value.map(({ account }) => account.data.parsed)));
    },
  };
}

/** The cluster words these for programs; system program error 1 is a transfer of more than there is. */
function readRejection(detail: string): Rejection {
  if (/blockhash not found/i.test(detail)) return { reason: 'blockhash_expired', detail };
  if (/custom program error: 0x1$|no record of a prior credit|insufficient funds/i.test(detail.trim())) return { reason: 'insufficient_funds', detail };
  return { reason: 'other', detail };
}

async function ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question();
  } catch (error) {
    throw new PortUnavailableError('chain', error);
  }
}

function readTransaction(signature: string, found: ParsedTransactionWithMeta): ChainTransaction {
  const { transaction, meta, slot, blockTime } = found;
  const keys = transaction.message.accountKeys;
  return {
    signature,
    slot,
    blockTime: blockTime == null ? null : blockTime * SECOND_MS,
    hasFailed: meta?.err !== null,
    accounts: keys.map(({ pubkey }) => pubkey.toBase58()),
    signers: keys.filter(({ signer }) => signer).map(({ pubkey }) => pubkey.toBase58()),
    transfers: readInstructions(found).flatMap(readTransfer),
    balanceChanges: readBalanceChanges(found),
    feePayer: keys[0]?.pubkey.toBase58() ?? '',
    feeLamports: BigInt(meta?.fee ?? 0),
  };
}

function readTransfer(instruction: ParsedInstruction | PartiallyDecodedInstruction): Transfer[] {
  if (!('parsed' in instruction) || instruction.program !== 'system') return [];
  const { type, info } = instruction.parsed as { type: string; info: { source: string; destination: string; lamports: number } };
  return type === 'transfer' ? [{ source: info.source, destination: info.destination, lamports: BigInt(info.lamports) }] : [];
}
