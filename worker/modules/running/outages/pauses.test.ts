import { beforeEach, expect, it } from 'vitest';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { Pausable } from '#schema/contracts/pauses.ts';
import type { Status } from '#schema/contracts/status.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { callBody, createCaller, createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { query } from '#test/database/database.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { connectTelegram, writtenTo } from '#test/messages/telegram.ts';
import { act, createOperatedApp } from '#test/people/operators.ts';
import { claimBody, waitUntilConfirmed, openIntent, send, signPayment } from '#test/payments/payments.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';

const REASON = 'Solana is congested <today> & "slow".';

let app: TestApp;
let operator: Person;

beforeEach(async () => {
  ({ app, operator } = await createOperatedApp());
});

const pause = (subjectId: Pausable) => act(operator, { action: 'pause', subjectId, reason: REASON });
const resume = (subjectId: Pausable) => act(operator, { action: 'resume', subjectId });
const open = (person: Person, callerId: string) =>
  person.post('/api/solana/get-latest-blockhash', { callerId });

it('while payments are paused, new payments are refused, and already opened payments still count', async () => {
  const { caller } = await createPaidCaller(app);
  const [early, late] = [await app.signIn('early'), await app.signIn('late')];
  const terms = await openIntent(early, caller.id);
  await pause('payments');
  const { message, error } = await expectRefusalWithoutTrace(() => open(late, caller.id), 'payments.paused');
  expect(message).toContain(REASON);
  expect(error).toMatchObject({ reason: REASON });
  const signed = signPayment({ terms, payer: await createFundedWallet(2) });
  const { result: signature } = await readResponse<{ result: string }>(send(early, signed));
  await waitUntilConfirmed(app);
  const body = claimBody({ terms, callerId: caller.id, signature });
  expect(await readResponse(early.post('/api/subscriptions', body), 201)).toMatchObject({ isActive: true });
  await resume('payments');
  await openIntent(late, caller.id);
});

it('a pause that begins while a payment is being opened refuses the payment', async () => {
  const { caller } = await createPaidCaller(app);
  const payer = await app.signIn('payer');
  const DB = interceptDatabase(testEnv.DB, async ({ sql }, run) => {
    if (/INSERT INTO .?payment_intents/i.test(sql)) {
      await query("INSERT OR IGNORE INTO pauses (kind, reason, at) VALUES ('payments', 'Wait.', 1)");
    }
    return run();
  });
  const racing = await createTestApp({ bindings: { DB } });
  await expectRefusal(open(racing.browser(payer), caller.id), 'payments.paused');
  expect(await query('SELECT 1 FROM payment_intents')).toEqual([]);
});

it('while calls are paused, new calls are refused, but active calls can be updated and ended', async () => {
  const caller = await createCaller(app, 'amara_calls');
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await pause('calls');
  const body = callBody({ caller, mint: MINTS.JUP, entryPrice: '1' });
  const { message } = await expectRefusalWithoutTrace(
    () => caller.post('/api/token-calls', body),
    'calls.paused',
  );
  expect(message).toContain(REASON);
  await readResponse(caller.post('/api/telegram/send-update', { callId: call.id, message: 'Still on.' }));
  await endCall({ caller, call, price: 3 });
  await resume('calls');
  await makeCall({ caller, mint: MINTS.JUP, price: 1 });
});

it('while posting is paused, account notices are sent, call messages wait, and posts on X are refused', async () => {
  const caller = await createCaller(app, 'amara_calls');
  const follower = await app.signIn('follower');
  await readResponse(follower.post('/api/subscriptions/free', { callerId: caller.id }), 201);
  const chatId = await connectTelegram(app, follower);
  await pause('posting');
  await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await app.signIn('follower', { cookie: '' });
  await app.runJobs('messages');
  await app.sender.deliver();
  expect(await writtenTo(chatId)).toEqual([expect.stringMatching(/sign-in|signed in/i)]);
  expect(await app.sender.events()).toHaveLength(1);
  const post = { text: 'My call.', imageDataUrl: 'data:image/png;base64,AAAA' };
  await expectRefusal(caller.post('/api/twitter-post', post), 'shares.paused');
  await resume('posting');
  await app.advance(MINUTE_MS);
  await app.sender.deliver();
  expect(await writtenTo(chatId)).toHaveLength(2);
});

it('GET /api/status and the HTML of public pages show a pause with its reason', async () => {
  const { caller } = await createPaidCaller(app);
  const paths = ['/', '/recent-calls', '/terms', `/caller/${caller.id}`];
  const bannersOf = async () =>
    Promise.all(
      paths.map(async (path) => (await (await app.request(path)).text()).includes('aria-label="Status"')),
    );
  expect(await bannersOf()).toEqual([false, false, false, false]);
  await pause('payments');
  expect(await bannersOf()).toEqual([true, true, true, true]);
  const response = await app.request('/api/status');
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=10, stale-while-revalidate=30');
  expect(await readResponse<Status>(response)).toMatchObject({
    pauses: [{ kind: 'payments', reason: REASON }],
  });
  const page = await (await app.request('/')).text();
  expect(page).toContain('Solana is congested &lt;today&gt; &amp; &quot;slow&quot;.');
});
