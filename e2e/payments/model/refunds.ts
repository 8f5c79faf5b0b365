import bs58 from 'bs58';
import type { OpenRefundResponse } from '#schema/contracts/payments.ts';
import { readStatuses } from '#test/payments/chain.ts';
import { land } from '#test/payments/payments.ts';
import { refundBody, signRefund } from '#test/payments/refunds.ts';
import { control } from '#test/test-app.ts';
import { unwatched } from '../support/awaits.ts';
import type { Rows } from '../support/row-queries.ts';
import { readRows } from '../support/rows.ts';
import { PAYERS, PAYOUTS, type CallerName, type Name } from './fixtures.ts';
import type { History } from './history.ts';
import { NOTHING, nth, read, type Reply } from './replies.ts';
import { must, paidBack } from './row-invariants.ts';
import type { RefundShape } from './transactions.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The subscriber asks for a refund of a recorded payment, or takes that back. The newest payment is number 0. */
export async function ask(
  history: History,
  { payment: fromNewest, isAsked }: { payment: number; isAsked: boolean },
): Promise<Reply> {
  const { payments } = await unwatched('rows', readRows);
  const payment = nth(payments, fromNewest);
  if (!payment) return NOTHING;
  const path = `/api/payments/${payment.signature}/refund-request`;
  const { reply } = await read(history.people[payment.user_id as Name].put(path, { isAsked }));
  must(isAsked || !reply.ok || !history.opened.has(payment.id), 'an opened refund was taken back');
  return reply;
}

/** Opens a refund of a recorded payment and sends a transfer of this shape. */
export async function refund(
  history: History,
  { payment: fromNewest, shape }: { payment: number; shape: RefundShape },
): Promise<Reply> {
  const { payments, ledger, intents } = await unwatched('rows', readRows);
  const payment = nth(payments, fromNewest);
  if (!payment) return NOTHING;
  const caller = payment.caller_id as CallerName;
  const paidAddress = intents.find(({ id }) => id === payment.intent_id)?.caller_address;
  const [from] = PAYOUTS[caller].filter(
    ({ publicKey }) => (publicKey.toBase58() === paidAddress) !== (shape === 'second wallet'),
  );
  must(from !== undefined, 'a payment has an unknown payout wallet');
  const isErased = history.erased.has(caller);
  const body = { ...refundBody(payment.signature, from), sendsItself: shape === 'twice' };
  const { reply, body: terms } = await read<OpenRefundResponse>(
    history.people[caller].post('/api/solana/open-refund', body),
  );
  must(!reply.ok || shape !== 'second wallet' || !isErased, 'an erased wallet may pay back');
  if (!reply.ok) return reply;
  const isRefunded = ledger.some(({ payment_id, kind }) => payment_id === payment.id && kind === 'refunded');
  must(!isRefunded, `${payment.signature} was refunded and can be refunded again`);
  must(terms.refund.toAddress === payment.payer_address, 'a refund goes to another wallet');
  if (terms.refund.isAsked) history.opened.add(payment.id);
  await unwatched('refund', async () => {
    const left = BigInt(terms.refund.lamports);
    const amounts: Partial<Record<RefundShape, bigint[]>> = {
      half: [left / 2n],
      share: [BigInt(payment.caller_lamports)],
      // Two pages, whose wallets send by themselves.
      twice: [left, left + BigInt(history.refunds.length)],
    };
    for (const lamports of amounts[shape] ?? [left]) {
      await sendShape(history, { terms, from, paymentId: payment.id, lamports, shape });
    }
  });
  return reply;
}

interface Sending {
  readonly terms: OpenRefundResponse;
  readonly from: (typeof PAYERS)[number];
  readonly paymentId: string;
  readonly lamports: bigint;
  readonly shape: RefundShape;
}

async function sendShape({ refunds, intents, now }: History, sending: Sending): Promise<void> {
  const { terms, from, paymentId, lamports, shape } = sending;
  const { refund: to } = terms;
  const named = shape === 'names an intent' ? intents.slice(-1) : [];
  const references = [...(shape === 'without reference' ? [] : [to]), ...named];
  const transaction = signRefund({
    terms,
    from: shape === 'wrong wallet' ? PAYERS[0] : from,
    changes: {
      lamports,
      toAddress: shape === 'wrong recipient' ? from.publicKey.toBase58() : to.toAddress,
      references: references.map(({ reference }) => reference),
    },
  });
  const signature = bs58.encode(transaction.slice(1, 65));
  if (refunds.some((sent) => sent.signature === signature)) return;
  await land(transaction, { skipPreflight: true });
  const [status] = await readStatuses([signature]);
  if (shape === 'forked away') await control('POST', '/solana/forget', { signature });
  const isRight = ['rest', 'half', 'share', 'twice', 'second wallet'].includes(shape) && lamports > 0n;
  refunds.push({
    signature,
    reference: to.reference,
    paymentId,
    lamports,
    mayCount: isRight && status != null && status.err === null,
    needsProof: shape === 'second wallet',
    names: named,
    openedAt: now(),
  });
}

/**
 * Checks that each recorded transfer is a valid refund of its payment, with its amount, and that a refund that a caller has
 * opened while it was asked for stays asked for.
 */
export function checkRefunds({ refunds, opened }: History, rows: Rows): void {
  for (const { signature, payment_id, lamports } of rows.refundTransfers) {
    const sent = refunds.find((each) => each.signature === signature);
    must(sent?.mayCount === true, `${signature} counts as a refund but may not`);
    must(sent.paymentId === payment_id, `${signature} counts for another payment`);
    must(sent.lamports === BigInt(lamports), `${signature} refunds ${lamports} lamports`);
  }
  for (const paymentId of opened) {
    const row = rows.refunds.find(({ payment_id }) => payment_id === paymentId);
    must(
      row?.asked_at != null,
      `the refund of ${paymentId} was opened while it was asked for, but isn't any more`,
    );
  }
}

/** Checks at the end of a history, which takes a day: all that was paid back in its last hours is recorded. */
export function checkRefundsFound({ refunds, erased, now }: History, rows: Rows): void {
  for (const { id, caller_id } of rows.payments) {
    const sent = refunds.filter(({ paymentId, mayCount }) => paymentId === id && mayCount);
    const isUnsure = sent.some(
      ({ openedAt, needsProof }) =>
        now() - openedAt > DAY_MS + DAY_MS / 2 || (needsProof && erased.has(caller_id as CallerName)),
    );
    const sum = sent.reduce((total, { lamports }) => total + lamports, 0n);
    must(
      isUnsure || sum === BigInt(paidBack(rows, id)),
      `${sum} lamports were paid back for ${id}, but ${paidBack(rows, id)} are recorded`,
    );
  }
}
