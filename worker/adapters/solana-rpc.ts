import { Connection, PublicKey, SendTransactionError, type ConfirmedSignatureInfo, type SignatureStatus, type ParsedInstruction, type ParsedTransactionWithMeta, type PartiallyDecodedInstruction } from '@solana/web3.js';
import type { Movements } from '#schema/rules/buys.ts';
import type { Transfer } from '#schema/rules/payment.ts';
import type { AbsenceQuestion, Chain, ChainTransaction, Rejection, SignatureState } from '../ports/chain.ts';
import { PortUnavailableError } from '../ports/unavailable.ts';
import { readBalanceChanges, readInstructions, readMovements, sumHoldings, TOKEN_PROGRAMS } from './solana-movements.ts';
import { SECOND_MS } from '#schema/constants.ts';

const TIMEOUT_MS = 8_000;
/** The most a cluster answers at once. */
const SIGNATURES_PER_PAGE = 1_000;
const STATUSES_PER_QUESTION = 256;
/** Providers refuse batches that are much longer. */
const TRANSACTIONS_PER_BATCH = 25;

/** A cluster over its JSON-RPC, by web3.js. Reads are at commitment confirmed. */
export function createSolanaRpc({ url }: { url: string }): Chain {
  const connection = new Connection(url, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }),
  });

  const signatureStates: Chain['signatureStates'] = async (signatures) => {
    const states: SignatureState[] = [];
    for (let start = 0; start < signatures.length; start += STATUSES_PER_QUESTION) {
      const { value } = await ask(() => connection.getSignatureStatuses(signatures.slice(start, start + STATUSES_PER_QUESTION), { searchTransactionHistory: true }));
      states.push(...value.map(readState));
    }
    return states;
  };

  return {
    latestBlockhash: () => ask(() => connection.getLatestBlockhash()),

    lastValidBlockHeight: async () => (await ask(() => connection.getLatestBlockhash('processed'))).lastValidBlockHeight,

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

    signatureStates,

    absentAtFinalized: async (questions) => {
      if (questions.length === 0) return new Set();
      // Asked first: what is known of a signature afterwards is at least this new.
      const [slot, blockHeight] = await Promise.all([ask(() => connection.getSlot('finalized')), ask(() => connection.getBlockHeight('finalized'))]);
      const states = await signatureStates(questions.map(({ signature }) => signature));
      const isPast = ({ upTo }: AbsenceQuestion) => ('slot' in upTo ? slot > upTo.slot : blockHeight > upTo.blockHeight);
      return new Set(questions.filter((question, index) => states[index]?.status === 'unknown' && isPast(question)).map(({ signature }) => signature));
    },

    transaction: async (signature) => {
      const found = await ask(() => connection.getParsedTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }));
      return found?.meta ? readTransaction(signature, found) : null;
    },

    signaturesFor: async (address) => {
      const found = await ask(() => connection.getSignaturesForAddress(new PublicKey(address), { limit: SIGNATURES_PER_PAGE }, 'confirmed'));
      return found
        .filter(({ err }) => err === null)
        .map(({ signature }) => signature)
        .toReversed();
    },

    newestFinalizedSignature: async (address) => {
      const [newest] = await ask(() => connection.getSignaturesForAddress(new PublicKey(address), { limit: 1 }, 'finalized'));
      return newest?.signature ?? null;
    },

    finalizedSignaturesFor: async ({ address, after }) => {
      const newestFirst: ConfirmedSignatureInfo[] = [];
      for (;;) {
        const before = newestFirst.at(-1)?.signature;
        const page = await ask(() =>
          connection.getSignaturesForAddress(
            new PublicKey(address),
            { limit: SIGNATURES_PER_PAGE, ...(before === undefined ? {} : { before }), ...(after === null ? {} : { until: after }) },
            'finalized',
          ),
        );
        newestFirst.push(...page);
        if (page.length < SIGNATURES_PER_PAGE) break;
      }
      return newestFirst
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

function readState(status: SignatureStatus | null): SignatureState {
  return status === null ? { status: 'unknown' } : { status: status.confirmationStatus ?? 'processed', error: status.err, slot: status.slot };
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
