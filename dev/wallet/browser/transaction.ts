import bs58 from 'bs58';
import type { KeyPair } from './key-pair.ts';

const SIGNATURE_LENGTH = 64;
const KEY_LENGTH = 32;
const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const SYSTEM_TRANSFER = 2;
const SYSTEM_TRANSFER_LENGTH = 12;

/** A decoded instruction. Accounts from a lookup table have no address here. */
export interface DecodedInstruction {
  program: string;
  accounts: readonly (string | undefined)[];
  data: Uint8Array;
}

/** A legacy or v0 transaction, with the fields that a wallet needs. */
export interface DecodedTransaction {
  /** Addresses of the required signers, the fee payer first. */
  signers: readonly string[];
  instructions: readonly DecodedInstruction[];
  message: Uint8Array;
  signaturesOffset: number;
}

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

/** @throws RangeError if the bytes aren't a transaction */
export function decodeTransaction(bytes: Uint8Array): DecodedTransaction {
  const reader = createReader(bytes);
  const signatureCount = reader.compact();
  const signaturesOffset = reader.position();
  reader.take(signatureCount * SIGNATURE_LENGTH);
  const message = bytes.slice(reader.position());

  const first = reader.byte();
  const isVersioned = (first & 0x80) !== 0;
  if (isVersioned && (first & 0x7f) !== 0) {
    throw new RangeError('This wallet supports only legacy and version 0 transactions');
  }
  const requiredSignatures = isVersioned ? reader.byte() : first;
  if (requiredSignatures !== signatureCount) {
    throw new RangeError('The number of signatures differs from the required number');
  }
  reader.take(2);
  const keys = reader.list(() => bs58.encode(reader.take(KEY_LENGTH)));
  reader.take(KEY_LENGTH);
  const instructions = reader.list(() => {
    const program = keys[reader.byte()];
    if (program === undefined) throw new RangeError('An instruction has no program');
    return { program, accounts: reader.list(() => keys[reader.byte()]), data: reader.take(reader.compact()) };
  });
  return { signers: keys.slice(0, requiredSignatures), instructions, message, signaturesOffset };
}

export async function signTransaction({
  transaction,
  keyPair,
}: {
  transaction: Uint8Array;
  keyPair: KeyPair;
}): Promise<Uint8Array> {
  const { signers, message, signaturesOffset } = decodeTransaction(transaction);
  const index = signers.indexOf(keyPair.address);
  if (index === -1) throw new Error('This transaction needs no signature of the Local Wallet.');
  const signed = transaction.slice();
  signed.set(await keyPair.sign(message), signaturesOffset + index * SIGNATURE_LENGTH);
  return signed;
}

export function summarise({
  transaction,
  address,
}: {
  transaction: DecodedTransaction;
  address: string;
}): TransactionSummary {
  const transfers: Transfer[] = [];
  const otherPrograms = new Set<string>();
  for (const instruction of transaction.instructions) {
    const transfer = readTransfer(instruction);
    if (transfer === undefined) otherPrograms.add(instruction.program);
    else transfers.push(transfer);
  }
  const leaving = transfers
    .filter(({ from, to }) => from === address && to !== address)
    .reduce((sum, { lamports }) => sum + lamports, 0n);
  return {
    transfers,
    leaving,
    otherPrograms: [...otherPrograms],
    paysFee: transaction.signers[0] === address,
  };
}

function readTransfer({ program, accounts: [from, to], data }: DecodedInstruction): Transfer | undefined {
  if (program !== SYSTEM_PROGRAM || data.length !== SYSTEM_TRANSFER_LENGTH) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (view.getUint32(0, true) !== SYSTEM_TRANSFER || from === undefined || to === undefined) return undefined;
  return { from, to, lamports: view.getBigUint64(4, true) };
}

function createReader(bytes: Uint8Array) {
  let offset = 0;

  function take(length: number): Uint8Array {
    if (offset + length > bytes.length) throw new RangeError('The transaction ends too early');
    offset += length;
    return bytes.slice(offset - length, offset);
  }
  const byte = (): number => take(1)[0] ?? 0;
  /** Solana's compact-u16: seven bits per byte, at most three bytes. */
  function compact(): number {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const next = byte();
      value |= (next & 0x7f) << shift;
      if ((next & 0x80) === 0) return value;
    }
    throw new RangeError('A compact length has too many bytes');
  }
  return {
    take,
    byte,
    compact,
    position: () => offset,
    list: <T>(read: () => T): T[] => Array.from({ length: compact() }, read),
  };
}
