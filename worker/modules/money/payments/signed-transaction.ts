import {
  SystemInstruction,
  SystemProgram,
  TransactionInstruction,
  VersionedTransaction,
  type MessageCompiledInstruction,
  VERSION_1_MESSAGE_PREFIX,
  type PublicKey,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { fromBase64 } from '../../../shared/base64.ts';
import { isSignedBy } from '../../../shared/ed25519.ts';
import type { PaymentTransaction, Transfer } from '#schema/rules/money/payment.ts';
import { AppError } from '../../../app/errors.ts';

const ADVANCE_NONCE_ACCOUNT = 4;
/** A message of a version begins with this bit and the version's number. */
const VERSION_BIT = 0x80;
const SIGNATURE_BYTES = 64;

export interface SignedTransaction extends PaymentTransaction {
  readonly signature: string;
  readonly bytes: Uint8Array;
  /** The transaction uses a nonce account instead of a blockhash, so it never expires. */
  readonly hasDurableNonce: boolean;
}

/**
 * Decodes a legacy, version 0 or version 1 transaction from base64. Leaves out accounts from lookup tables, because our
 * transfers never use one.
 * @throws payments.version_unsupported for a newer version; payments.transaction_invalid if it isn't a transaction, or
 * if a signature is missing or wrong
 */
export function decodeSignedTransaction(encoded: string): SignedTransaction {
  const bytes = fromBase64(encoded);
  if (isOfNewerVersion(bytes)) throw new AppError({ code: 'payments.version_unsupported' });
  const signed = decode(bytes);
  if (!signed) throw new AppError({ code: 'payments.transaction_invalid' });
  return signed;
}

/** From version 1 on, a transaction begins with its message. Before, it begins with the number of signatures. */
function isOfNewerVersion(bytes: Uint8Array): boolean {
  const [first = 0] = bytes;
  if (first >= VERSION_BIT) return first !== VERSION_1_MESSAGE_PREFIX;
  return (bytes[1 + first * SIGNATURE_BYTES] ?? 0) > VERSION_BIT;
}

function decode(bytes: Uint8Array): SignedTransaction | null {
  try {
    const { message, signatures } = VersionedTransaction.deserialize(bytes);
    const keys = message.staticAccountKeys;
    const [signature] = signatures;
    if (!signature) return null;
    const signed = signedPart(bytes, signatures.length);
    const isSigned = signatures.every((one, index) =>
      isSignedBy({ message: signed, signature: one, publicKey: keys[index]?.toBytes() ?? new Uint8Array() }),
    );
    if (!isSigned) return null;
    return {
      signature: bs58.encode(signature),
      bytes,
      hasDurableNonce: isNonceAdvance(message.compiledInstructions[0], keys),
      accounts: keys.map((key) => key.toBase58()),
      signers: keys.slice(0, message.header.numRequiredSignatures).map((key) => key.toBase58()),
      transfers: message.compiledInstructions.flatMap((instruction) => readTransfer(instruction, keys)),
    };
  } catch {
    return null;
  }
}

/** The message. From version 1 on, it comes before the signatures. */
function signedPart(bytes: Uint8Array, signatures: number): Uint8Array {
  const length = signatures * SIGNATURE_BYTES;
  return bytes[0] === VERSION_1_MESSAGE_PREFIX ? bytes.slice(0, -length) : bytes.slice(1 + length);
}

/** The runtime checks only the first instruction for a nonce advance. */
function isNonceAdvance(
  instruction: MessageCompiledInstruction | undefined,
  keys: readonly PublicKey[],
): boolean {
  if (
    instruction === undefined ||
    keys[instruction.programIdIndex]?.equals(SystemProgram.programId) !== true
  ) {
    return false;
  }
  const { buffer, byteOffset, byteLength } = instruction.data;
  return new DataView(buffer, byteOffset, byteLength).getUint32(0, true) === ADVANCE_NONCE_ACCOUNT;
}

function readTransfer(
  { programIdIndex, accountKeyIndexes, data }: MessageCompiledInstruction,
  keys: readonly PublicKey[],
): Transfer[] {
  const { programId } = SystemProgram;
  if (keys[programIdIndex]?.equals(programId) !== true) return [];
  const accounts = accountKeyIndexes.flatMap((index) => keys[index] ?? []);
  if (accounts.length < accountKeyIndexes.length) return [];
  const instruction = new TransactionInstruction({
    programId,
    keys: accounts.map((pubkey) => ({ pubkey, isSigner: false, isWritable: true })),
    data: Buffer.from(data),
  });
  if (SystemInstruction.decodeInstructionType(instruction) !== 'Transfer') return [];
  const { fromPubkey, toPubkey, lamports } = SystemInstruction.decodeTransfer(instruction);
  return [{ source: fromPubkey.toBase58(), destination: toPubkey.toBase58(), lamports: BigInt(lamports) }];
}
