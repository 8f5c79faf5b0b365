import {
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import type { ComputeBudgetResponse } from '#schema/contracts/payments.ts';

// Import this module lazily, because it loads web3.js.

/** A transfer that names a reference. Addresses are base58. */
export interface ReferencedTransfer {
  readonly from: string;
  readonly to: string;
  readonly lamports: bigint;
  readonly reference: string;
}

export function transferWithReference({
  from,
  to,
  lamports,
  reference,
}: ReferencedTransfer): TransactionInstruction {
  const transfer = SystemProgram.transfer({
    fromPubkey: new PublicKey(from),
    toPubkey: new PublicKey(to),
    lamports,
  });
  transfer.keys.push({ pubkey: new PublicKey(reference), isSigner: false, isWritable: false });
  return transfer;
}

interface TransactionTerms {
  /** Base58. Pays the network fee. */
  readonly payer: string;
  readonly blockhash: string;
  readonly computeBudget: ComputeBudgetResponse;
}

export function buildTransaction(
  { payer, blockhash, computeBudget }: TransactionTerms,
  instructions: readonly TransactionInstruction[],
): Uint8Array {
  const feePayer = new PublicKey(payer);
  // The type requires `lastValidBlockHeight`, but only web3.js's own confirmation helper reads it.
  const transaction = new Transaction({ feePayer, blockhash, lastValidBlockHeight: 0 }).add(
    ComputeBudgetProgram.setComputeUnitLimit({ units: computeBudget.computeUnitLimit }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: BigInt(computeBudget.microLamports) }),
    ...instructions,
  );
  return new Uint8Array(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }));
}
