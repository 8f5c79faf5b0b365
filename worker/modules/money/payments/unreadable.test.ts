import { PublicKey, type Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { beforeEach, expect, it, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { OpenIntentResponse, OpenRefundResponse } from '#schema/contracts/payments.ts';
import { query } from '#test/database/database.ts';
import { createFundedWallet, LAMPORTS, rpc } from '#test/payments/chain.ts';
import { interceptSolana } from '#test/payments/intercept-solana.ts';
import {
  clearFaults,
  createPaymentScene,
  failSolana,
  forget,
  hasAccess,
  listPeriods,
  makeAllReadable,
  makeUnreadable,
  settle,
} from '#test/payments/payment-scene.ts';
import { claimBody, land, openIntent, pay, send, signPayment } from '#test/payments/payments.ts';
import { act, createOperatedApp } from '#test/people/operators.ts';
import { openRefund, refundBody, searchRefunds, sendRefund, signRefund } from '#test/payments/refunds.ts';
import { memo, naming, sign, transfer } from '#test/payments/transactions.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { control, type Person, type TestApp } from '#test/test-app.ts';
import { UNREADABLE_PER_RUN } from './reconcile.service.ts';

let app: TestApp;
let caller: Person;
let payout: Keypair;
let follower: Person;
let payer: Keypair;
let logged: string[];

beforeEach(async () => {
  vi.restoreAllMocks();
  logged = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => void logged.push(line));
  ({ app, caller, payout, follower, payer } = await createPaymentScene());
  await makeAllReadable();
  await clearFaults();
});

const open = () => follower.post('/api/solana/get-latest-blockhash', { callerId: caller.id });
const search = ({ intent }: OpenIntentResponse) =>
  follower.post('/api/solana/search-payment', { intentId: intent.id });
const claim = (terms: OpenIntentResponse, signature: string) =>
  follower.post('/api/subscriptions', claimBody({ terms, callerId: caller.id, signature }));
const runJobs = async () => {
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
};
/** The alarms about unreadable payments so far. */
const alarms = (kind = 'payments.unreadable') =>
  logged.filter((line) => line.includes('"event":"alarm"') && line.includes(`"${kind}"`));
const expectPaidOnce = async () => {
  expect(await hasAccess({ follower, caller })).toBe(true);
  expect(await listPeriods()).toHaveLength(1);
};

/** Sends a payment through our server. It lands in a version that can't be read. */
async function sendUnreadable() {
  const terms = await openIntent(follower, caller.id);
  const { result: signature } = await readResponse<{ result: string }>(
    send(follower, signPayment({ terms, payer })),
  );
  await makeUnreadable(signature);
  return { terms, signature };
}

/** Lets a wallet send a payment by itself. It lands in a version that can't be read. */
async function landUnreadable(memo?: null) {
  const terms = await openIntent(follower, caller.id);
  const signature = await land(signPayment({ terms, payer, changes: memo === null ? { memo } : {} }));
  await makeUnreadable(signature);
  return { terms, signature };
}

it('a sent payment that can’t be read blocks a second payment, raises an alarm, and counts once readable', async () => {
  const { terms, signature } = await sendUnreadable();
  await app.advance(2 * SECOND_MS);
  await expectRefusal(claim(terms, signature), 'payments.unreadable');
  await runJobs();
  await expectRefusal(open(), 'payments.unreadable');
  await expectRefusal(claim(terms, signature), 'payments.unreadable');
  await runJobs();
  expect(alarms()).toEqual([expect.stringContaining(signature)]);
  expect(alarms()[0]).toContain(terms.intent.id);
  expect(alarms()[0]).toContain(follower.id);
  await app.advance(HOUR_MS);
  await runJobs();
  expect(alarms()).toHaveLength(2);
  expect(await hasAccess({ follower, caller })).toBe(false);
  await makeAllReadable();
  await runJobs();
  await expectPaidOnce();
});

it('a transaction in an unknown form counts as unreadable, and other payments are still read', async () => {
  await app.runJobs('payments');
  const { signature } = await landUnreadable();
  await makeUnreadable(signature, { isReturned: true });
  const other = await app.signIn('other');
  await land(signPayment({ terms: await openIntent(other, caller.id), payer: await createFundedWallet() }));
  for (let run = 0; run < 2; run++) await runJobs();
  await expectRefusal(open(), 'payments.unreadable');
  expect(await hasAccess({ follower: other, caller })).toBe(true);
  expect(logged.filter((line) => line.includes('endpoint_failed') || line.includes('job.failed'))).toEqual(
    [],
  );
});

it('an unreadable payment that the wallet sent is found by its memo, and counts once readable', async () => {
  await app.runJobs('payments');
  await landUnreadable();
  for (let run = 0; run < 2; run++) await runJobs();
  await expectRefusal(open(), 'payments.unreadable');
  expect(alarms()).toHaveLength(1);
  await makeAllReadable();
  await runJobs();
  await expectPaidOnce();
});

it('an unreadable payment without a memo is found by the page’s search, and counts once readable', async () => {
  const { terms, signature } = await landUnreadable(null);
  await app.advance(MINUTE_MS);
  await expectRefusal(claim(terms, signature), 'payments.unreadable');
  await expectRefusal(search(terms), 'payments.unreadable');
  await expectRefusal(open(), 'payments.unreadable');
  await makeAllReadable();
  await runJobs();
  await expectPaidOnce();
});

it('after an operator releases an unreadable payment, the user can pay again, and both payments count once readable', async () => {
  await app.runJobs('payments');
  const { terms, signature } = await landUnreadable();
  for (let run = 0; run < 2; run++) await runJobs();
  await query('UPDATE payment_broadcasts SET dead_at = ? WHERE signature = ?', app.clock.now(), signature);
  await expectRefusal(search(terms), 'payments.released');
  await expectRefusal(claim(terms, signature), 'payments.released');
  await pay({ person: follower, payer, callerId: caller.id });
  expect(await listPeriods()).toHaveLength(1);
  await makeAllReadable();
  await app.advance(6 * HOUR_MS);
  await runJobs();
  expect(await listPeriods()).toHaveLength(2);
});

it.each([
  ['the same intent', 2 * SECOND_MS],
  ['another intent', 6 * MINUTE_MS],
  ['an intent after the end of the first', 11 * MINUTE_MS],
  ['an intent after the first can no longer be paid', 15 * MINUTE_MS],
])('opening %s finds the payment that a wallet has sent, readable or not', async (_intent, waitMs) => {
  await landUnreadable(null);
  await app.advance(waitMs);
  for (let press = 0; press < 2; press++) await expectRefusal(open(), 'payments.unreadable');
  await makeAllReadable();
  await runJobs();
  await expectPaidOnce();
  const terms = await openIntent(follower, caller.id);
  await land(signPayment({ terms, payer }));
  await app.advance(waitMs);
  await expectRefusal(open(), 'payments.intent_paid');
  expect(await listPeriods()).toHaveLength(2);
});

it('an opening records a payment once it’s readable, and the next one opens another payment', async () => {
  await landUnreadable(null);
  await app.advance(2 * SECOND_MS);
  await expectRefusal(open(), 'payments.unreadable');
  await makeAllReadable();
  await expectRefusal(open(), 'payments.intent_paid');
  await openIntent(follower, caller.id);
  await expectPaidOnce();
});

it('failed openings of other intents don’t hide a payment that a wallet has sent', async () => {
  await landUnreadable(null);
  await failSolana({ status: 503, path: 'getSignaturesForAddress' });
  for (let opening = 0; opening < 4; opening++) {
    await app.advance(6 * MINUTE_MS);
    await expectRefusal(open(), 'chain.unavailable');
  }
  await clearFaults();
  await expectRefusal(open(), 'payments.unreadable');
});

it('a payment is found that lands after intents with other terms were opened', async () => {
  const terms = await openIntent(follower, caller.id);
  for (const monthlyFee of ['0.6', '0.7', '0.8']) {
    await caller.patch('/api/user/caller-profile', { monthlyFee });
    await openIntent(follower, caller.id);
  }
  await app.advance(30 * SECOND_MS);
  const signature = await land(signPayment({ terms, payer, changes: { memo: null } }));
  await makeUnreadable(signature);
  await app.advance(HOUR_MS);
  await expectRefusal(open(), 'payments.unreadable');
});

it('a wallet’s payment that lands again after a fork is found by the next opening', async () => {
  const terms = await openIntent(follower, caller.id);
  const payment = signPayment({ terms, payer });
  const signature = await land(payment);
  await app.advance(2 * SECOND_MS);
  await readResponse(claim(terms, signature), 201);
  await forget(signature);
  await app.advance(20 * SECOND_MS);
  await app.runJobs('payments');
  expect(await listPeriods()).toEqual([]);
  await land(payment);
  await app.advance(2 * SECOND_MS);
  await expectRefusal(open(), 'payments.intent_paid');
  await expectPaidOnce();
});

it('no second payment is opened while the chain doesn’t return the first payment’s transaction', async () => {
  const terms = await openIntent(follower, caller.id);
  await land(signPayment({ terms, payer }));
  await app.advance(2 * SECOND_MS);
  for (const path of ['getSignaturesForAddress', 'getTransaction']) {
    await failSolana({ status: 503, path });
    await expectRefusal(open(), 'chain.unavailable');
    await clearFaults();
  }
  interceptSolana(({ method }, result) => (method === 'getTransaction' ? null : result));
  for (const waitMs of [0, 15 * MINUTE_MS]) {
    await app.advance(waitMs);
    await expectRefusal(open(), 'payments.already_sent');
  }
  vi.restoreAllMocks();
  await expectRefusal(open(), 'payments.intent_paid');
  await expectPaidOnce();
});

it('after a payment with a wrong amount, no new intent is opened until the old one can no longer be paid', async () => {
  const terms = await openIntent(follower, caller.id);
  const callerLamports = BigInt(terms.intent.callerLamports) + 1n;
  await land(signPayment({ terms, payer, changes: { callerLamports } }));
  await app.advance(2 * SECOND_MS);
  await expectRefusal(open(), 'payments.wrong_amount');
  await app.advance(15 * MINUTE_MS);
  await openIntent(follower, caller.id);
});

it('a released payment doesn’t hide a later payment with a wrong amount', async () => {
  const { terms, signature } = await landUnreadable(null);
  await app.advance(2 * SECOND_MS);
  await expectRefusal(search(terms), 'payments.unreadable');
  await query('UPDATE payment_broadcasts SET dead_at = ? WHERE signature = ?', app.clock.now(), signature);
  const callerLamports = BigInt(terms.intent.callerLamports) + 1n;
  await land(signPayment({ terms, payer, changes: { callerLamports } }));
  await app.advance(2 * SECOND_MS);
  await expectRefusal(open(), 'payments.wrong_amount');
});

it('the refusal after a transaction that only names the payment doesn’t say that it was paid', async () => {
  const terms = await openIntent(follower, caller.id);
  const toSelf = transfer({ from: payer.publicKey, to: payer.publicKey, lamports: 1n });
  const instructions = [naming(toSelf, terms.intent.reference)];
  await land(sign({ instructions, signers: [payer], blockhash: terms.result.value.blockhash }));
  await app.advance(2 * SECOND_MS);
  for (const refused of [open(), search(terms)]) {
    const { message } = await expectRefusal(refused, 'payments.wrong_recipient');
    expect(message).toMatch(
      /names your payment to this caller, but starts no subscription\. .* If money left/,
    );
  }
});

it.each([
  ['with the reference', true],
  ['with the memo', false],
])(
  'a stranger’s unreadable transaction %s of a paid intent blocks no later payment',
  async (_name, isByReference) => {
    await app.runJobs('payments');
    const terms = await openIntent(follower, caller.id);
    const { intent } = terms;
    await land(signPayment({ terms, payer }));
    await app.advance(SECOND_MS);
    const stranger = await createFundedWallet();
    const to = new PublicKey(intent.platformAddress);
    const dust = transfer({ from: stranger.publicKey, to, lamports: 1n });
    const instructions = isByReference ? [naming(dust, intent.reference)] : [dust, memo(intent.id)];
    const { blockhash } = terms.result.value;
    await makeUnreadable(await land(sign({ instructions, signers: [stranger], blockhash })));
    await app.advance(2 * SECOND_MS);
    if (isByReference) await readResponse(search(terms));
    for (let run = 0; run < 2; run++) await runJobs();
    expect(alarms()).toHaveLength(1);
    await expectPaidOnce();
    await openIntent(follower, caller.id);
  },
);

it('a search stores only one of many unreadable transactions that name the same intent', async () => {
  const terms = await openIntent(follower, caller.id);
  for (let lamports = 0n; lamports < 3n; lamports++) {
    const toSelf = transfer({ from: payer.publicKey, to: payer.publicKey, lamports });
    const instructions = [naming(toSelf, terms.intent.reference)];
    const blockhash = terms.result.value.blockhash;
    await makeUnreadable(await land(sign({ instructions, signers: [payer], blockhash })));
  }
  await app.advance(2 * SECOND_MS);
  for (let press = 0; press < 2; press++) await expectRefusal(search(terms), 'payments.unreadable');
  expect(await query('SELECT signature FROM payment_broadcasts')).toHaveLength(1);
});

it('a rejected payment that lands anyway, but is unreadable, blocks a second payment', async () => {
  await app.runJobs('payments');
  payer = await createFundedWallet(0);
  const terms = await openIntent(follower, caller.id);
  const transaction = signPayment({ terms, payer });
  await expectRefusal(send(follower, transaction), 'payments.insufficient_funds');
  await rpc('requestAirdrop', payer.publicKey.toBase58(), 10 * LAMPORTS);
  await makeUnreadable(await land(transaction));
  for (let run = 0; run < 2; run++) await runJobs();
  await expectRefusal(open(), 'payments.unreadable');
  await makeAllReadable();
  await runJobs();
  await expectPaidOnce();
});

it('the cron checks a newer payment despite many unreadable payments, and reads these again in turn without being late', async () => {
  const terms = await openIntent(follower, caller.id);
  const unreadable = Array.from({ length: 256 }, () =>
    bs58.encode(crypto.getRandomValues(new Uint8Array(64))),
  );
  const start = app.clock.now() - HOUR_MS;
  // The newest was read the longest ago.
  await query(
    `INSERT INTO payment_broadcasts (signature, intent_id, created_at, tries, unreadable_at)
    SELECT value, ?1, ?2 + key, 0, ?2 - key FROM json_each(?3)`,
    terms.intent.id,
    start,
    JSON.stringify(unreadable),
  );
  const other = await app.signIn('other');
  await control('POST', '/solana/load', { microLamports: 1_000_000_000 });
  const dropped = signPayment({
    terms: await openIntent(other, caller.id),
    payer: await createFundedWallet(),
  });
  await readResponse(send(other, dropped));
  for (let run = 0; run < 3; run++) await runJobs();
  await control('DELETE', '/solana/load');
  await openIntent(other, caller.id);
  const unread = () =>
    query('SELECT signature FROM payment_broadcasts WHERE unreadable_at <= ? ORDER BY created_at', start);
  expect((await unread()).map(({ signature }) => signature)).toEqual(
    unreadable.slice(0, unreadable.length - 3 * UNREADABLE_PER_RUN),
  );
  for (let run = 3; run <= unreadable.length / UNREADABLE_PER_RUN; run++) await runJobs();
  expect(await unread()).toEqual([]);
  const { late } = await app.services.jobs.readState(app.clock.now());
  expect(late.map(({ job }) => job)).not.toContain('payments.reconcile');
});

it('an unreadable payment counts once readable even while reading another payment fails', async () => {
  await sendUnreadable();
  await runJobs();
  await makeAllReadable();
  const other = await app.signIn('other');
  const sent = signPayment({ terms: await openIntent(other, caller.id), payer: await createFundedWallet() });
  const { result: failing } = await readResponse<{ result: string }>(send(other, sent));
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const body = String(init?.body);
    const isFailing = body.includes('getTransaction') && body.includes(failing);
    return isFailing ? new Response(null, { status: 503 }) : fetch(input, init);
  });
  await runJobs();
  await expectPaidOnce();
});

