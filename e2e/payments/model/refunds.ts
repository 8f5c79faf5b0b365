import { PublicKey, SystemProgram, Transaction, type Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import type { ErrorBody } from '#schema/contracts/errors.ts';
import type { OpenRefundResponse } from '#schema/contracts/payments.ts';
import { readStatuses } from '#worker/test-support/payments/chain.ts';
import { land } from '#worker/test-support/payments/payments.ts';
import { control } from '#worker/test-support/test-app.ts';
import { unwatched } from '../support/awaits.ts';
import type { Rows } from '../support/row-queries.ts';
import { readRows } from '../support/rows.ts';
import { PAYERS, PAYOUTS } from './fixtures.ts';
import type { History } from './history.ts';
import { must } from './row-invariants.ts';
import type { RefundShape } from './transactions.ts';

/** Opens a refund of a recorded payment and sends a transfer of this shape. The newest payment is number 0. */
export async function refund(
  history: History,
  { payment: fromNewest, shape }: { payment: number; shape: RefundShape },
): Promise<{ ok: true } | { ok: false; code: string }> {
  const { payments, ledger } = await unwatched('rows', readRows);
  const payment = payments.at(-1 - (fromNewest % Math.max(1, payments.length)));
  if (!payment) return { ok: false, code: 'nothing' };
  const caller = history.people[payment.caller_id as keyof typeof history.people];
  const response = await caller.post('/api/solana/open-refund', { signature: payment.signature });
  if (!response.ok) {
    const { code } = (await response.json<ErrorBody>()).error;
    must(response.status < 500 || code === 'chain.unavailable', `a refund is refused with ${code}`);
    return { ok: false, code };
  }
  const terms = await response.json<OpenRefundResponse>();
  const isRefunded = ledger.some(({ payment_id, kind }) => payment_id === payment.id && kind === 'refunded');
  must(!isRefunded, `${payment.signature} was refunded and can be refunded again`);
  must(BigInt(terms.refund.lamports) === BigInt(payment.caller_lamports), 'a refund has another amount');
  must(terms.refund.toAddress === payment.payer_address, 'a refund goes to another wallet');
  await unwatched('refund', async () => {
    await sendShape(history, { terms, paymentId: payment.id, shape });
    if (shape === 'twice') await sendShape(history, { terms, paymentId: payment.id, shape });
  });
  return { ok: true };
}

async function sendShape(
  { refunds, intents, now }: History,
  { terms, paymentId, shape }: { terms: OpenRefundResponse; paymentId: string; shape: RefundShape },
): Promise<void> {
  const { refund: to, blockhash } = terms;
  const payout = Object.values(PAYOUTS)
    .flat()
    .find(({ publicKey }) => publicKey.toBase58() === to.fromAddress);
  must(payout !== undefined, 'a refund comes from an unknown wallet');
  const from: Keypair = shape === 'wrong wallet' ? PAYERS[0] : payout;
  const recipient = shape === 'wrong recipient' ? payout.publicKey.toBase58() : to.toAddress;
  const lamports = BigInt(to.lamports) - (shape === 'partial' ? BigInt(refunds.length + 1) : 0n);
  // Transfers of the same refund differ, so that they have different signatures.
  const sentLamports = shape === 'twice' ? lamports + BigInt(refunds.length) : lamports;
  const transfer = SystemProgram.transfer({
    fromPubkey: from.publicKey,
    toPubkey: new PublicKey(recipient),
    lamports: sentLamports,
  });
  const intent = shape === 'names an intent' ? intents.at(-1)?.reference : undefined;
  const references = [...(shape === 'without reference' ? [] : [to.reference]), ...(intent ? [intent] : [])];
  for (const reference of references) {
    transfer.keys.push({ pubkey: new PublicKey(reference), isSigner: false, isWritable: false });
  }
  const transaction = new Transaction({ feePayer: from.publicKey, recentBlockhash: blockhash }).add(transfer);
  transaction.sign(from);
  const signature = bs58.encode(transaction.signature ?? new Uint8Array());
  if (refunds.some((sent) => sent.signature === signature)) return;
  await land(transaction.serialize({ verifySignatures: false }), { skipPreflight: true });
  const [status] = await readStatuses([signature]);
  const isForked = shape === 'forked away';
  if (isForked) await control('POST', '/solana/forget', { signature });
  const isRight = (['full', 'partial', 'twice', 'forked away'] as readonly string[]).includes(shape);
  refunds.push({
    signature,
    reference: to.reference,
    paymentId,
    lamports: sentLamports,
    mayCount: isRight && !isForked && status != null && status.err === null,
    openedAt: now(),
  });
}

/** Checks that only transfers count that may, each once and in full, and that full ones are in the ledger. */
export function checkRefunds({ refunds }: History, rows: Rows): void {
  for (const row of rows.refunds) {
    if (row.signature === null) continue;
    const sent = refunds.find(({ signature }) => signature === row.signature);
    must(sent?.mayCount === true, `${row.signature} counts as a refund but may not`);
    must(sent.reference === row.reference, `${row.signature} counts for another refund`);
    must(sent.lamports === BigInt(row.lamports ?? 0), `${row.signature} refunds ${row.lamports} lamports`);
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Checks at the end of a history, which takes a day: every refund of its last hours was found. */
export function checkRefundsFound({ refunds, now }: History, rows: Rows): void {
  for (const { reference, mayCount, openedAt } of refunds) {
    if (!mayCount || now() - openedAt > DAY_MS + DAY_MS / 2) continue;
    const row = rows.refunds.find((each) => each.reference === reference);
    must(row !== undefined && row.signature !== null, `the refund ${reference} was never found`);
  }
}
