import { PublicKey, SystemProgram, Transaction, type Keypair } from '@solana/web3.js';
import type { OpenRefundResponse } from '#schema/contracts/payments.ts';
import { readResponse } from '../responses.ts';
import type { Person } from '../test-app.ts';
import { toBase64 } from './chain.ts';

export const openRefund = (caller: Person, signature: string): Promise<OpenRefundResponse> =>
  readResponse<OpenRefundResponse>(caller.post('/api/solana/open-refund', { signature }), 201);

export interface RefundChanges {
  readonly toAddress?: string;
  readonly lamports?: bigint;
  /** The references to include. Default: that of the refund. */
  readonly references?: readonly string[];
}

/** Signs the transfer that pays back a payment, with optional changes. */
export function signRefund({
  terms: { refund, blockhash },
  from,
  changes = {},
}: {
  terms: OpenRefundResponse;
  from: Keypair;
  changes?: RefundChanges;
}): Uint8Array {
  const transfer = SystemProgram.transfer({
    fromPubkey: from.publicKey,
    toPubkey: new PublicKey(changes.toAddress ?? refund.toAddress),
    lamports: changes.lamports ?? BigInt(refund.lamports),
  });
  for (const reference of changes.references ?? [refund.reference]) {
    transfer.keys.push({ pubkey: new PublicKey(reference), isSigner: false, isWritable: false });
  }
  const transaction = new Transaction({ feePayer: from.publicKey, recentBlockhash: blockhash }).add(transfer);
  transaction.sign(from);
  return transaction.serialize({ verifySignatures: false });
}

export const sendRefund = (caller: Person, transaction: Uint8Array): Promise<Response> =>
  caller.post('/api/solana/send-refund', { transaction: toBase64(transaction) });

export const searchRefund = (caller: Person, { refund }: OpenRefundResponse): Promise<Response> =>
  caller.post('/api/solana/search-refund', { reference: refund.reference });
