import { sql } from 'drizzle-orm';
import type { Keypair } from '@solana/web3.js';
import { beforeEach, expect, it } from 'vitest';
import { SUBSCRIBER_NAMED_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { Earning, Receipt } from '#schema/contracts/payments.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { readPages, readResponse } from '#test/responses.ts';
import { createPaymentScene, forget } from '#test/payments/payment-scene.ts';
import { setPayout } from '#test/people/payout.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { insertPastPayments } from '#test/payments/past-payments.ts';
import { pay } from '#test/payments/payments.ts';
import { testEnv, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;
let payout: Keypair;
let follower: Person;
let payer: Keypair;

beforeEach(async () => {
  ({ app, caller, payout, follower, payer } = await createPaymentScene());
});

const payCaller = () => pay({ person: follower, payer, callerId: caller.id });
const receiptsOf = (person: Person) => readResponse<Receipt[]>(person.get('/api/payments'));
const receiptOf = (person: Person, signature: string) =>
  readResponse<Receipt>(person.get(`/api/payments/${signature}`));
const earningsOf = (person: Person) => readResponse<Earning[]>(person.get('/api/payments/earnings'));
const explorerUrlOf = (signature: string) => testEnv.EXPLORER_TX_URL.replace('{signature}', signature);
const isoOf = (time: number) => new Date(time).toISOString();
/** Waits until landed transactions are finalized and all others have expired. */
const finalizeOrExpire = async () => {
  await app.advance(3 * MINUTE_MS);
  await app.runJobs('payments');
};

it('payer and caller get the same receipt of a payment, and the payment is in the caller’s earnings', async () => {
  const { signature, subscription } = await payCaller();
  const [row] = await query<{ id: string; slot: number; paid_at: number }>(
    'SELECT id, slot, paid_at FROM payments WHERE signature = ?',
    signature,
  );
  const receipt: Receipt = {
    id: row?.id ?? '',
    days: 30,
    caller: subscription.caller,
    payerAddress: payer.publicKey.toBase58(),
    callerAddress: payout.publicKey.toBase58(),
    callerAmount: '0.45',
    platformAddress: testEnv.PLATFORM_WALLET,
    platformAmount: '0.05',
    totalAmount: '0.5',
    signature,
    explorerUrl: explorerUrlOf(signature),
    slot: row?.slot ?? 0,
    paidAt: isoOf(row?.paid_at ?? 0),
    period: { startDate: subscription.startDate, endDate: String(subscription.endDate) },
    earned: '0.45',
    owed: null,
    paidBack: '0',
    left: '0.5',
    paidBackTwice: null,
    refunds: [],
    refundRequest: null,
    state: 'confirmed',
  };
  expect(await receiptsOf(follower)).toEqual([receipt]);
  expect(subscription.payment?.explorerUrl).toBe(receipt.explorerUrl);
  expect(receipt.explorerUrl).toContain(
    `https://explorer.solana.com/tx/${signature}?cluster=custom&customUrl=http`,
  );
  for (const person of [follower, caller]) expect(await receiptOf(person, signature)).toEqual(receipt);
  const { caller: _caller, payerAddress: _payer, ...payment } = receipt;
  const subscriber = { firstName: 'Follower', lastName: '', twitterHandle: follower.handle };
  expect(await earningsOf(caller)).toEqual([{ ...payment, subscriberId: follower.id, subscriber }]);
});

it('after the caller changed fee, wallet and name, a receipt has the old fee and wallet and the new name', async () => {
  const { signature } = await payCaller();
  const before = await receiptOf(follower, signature);
  await readResponse(caller.patch('/api/user/caller-profile', { monthlyFee: '2' }));
  await setPayout('another', { at: app.clock.now(), where: sql`caller_id = ${caller.id}` });
  await query('UPDATE users SET first_name = ? WHERE id = ?', 'Renamed', caller.id);
  expect(await receiptOf(follower, signature)).toEqual({
    ...before,
    caller: { ...before.caller, firstName: 'Renamed' },
  });
});

it('after a fork has removed a payment, its receipt has no period until the payment lands again', async () => {
  const { signature } = await payCaller();
  const before = await receiptOf(follower, signature);
  await forget(signature);
  await finalizeOrExpire();
  expect(await receiptsOf(follower)).toEqual([{ ...before, state: 'revoked', period: null }]);
  expect(await earningsOf(caller)).toMatchObject([{ signature, state: 'revoked', period: null }]);
  await query(
    "INSERT INTO payment_ledger (id, payment_id, kind, slot, starts_at, ends_at, at) SELECT 'again', payment_id, 'granted', slot + 7, starts_at + 1, ends_at + 1, at FROM payment_ledger WHERE kind = 'granted'",
  );
  expect(await receiptOf(follower, signature)).toMatchObject({ state: 'confirmed', slot: before.slot + 7 });
});

it('a receipt shows the moved period after an earlier payment was revoked', async () => {
  const first = await payCaller();
  const second = await payCaller();
  await forget(first.signature);
  await app.advance(2 * MINUTE_MS);
  await app.services.reconciliation.finalize();
  const [moved] = await query<{ starts_at: number; ends_at: number }>(
    'SELECT starts_at, ends_at FROM subscriptions WHERE subscriber_id = ?',
    follower.id,
  );
  const receipt = await receiptOf(follower, second.signature);
  expect(receipt.period).toEqual({
    startDate: isoOf(moved?.starts_at ?? 0),
    endDate: isoOf(moved?.ends_at ?? 0),
  });
  expect(receipt.period?.startDate).not.toBe(second.subscription.startDate);
  expect(receipt.state).toBe('finalized');
  expect(await query("SELECT kind FROM payment_ledger WHERE kind = 'moved'")).toHaveLength(1);
});

it('only the paid caller has earnings, and a caller’s own payments are not earnings', async () => {
  await payCaller();
  expect(await earningsOf(follower)).toEqual([]);
  expect(await receiptsOf(caller)).toEqual([]);
});

it('reading payments and earnings does not change the database', async () => {
  const { signature } = await payCaller();
  const before = await readDatabase();
  for (const person of [caller, follower]) {
    for (const path of ['/api/payments', `/api/payments/${signature}`]) await person.get(path);
  }
  for (const path of ['/api/payments/earnings', '/api/payments/earnings.csv']) {
    await (await caller.get(path)).text();
  }
  expect(await readDatabase()).toEqual(before);
});

it('a caller’s earnings name a subscriber whose period ended long ago only if they are a caller, too', async () => {
  const { signature } = await payCaller();
  await app.advance(SUBSCRIPTION_PERIOD_MS + SUBSCRIBER_NAMED_MS);
  [caller, follower] = [await app.signIn(caller.handle), await app.signIn(follower.handle)];
  const paths = ['/api/payments/earnings', '/api/payments/earnings.csv', `/api/payments/${signature}`];
  await query("UPDATE users SET first_name = 'Needle', last_name = 'Haystack' WHERE id = ?", follower.id);
  for (const path of paths) {
    const text = (await (await caller.get(path)).text()).toLowerCase();
    for (const needle of ['needle', 'haystack', 'follower"', ',follower,', 'email']) {
      expect(text, `${path} says ${needle}`).not.toContain(needle);
    }
  }
  await readResponse(follower.post('/api/user/become-caller', { subscriptionPrice: '' }), 201);
  const subscriber = { firstName: 'Needle', lastName: 'Haystack', twitterHandle: follower.handle };
  expect(await earningsOf(caller)).toMatchObject([{ subscriberId: follower.id, subscriber }]);
});

it('lists of payments, earnings and subscriptions have each entry once, newest first, even with equal times', async () => {
  const made = await insertPastPayments({
    userId: follower.id,
    callerId: caller.id,
    count: 130,
    from: app.clock.now(),
    tie: 45,
  });
  const newestFirst = made.map(({ signature }) => signature).toReversed();
  for (const [person, path, lengths] of [
    [follower, '/api/payments', [50, 50, 30]],
    [caller, '/api/payments/earnings', [50, 50, 30]],
    [caller, `/api/subscriptions/caller/${caller.id}`, [100, 30]],
  ] as const) {
    const pages = await readPages<Receipt | Earning | Subscription>(person.get, `${path}?limit=40`);
    expect(pages.map((page) => page.length)).toEqual([40, 40, 40, 10]);
    const signatures = pages
      .flat()
      .map((each) => ('signature' in each ? each.signature : each.payment?.transactionId));
    expect(signatures).toEqual(newestFirst);
    expect((await readPages(person.get, path)).map((page) => page.length)).toEqual(lengths);
  }
});
