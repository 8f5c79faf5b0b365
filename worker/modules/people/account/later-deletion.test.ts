import { beforeEach, expect, it } from 'vitest';
import { DELETION_MAX_WAIT_MS } from '#schema/constants/people.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { CallerListItem, CallerProfile } from '#schema/contracts/callers.ts';
import type { Earning, Receipt } from '#schema/contracts/payments.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { query } from '#test/database/database.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { callBody, createPaidCaller, endCall, makeCall, makeEndedCall, MINTS } from '#test/people/callers.ts';
import { createApiKey } from '#test/people/api-keys.ts';
import { connectTelegram } from '#test/messages/telegram.ts';
import { openWebhook, putWebhook } from '#test/messages/webhooks.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import {
  claimBody,
  waitUntilConfirmed,
  land,
  openIntent,
  pay,
  send,
  signPayment,
} from '#test/payments/payments.ts';
import { openRefund, searchRefunds, signRefund } from '#test/payments/refunds.ts';
import { parseSol } from '#schema/rules/money/lamports.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { createDatabase } from '../../../shared/database.ts';
import { DELETION_REQUESTS } from '../../running/backup/backup-files.ts';
import { createDeletionRepository } from './deletion.repository.ts';

let app: TestApp;
let caller: Person;
let subscriber: Person;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'leaving' }));
  subscriber = await app.signIn('subscriber');
  await pay({ person: subscriber, callerId: caller.id });
});

const request = async (person = caller) => {
  const response = person.post('/api/user/deletion', { handle: person.handle });
  return (await readResponse<{ deletesAt: string | null }>(response)).deletesAt;
};
const takeBack = () => caller.delete('/api/user/deletion');
const periodEnd = async () =>
  (await query<{ end: number }>('SELECT MAX(ends_at) AS end FROM subscriptions'))[0]?.end ?? 0;
const isDeleted = async () =>
  (await query('SELECT 1 FROM users WHERE id = ? AND deleted_at IS NOT NULL', caller.id)).length === 1;
const runAccounts = () => app.runJobs('accounts');
const advanceTo = (at: string | null, offsetMs = 0) =>
  app.advance(Date.parse(at ?? '') - app.clock.now() + offsetMs);
const untilDue = async (deletesAt: string | null) => {
  await advanceTo(deletesAt);
  await runAccounts();
};
const profile = () => readResponse<CallerProfile>(app.request(`/api/callers/${caller.id}`));

it('the account of a caller with a paid subscriber is deleted when the paid period ends', async () => {
  const deletesAt = await request();
  expect(Date.parse(deletesAt ?? '')).toBe(await periodEnd());
  expect(await readResponse<CurrentUser>(caller.get('/api/auth/user'))).toMatchObject({ deletesAt });
  await app.advance((await periodEnd()) - app.clock.now() - 1);
  await runAccounts();
  expect(await isDeleted()).toBe(false);
  const requests = async () =>
    (await testEnv.BACKUPS.list({ prefix: `${DELETION_REQUESTS}${caller.id}` })).objects;
  expect(await requests()).toHaveLength(1);
  await app.advance(1);
  await runAccounts();
  expect(await isDeleted()).toBe(true);
  expect(await requests()).toEqual([]);
  expect(await profile()).toMatchObject({ firstName: 'Deleted caller', deletesAt: null });
});

it('an account is deleted at most 30 days after the request, and the rest of a longer paid period is owed', async () => {
  const payer = await createFundedWallet(5);
  const { signature } = await pay({ person: subscriber, callerId: caller.id, payer });
  await app.advance(6 * DAY_MS);
  const again = await app.signIn(caller.handle);
  const deletesAt = await request(again);
  expect(Date.parse(deletesAt ?? '')).toBe(app.clock.now() + DELETION_MAX_WAIT_MS);

  const receiptOf = async () =>
    (await readResponse<Receipt>(subscriber.get(`/api/payments/${signature}`))).owed;
  // The second period runs from day 30 to day 60, and about 24 days of it are left: 80% of 0.45 SOL.
  const owed = await receiptOf();
  expect(Number(owed)).toBeCloseTo(0.36, 5);
  const csv = await (await again.get('/api/payments/earnings.csv')).text();
  expect(csv.split('\r\n', 1)[0]).toContain('Owed SOL');
  expect(csv.split(`,${owed},`)).toHaveLength(2);
  // The cron is late.
  await advanceTo(deletesAt, HOUR_MS);
  await runAccounts();
  expect(await isDeleted()).toBe(true);
  subscriber = await app.signIn('subscriber');
  expect(await receiptOf()).toBe(owed);
});

