import {
  SystemInstruction,
  SystemProgram,
  TransactionInstruction,
  VersionedTransaction,
  type MessageCompiledInstruction,
  type PublicKey,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { isSignedBy } from '../../shared/ed25519.ts';
import type { PaymentTransaction, Transfer } from '#schema/rules/payment.ts';

/** The System Program's number for `AdvanceNonceAccount`. */
const ADVANCE_NONCE_ACCOUNT = 4;

/** A transaction that a wallet has signed. `signature` (base58) is its id. */
export interface SignedTransaction extends PaymentTransaction {
  readonly signature: string;
  readonly bytes: Uint8Array;
  /** It names a nonce account in place of a blockhash, so it never expires. */
  readonly hasDurableNonce: boolean;
}

/**
 * Decodes a signed transaction, legacy or v0. Accounts that a lookup table would bring in are left
 * out: our legs and the reference are always named in the transaction itself.
 * @param encoded base64 of the wire format.
 * @returns `null` when it is no transaction or one of its signers has not signed it.
 */
export function decodeSignedTransaction(encoded: string): SignedTransaction | null {
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const transaction = VersionedTransaction.deserialize(bytes);
    if (transaction.serialize().length !== bytes.length) return null;
    const { message, signatures } = transaction;
    const keys = message.staticAccountKeys;
    const [signature] = signatures;
    if (!signature) return null;
    const signed = message.serialize();
    const isSigned = signatures.every((one, index) =>
      isSignedBy({ message: signed, signature: one, publicKey: keys[index]?.toBytes() ?? new Uint8Array() }),
    );
    if (!isSigned) return null;
    const transfers = message.compiledInstructions.flatMap(
      ({ programIdIndex, accountKeyIndexes, data }): Transfer[] => {
        if (keys[programIdIndex]?.equals(SystemProgram.programId) !== true) return [];
        const accounts = accountKeyIndexes.flatMap((index) => keys[index] ?? []);
        if (accounts.length < accountKeyIndexes.length) return [];
        return readTransfer(
          new TransactionInstruction({
            programId: SystemProgram.programId,
            keys: accounts.map((pubkey) => ({ pubkey, isSigner: false, isWritable: true })),
            data: Buffer.from(data),
          }),
        );
      },
    );
    return {
      signature: bs58.encode(signature),
      bytes,
      hasDurableNonce: isNonceAdvance(message.compiledInstructions[0], keys),
      accounts: keys.map((key) => key.toBase58()),
      signers: keys.slice(0, message.header.numRequiredSignatures).map((key) => key.toBase58()),
      transfers,
    };
  } catch {
    return null;
  }
}

/** The runtime takes a transaction for a durable one by its first instruction alone. */
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

function readTransfer(instruction: TransactionInstruction): Transfer[] {
  if (SystemInstruction.decodeInstructionType(instruction) !== 'Transfer') return [];
  const { fromPubkey, toPubkey, lamports } = SystemInstruction.decodeTransfer(instruction);
  return [{ source: fromPubkey.toBase58(), destination: toPubkey.toBase58(), lamports: BigInt(lamports) }];
}