it('an unreadable refund is not sent again before operators release it, and counts once readable', async () => {
  const { signature: paid } = await pay({ person: follower, payer, callerId: caller.id });
  await settle({ app });
  const terms = await openRefund(caller, paid, payout);
  const signature = await land(signRefund({ terms, from: payout }));
  await makeUnreadable(signature);
  await app.advance(MINUTE_MS);
  await expectRefusal(
    caller.post('/api/solana/open-refund', refundBody(paid, payout)),
    'payments.refund_unreadable',
  );
  await app.services.refunds.searchDue();
  expect(alarms('payments.refund_unreadable')).toEqual([expect.stringContaining(signature)]);
  expect(await query('SELECT * FROM refund_transfers')).toEqual([]);
  const { operator } = await createOperatedApp();
  const release = { action: 'release_payment', subjectId: terms.refund.reference };
  expect(await act(operator, release)).toMatchObject({ isDone: true });
  const again = await openRefund(caller, paid, payout);
  expect(again.refund).toEqual(terms.refund);
  await app.advance(2 * SECOND_MS);
  const second = await land(signRefund({ terms: again, from: payout }));
  await makeUnreadable(second);
  await app.advance(MINUTE_MS);
  await searchRefunds(app);
  expect(await query('SELECT * FROM refund_transfers')).toEqual([]);
  await makeAllReadable();
  await searchRefunds(app);
  expect(await query('SELECT signature FROM refund_transfers ORDER BY slot')).toEqual([
    { signature },
    { signature: second },
  ]);
});