it('a former caller who comes back sees what is owed, and pays it back', async () => {
  const { payout, caller: leaving } = await createPaidCaller(app, { handle: 'former' });
  const payer = await createFundedWallet(5);
  await pay({ person: subscriber, callerId: leaving.id, payer });
  const { signature } = await pay({ person: subscriber, callerId: leaving.id, payer });
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
  await untilDue(await request(leaving));
  await runAccounts();
  const former = await app.signIn('former');
  expect(await readResponse<CurrentUser>(former.get('/api/auth/user'))).toMatchObject({
    id: leaving.id,
    isCaller: false,
    wasCaller: true,
  });
  const owedOf = async () => (await readResponse<Earning[]>(former.get('/api/payments/earnings')))[0]?.owed;
  const owed = (await owedOf()) ?? '';
  expect(Number(owed)).toBeCloseTo(0.45, 1);
  expect(await (await former.get('/api/payments/earnings.csv')).text()).toContain(`,${owed},`);
  const terms = await openRefund(former, signature, payout);
  await land(signRefund({ terms, from: payout, changes: { lamports: parseSol(owed) ?? 0n } }));
  await app.advance(MINUTE_MS);
  await searchRefunds(app);
  expect(await owedOf()).toBeNull();
});

it('a deletion request immediately erases the caller’s email, API keys, webhooks and connections', async () => {
  await connectTelegram(app, caller);
  await createApiKey(app, caller);
  await openWebhook(app, caller);
  const email = () => query('SELECT email FROM users WHERE id = ?', caller.id);
  expect(await email()).not.toEqual([{ email: null }]);
  await request();
  const needless = ['api_keys', 'webhooks', 'telegram_links', 'push_devices', 'devices', 'x_tokens'];
  for (const table of [...needless, 'wallet_challenges']) {
    expect([table, await query(`SELECT 1 FROM ${table} WHERE user_id = ?`, caller.id)]).toEqual([table, []]);
  }
  await app.signIn('leaving');
  expect(await email()).toEqual([{ email: null }]);
});

it('new calls, payments, API keys and webhooks are refused after a deletion request, until the request is cancelled', async () => {
  await request();
  const stranger = await app.signIn('stranger');
  const opening = () =>
    caller.post('/api/token-calls', callBody({ caller, mint: MINTS.WIF, entryPrice: '1' }));
  await control('POST', '/prices', { mint: MINTS.WIF, price: 1 });
  const intent = () => stranger.post('/api/solana/get-latest-blockhash', { callerId: caller.id });
  const addKey = () => caller.post('/api/user/api-keys', { name: 'Bot', mayCall: false });
  const addWebhook = () => putWebhook(app, caller, 'https://hooks.solana.com/mine');
  for (const create of [opening, addKey, addWebhook]) {
    await expectRefusalWithoutTrace(create, 'account.deletion_requested');
  }
  await expectRefusalWithoutTrace(intent, 'subscriptions.caller_leaving');
  expect(await profile()).toMatchObject({ canBeSubscribed: false, deletesAt: expect.any(String) as string });
  const [listed] = await readResponse<CallerListItem[]>(app.request('/api/callers?search=leaving'));
  expect(listed?.canBeSubscribed).toBe(false);

  const user = await readResponse<CurrentUser>(takeBack());
  expect(user).not.toHaveProperty('deletesAt');
  for (const create of [opening, addKey, intent]) await readResponse(create(), 201);
  await readResponse(addWebhook());
  expect(await profile()).toMatchObject({ canBeSubscribed: true, deletesAt: null });
  await app.advance(DELETION_MAX_WAIT_MS);
  await runAccounts();
  expect(await isDeleted()).toBe(false);
});

it('after a deletion request, the database refuses new calls, new payment intents and another deletion date', async () => {
  await request();
  const count = () =>
    query('SELECT (SELECT COUNT(*) FROM calls) AS calls, COUNT(*) AS intents FROM payment_intents');
  const before = await count();
  await insertRows('calls', [{ id: 'late', caller_id: caller.id }]);
  await query(
    `INSERT INTO payment_intents (id, user_id, caller_id, reference, caller_address, platform_address,
       fee_lamports, days, total_lamports, caller_lamports, platform_lamports, created_at, expires_at)
     SELECT 'late', user_id, caller_id, 'late', caller_address, platform_address,
       fee_lamports, days, total_lamports, caller_lamports, platform_lamports, created_at, expires_at
     FROM payment_intents`,
  );
  expect(await count()).toEqual(before);
  await expect(query('UPDATE callers SET deletes_at = deletes_at + 1')).rejects.toThrow(
    'fixed at its request',
  );
});

