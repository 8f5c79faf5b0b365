import { PublicKey, type Keypair } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import type { OpenRefundResponse, Receipt } from '#schema/contracts/payments.ts';
import { endIfPaidBack, recordTransfer } from '../../modules/money/payments/paid-periods.repository.ts';
import { readResponse } from '../responses.ts';
import { query } from '../database/database.ts';
import type { Person, TestApp } from '../test-app.ts';
import { toBase64 } from './chain.ts';
import { naming, sign, transfer as transferTo } from './transactions.ts';

/** The body of a request that opens the refund of a payment from this wallet. */
export const refundBody = (signature: string, from: Keypair) => ({
  signature,
  fromAddress: from.publicKey.toBase58(),
});

export const openRefund = (caller: Person, signature: string, from: Keypair): Promise<OpenRefundResponse> =>
  readResponse<OpenRefundResponse>(caller.post('/api/solana/open-refund', refundBody(signature, from)), 201);

/** Asks for a refund of a payment. */
export const askForRefund = (subscriber: Person, signature: string): Promise<Receipt> =>
  readResponse<Receipt>(subscriber.put(`/api/payments/${signature}/refund-request`, { isAsked: true }));

interface PaidBack {
  readonly paymentId: string;
  readonly reference: string;
  readonly lamports: bigint;
  readonly now: number;
}

/** The statements of a refund that the subscriber asked for, and of a transfer that pays back this amount. */
export const payBackStatements = ({ paymentId, reference, lamports, now }: PaidBack) => [
  sql`
    INSERT INTO refunds (payment_id, reference, asked_at, opened_at)
    SELECT ${paymentId}, ${reference}, ${now}, ${now}
    WHERE NOT EXISTS (SELECT 1 FROM refunds WHERE payment_id = ${paymentId})`,
  ...recordTransfer({ paymentId, signature: reference, lamports, accounts: [], slot: 2, paidAt: now }, now),
  ...endIfPaidBack({ paymentId, entryId: reference, now }),
];

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
  const instruction = transferTo({
    from: from.publicKey,
    to: new PublicKey(toAddress),
    lamports: changes.lamports ?? BigInt(refund.lamports),
  });
  return sign({ instructions: [references.reduce(naming, instruction)], signers: [from], blockhash });
}

/** Sends a transfer that pays back the payment with this signature. */
export const sendRefund = (caller: Person, signature: string, transfer: Uint8Array): Promise<Response> =>
  caller.post('/api/solana/send-refund', { signature, transaction: toBase64(transfer) });

/** Searches for the transfers of all opened refunds, as the cron does, but at once. */
export async function searchRefunds(app: TestApp): Promise<void> {
  await query('UPDATE refunds SET next_search_at = 0 WHERE opened_at IS NOT NULL');
  await app.services.refunds.searchDue();
}
