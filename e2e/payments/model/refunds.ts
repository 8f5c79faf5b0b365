import bs58 from 'bs58';
import type { OpenRefundResponse } from '#schema/contracts/payments.ts';
import { readStatuses } from '#test/payments/chain.ts';
import { land } from '#test/payments/payments.ts';
import { signRefund } from '#test/payments/refunds.ts';
import { control } from '#test/test-app.ts';
import { unwatched } from '../support/awaits.ts';
import type { Rows } from '../support/row-queries.ts';
import { readRows } from '../support/rows.ts';
import { PAYERS, PAYOUTS } from './fixtures.ts';
import type { History } from './history.ts';
import { NOTHING, nth, read, type Reply } from './replies.ts';
import { must } from './row-invariants.ts';
import type { RefundShape } from './transactions.ts';

/** Opens a refund of a recorded payment and sends a transfer of this shape. The newest payment is number 0. */
export async function refund(
  history: History,
  { payment: fromNewest, shape }: { payment: number; shape: RefundShape },
): Promise<Reply> {
  const { payments, ledger } = await unwatched('rows', readRows);
  const payment = nth(payments, fromNewest);
  if (!payment) return NOTHING;
  const caller = history.people[payment.caller_id as keyof typeof history.people];
  const { reply, body: terms } = await read<OpenRefundResponse>(
    caller.post('/api/solana/open-refund', { signature: payment.signature }),
  );
  if (!reply.ok) return reply;
  const isRefunded = ledger.some(({ payment_id, kind }) => payment_id === payment.id && kind === 'refunded');
  must(!isRefunded, `${payment.signature} was refunded and can be refunded again`);
  must(BigInt(terms.refund.lamports) === BigInt(payment.caller_lamports), 'a refund has another amount');
  must(terms.refund.toAddress === payment.payer_address, 'a refund goes to another wallet');
  await unwatched('refund', async () => {
    const sent = { terms, paymentId: payment.id, shape };
    for (let count = shape === 'twice' ? 2 : 1; count > 0; count--) await sendShape(history, sent);
  });
  return reply;
}

async function sendShape(
  { refunds, intents, now }: History,
  { terms, paymentId, shape }: { terms: OpenRefundResponse; paymentId: string; shape: RefundShape },
): Promise<void> {
  const { refund: to } = terms;
  const payouts = Object.values(PAYOUTS).flat();
  const payout = payouts.find(({ publicKey }) => publicKey.toBase58() === to.fromAddress);
  must(payout !== undefined, 'a refund comes from an unknown wallet');
  // Transfers of the same refund differ, so that they have different signatures.
  const more = shape === 'twice' ? refunds.length : 0;
  const lamports = BigInt(to.lamports) + BigInt(shape === 'partial' ? -refunds.length - 1 : more);
  const named = shape === 'names an intent' ? intents.slice(-1) : [];
  const references = [...(shape === 'without reference' ? [] : [to]), ...named];
  const transaction = signRefund({
    terms,
    from: shape === 'wrong wallet' ? PAYERS[0] : payout,
    changes: {
      lamports,
      toAddress: shape === 'wrong recipient' ? to.fromAddress : to.toAddress,
      references: references.map(({ reference }) => reference),
    },
  });
  const signature = bs58.encode(transaction.slice(1, 65));
  if (refunds.some((sent) => sent.signature === signature)) return;
  await land(transaction, { skipPreflight: true });
  const [status] = await readStatuses([signature]);
  if (shape === 'forked away') await control('POST', '/solana/forget', { signature });
  const isRight = ['full', 'partial', 'twice'].includes(shape);
  refunds.push({
    signature,
    reference: to.reference,
    paymentId,
    lamports,
    mayCount: isRight && status != null && status.err === null,
    names: named,
    openedAt: now(),
  });
}

/** Checks that each counted transfer is a valid refund, and counts for its own refund and in full. */
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