it('a payment that lands after a deletion request counts, and doesn’t postpone the deletion', async () => {
  const late = await app.signIn('late_payer');
  const payer = await createFundedWallet(2);
  const terms = await openIntent(late, caller.id);
  const deletesAt = await request();
  const signed = signPayment({ terms, payer });
  await expectRefusal(send(late, signed), 'subscriptions.caller_leaving');
  const signature = await land(signed);
  await app.advance(HOUR_MS);
  await waitUntilConfirmed(app);
  const body = claimBody({ terms, callerId: caller.id, signature });
  await readResponse(late.post('/api/subscriptions', body), 201);
  expect((await readResponse<CurrentUser>(caller.get('/api/auth/user'))).deletesAt).toBe(deletesAt);
  caller = await app.signIn('leaving');
  expect(await request()).toBe(deletesAt);
  await untilDue(deletesAt);
  expect(await isDeleted()).toBe(true);
});

it('markDeleted deletes the account of a caller with a paid subscriber only on the deletion date', async () => {
  const deletions = createDeletionRepository(createDatabase(testEnv.DB));
  // As in a request that found no paid subscriber, because the payment was recorded after its check.
  const markDeleted = () => deletions.markDeleted({ userId: caller.id, now: app.clock.now() });
  expect([await markDeleted(), await isDeleted()]).toEqual([false, false]);
  // As in a second request, after the payment.
  const deletesAt = await request();
  expect([await markDeleted(), await isDeleted()]).toEqual([false, false]);
  await advanceTo(deletesAt);
  expect([await markDeleted(), await isDeleted()]).toEqual([true, true]);
});

it('an open call stays open until the account is due for deletion, and then ends at the market price', async () => {
  const kept = await makeCall({ caller, mint: MINTS.BONK, price: 1 });
  const other = await makeCall({ caller, mint: MINTS.JUP, price: 1 });
  const deletesAt = await request();
  await endCall({ caller, call: other, price: 1.5 });
  await advanceTo(deletesAt, -MINUTE_MS);
  await runAccounts();
  const ends = () => query('SELECT end_price, automatic_end FROM calls WHERE id = ?', kept.id);
  expect(await ends()).toEqual([{ end_price: null, automatic_end: null }]);
  await control('POST', '/prices', { mint: MINTS.BONK, price: null });
  await app.advance(MINUTE_MS);
  await runAccounts();
  expect([await ends(), await isDeleted()]).toEqual([[{ end_price: null, automatic_end: null }], false]);
  await control('POST', '/prices', { mint: MINTS.BONK, price: 3 });
  await runAccounts();
  expect([await ends(), await isDeleted()]).toEqual([
    [{ end_price: '3', automatic_end: 'caller_left' }],
    false,
  ]);
  await runAccounts();
  expect(await isDeleted()).toBe(true);
});

it('a deletion request can’t be cancelled on its deletion date', async () => {
  await advanceTo(await request());
  caller = await app.signIn('leaving');
  await expectRefusal(takeBack(), 'account.deletion_due');
});

it('a deletion request is carried out immediately if the caller’s paid periods have ended', async () => {
  await app.advance(29 * DAY_MS);
  caller = await app.signIn('leaving');
  await makeEndedCall({ caller });
  await app.advance(DAY_MS);
  caller = await app.signIn('leaving');
  expect(await request()).toBeNull();
  expect(await isDeleted()).toBe(true);
});

it('a caller who becomes a caller again after a scheduled deletion has no deletion request any more', async () => {
  await untilDue(await request());
  const again = await app.signIn('leaving');
  await readResponse(again.post('/api/user/become-caller', { subscriptionPrice: '' }), 201);
  expect(await readResponse<CurrentUser>(again.get('/api/auth/user'))).not.toHaveProperty('deletesAt');
  expect(await profile()).toMatchObject({ deletesAt: null, canBeSubscribed: true });
});

it('a deleted caller who becomes a caller again still owes for the days without an account', async () => {
  const { signature } = await pay({ person: subscriber, callerId: caller.id });
  await untilDue(await request());
  await app.advance(15 * DAY_MS);
  const again = await app.signIn('leaving');
  await readResponse(again.post('/api/user/become-caller', { subscriptionPrice: '' }), 201);
  subscriber = await app.signIn('subscriber');
  const { owed } = await readResponse<Receipt>(subscriber.get(`/api/payments/${signature}`));
  // The second period begins when the account is deleted, and half of its 30 days were without the caller.
  expect(Number(owed)).toBeCloseTo(0.225, 3);
});
