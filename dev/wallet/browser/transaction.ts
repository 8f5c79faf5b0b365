import {
  getCompiledTransactionMessageDecoder,
  type CompiledTransactionMessage,
} from '@solana/transaction-messages';
import { getTransactionDecoder, getTransactionEncoder } from '@solana/transactions';
import type { KeyPair } from './key-pair.ts';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const SYSTEM_TRANSFER = 2;
const SYSTEM_TRANSFER_LENGTH = 12;

export interface Transfer {
  from: string;
  to: string;
  lamports: bigint;
}

export interface TransactionSummary {
  transfers: readonly Transfer[];
  /** Lamports that leave the wallet by these transfers, without the network fee. */
  leaving: bigint;
  /** Programs other than System transfers, which the wallet can't explain. */
  otherPrograms: readonly string[];
  paysFee: boolean;
}

/** @throws if the bytes aren't a transaction, or need no signature of the wallet */
export async function signTransaction({
  transaction,
  keyPair,
}: {
  transaction: Uint8Array;
  keyPair: KeyPair;
}): Promise<Uint8Array> {
  const decoded = getTransactionDecoder().decode(transaction);
  if (!(keyPair.address in decoded.signatures)) {
    throw new Error('This transaction needs no signature of the Local Wallet.');
  }
  const signature = await keyPair.sign(new Uint8Array(decoded.messageBytes));
  const signatures = { ...decoded.signatures, [keyPair.address]: signature };
  return new Uint8Array(getTransactionEncoder().encode({ ...decoded, signatures }));
}

/** Describes a transaction of version legacy, 0 or 1. @throws if the bytes aren't one */
export function summarise({
  transaction,
  address,
}: {
  transaction: Uint8Array;
  address: string;
}): TransactionSummary {
  const { messageBytes } = getTransactionDecoder().decode(transaction);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const { staticAccounts } = message;
  const transfers: Transfer[] = [];
  const otherPrograms = new Set<string>();
  for (const { programAddressIndex, accountIndices = [], data } of readInstructions(message)) {
    const program = staticAccounts[programAddressIndex] ?? '';
    // Accounts from a lookup table have no address here.
    const [from, to] = accountIndices.map((index) => staticAccounts[index]);
    const lamports = program === SYSTEM_PROGRAM ? readLamports(data) : undefined;
    if (lamports === undefined || from === undefined || to === undefined) otherPrograms.add(program);
    else transfers.push({ from, to, lamports });
  }
  const leaving = transfers
    .filter(({ from, to }) => from === address && to !== address)
    .reduce((sum, { lamports }) => sum + lamports, 0n);
  return {
    transfers,
    leaving,
    otherPrograms: [...otherPrograms],
    paysFee: staticAccounts[0] === address,
  };
}

/** Version 1 has the programs of all instructions before their accounts and data. */
function readInstructions(message: CompiledTransactionMessage) {
  if (message.version !== 1) return message.instructions;
  return message.instructionPayloads.map(({ instructionAccountIndices, instructionData }, index) => ({
    programAddressIndex: message.instructionHeaders[index]?.programAccountIndex ?? -1,
    accountIndices: instructionAccountIndices,
    data: instructionData,
  }));
}

/** The lamports of a System transfer. Undefined for other instructions. */
function readLamports(data: { readonly length: number } & ArrayLike<number> = []): bigint | undefined {
  const view = new DataView(Uint8Array.from(data).buffer);
  const isTransfer = data.length === SYSTEM_TRANSFER_LENGTH && view.getUint32(0, true) === SYSTEM_TRANSFER;
  return isTransfer ? view.getBigUint64(4, true) : undefined;
}
