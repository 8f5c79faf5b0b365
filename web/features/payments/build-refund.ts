import { ComputeBudgetProgram, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import type { OpenRefundResponse } from '#schema/contracts/payments.ts';

/** Builds the unsigned transfer of a refund. Import this module lazily, because it loads web3.js. */
export function buildRefund({ blockhash, refund, computeBudget }: OpenRefundResponse): Uint8Array {
  const from = new PublicKey(refund.fromAddress);
  const transfer = SystemProgram.transfer({
    fromPubkey: from,
    toPubkey: new PublicKey(refund.toAddress),
    lamports: BigInt(refund.lamports),
  });
  transfer.keys.push({ pubkey: new PublicKey(refund.reference), isSigner: false, isWritable: false });
  // The type requires `lastValidBlockHeight`, but only web3.js's own confirmation helper reads it.
  const transaction = new Transaction({ feePayer: from, blockhash, lastValidBlockHeight: 0 }).add(
    ComputeBudgetProgram.setComputeUnitLimit({ units: computeBudget.computeUnitLimit }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: BigInt(computeBudget.microLamports) }),
    transfer,
  );
  return new Uint8Array(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }));
}
