import { PublicKey, type Keypair } from '@solana/web3.js';
import type { OpenRefundResponse } from '#schema/contracts/payments.ts';
import { readResponse } from '../responses.ts';
import type { Person } from '../test-app.ts';
import { toBase64 } from './chain.ts';
import { naming, sign, transfer } from './transactions.ts';

export const openRefund = (caller: Person, signature: string): Promise<OpenRefundResponse> =>
  readResponse<OpenRefundResponse>(caller.post('/api/solana/open-refund', { signature }), 201);

export interface RefundChanges {
  readonly toAddress?: string;
  readonly lamports?: bigint;
  /** The references to include. Default: that of the refund. */
  readonly references?: readonly string[];
}

interface Refund {
  readonly terms: OpenRefundResponse;
  readonly from: Keypair;
  readonly changes?: RefundChanges;
}

/** Signs the transfer that pays back a payment, with optional changes. */
export function signRefund({ terms: { refund, blockhash }, from, changes = {} }: Refund): Uint8Array {
  const { toAddress = refund.toAddress, references = [refund.reference] } = changes;
  const instruction = transfer({
    from: from.publicKey,
    to: new PublicKey(toAddress),
    lamports: changes.lamports ?? BigInt(refund.lamports),
  });
  return sign({ instructions: [references.reduce(naming, instruction)], signers: [from], blockhash });
}

export const sendRefund = (caller: Person, transaction: Uint8Array): Promise<Response> =>
  caller.post('/api/solana/send-refund', { transaction: toBase64(transaction) });

export const searchRefund = (caller: Person, { refund }: OpenRefundResponse): Promise<Response> =>
  caller.post('/api/solana/search-refund', { reference: refund.reference });