it('a refund that was sent through our server, but is unreadable, can be sent again after a release', async () => {
  const { signature: paid } = await pay({ person: follower, payer, callerId: caller.id });
  await settle({ app });
  const terms = await openRefund(caller, paid, payout);
  const transaction = signRefund({ terms, from: payout });
  const { result: signature } = await readResponse<{ result: string }>(sendRefund(caller, paid, transaction));
  await makeUnreadable(signature);
  await app.advance(MINUTE_MS);
  const openAgain = () => caller.post('/api/solana/open-refund', refundBody(paid, payout));
  await expectRefusal(openAgain(), 'payments.refund_unreadable');
  const { operator } = await createOperatedApp();
  await act(operator, { action: 'release_payment', subjectId: terms.refund.reference });
  await readResponse(openAgain(), 201);
});

it('a refund that is final, but not returned by the chain, is not sent again', async () => {
  const { signature: paid } = await pay({ person: follower, payer, callerId: caller.id });
  await settle({ app });
  const body = { ...refundBody(paid, payout), sendsItself: true };
  const terms = await readResponse<OpenRefundResponse>(caller.post('/api/solana/open-refund', body), 201);
  await land(signRefund({ terms, from: payout }));
  await app.advance(3 * MINUTE_MS);
  interceptSolana(({ method }, result) => (method === 'getTransaction' ? null : result));
  await expectRefusal(caller.post('/api/solana/open-refund', body), 'payments.refund_unreadable');
});
