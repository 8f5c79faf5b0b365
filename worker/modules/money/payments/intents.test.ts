import type { Keypair } from '@solana/web3.js';
import { beforeEach, expect, it } from 'vitest';
import { INTENT_LIFETIME_MS, MAX_UNUSED_INTENTS } from '#schema/constants/money.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { createPaymentScene } from '#test/payments/payment-scene.ts';
import { query } from '#test/database/database.ts';
import { createDatabase } from '../../../shared/database.ts';
import { createBroadcastsRepository } from './broadcasts.repository.ts';
import { createIntentsRepository } from './intents.repository.ts';
import { land, openIntent, pay, signPayment } from '#test/payments/payments.ts';
import { control, testEnv, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;
let follower: Person;
let payer: Keypair;

beforeEach(async () => {
  ({ app, caller, follower, payer } = await createPaymentScene());
});

const countIntents = async () => (await query('SELECT id FROM payment_intents')).length;

it('an open intent without a transaction is reused, but not in the second half of its lifetime', async () => {
  const first = await openIntent(follower, caller.id);
  const again = await openIntent(follower, caller.id);
  expect(again.intent).toEqual(first.intent);
  expect(await countIntents()).toBe(1);

  await app.advance(INTENT_LIFETIME_MS / 2 + MINUTE_MS);
  const later = await openIntent(follower, caller.id);
  expect(later.intent.reference).not.toBe(first.intent.reference);
});

it('an open intent is not reused after the terms have changed', async () => {
  const before = await openIntent(follower, caller.id);
  await caller.patch('/api/user/caller-profile', { monthlyFee: '0.75' });
  const after = await openIntent(follower, caller.id);
  expect(after.intent.reference).not.toBe(before.intent.reference);
  expect(BigInt(after.intent.callerLamports)).toBe(675_000_000n);
});

it('opening an intent is rejected after twenty unused intents within an hour', async () => {
  for (let opened = 0; opened < MAX_UNUSED_INTENTS; opened++) {
    await caller.patch('/api/user/caller-profile', { monthlyFee: `1.${100 + opened}` });
    await openIntent(follower, caller.id, { days: 7 });
    if (opened === 0) await app.advance(MINUTE_MS);
    // The first ones end, because at most 120 days may be open at once.
    if (opened === 10) await app.advance(INTENT_LIFETIME_MS);
  }
  const sendRequest = (requester: Person) =>
    requester.post('/api/solana/get-latest-blockhash', { callerId: caller.id, days: 7 });
  expect((await sendRequest(follower)).status).toBe(201);
  await caller.patch('/api/user/caller-profile', { monthlyFee: '0.9' });
  const refused = await sendRequest(follower);
  expect([refused.status, Number(refused.headers.get('Retry-After')) / 60]).toEqual([429, 49]);
  expect(await countIntents()).toBe(MAX_UNUSED_INTENTS);
  expect((await sendRequest(await app.signIn('another'))).status).toBe(201);
  await app.advance(49 * MINUTE_MS);
  expect((await sendRequest(follower)).status).toBe(201);
});

it('an intent is not reused after a transaction was sent for it', async () => {
  const { terms } = await pay({ person: follower, payer, callerId: caller.id });
  expect((await openIntent(follower, caller.id)).intent.reference).not.toBe(terms.intent.reference);
});

it('if the cluster did not respond to the cron’s search for a payment, the next cron run finds the payment', async () => {
  const terms = await openIntent(follower, caller.id);
  await land(signPayment({ terms, payer }));
  await app.advance(HOUR_MS);
  await control('POST', '/faults', { service: 'solana', status: 503, path: 'getSignaturesForAddress' });
  await app.runJobs('payments');
  await control('DELETE', '/faults');
  expect(await query('SELECT id FROM payments')).toEqual([]);
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
  expect(await query('SELECT intent_id FROM payments')).toEqual([{ intent_id: terms.intent.id }]);
});

it('a rejected attempt does not mark a transaction as dead while another attempt sends the same bytes', async () => {
  const { intent: opened } = await openIntent(follower, caller.id);
  const db = createDatabase(testEnv.DB);
  const broadcasts = createBroadcastsRepository(db);
  const [intent] = await createIntentsRepository(db).find({ accounts: [opened.reference] });
  if (!intent) throw new Error('There is no intent');
  const [signature, now] = ['5'.repeat(88), app.clock.now()];
  const attempt = () =>
    broadcasts.insert({ signature, signedBytes: '', intent, lastValidBlockHeight: 1_000, now });
  expect(await attempt()).toEqual({ tries: 1, wasSentBefore: false });
  expect(await attempt()).toEqual({ tries: 2, wasSentBefore: true });
  expect(await broadcasts.takeDue({ now: now + DAY_MS, limit: 20 })).toMatchObject([{ signature }]);
  for (const tries of [1, 2]) {
    expect(await broadcasts.markRejected({ signature, tries, now })).toBe(false);
    expect(await broadcasts.find(signature)).toMatchObject({ isDead: false });
  }
  expect(await broadcasts.markRejected({ signature, tries: 3, now })).toBe(true);
  expect(await broadcasts.find(signature)).toMatchObject({ isDead: true });
  expect(await broadcasts.takeDue({ now: now + 2 * DAY_MS, limit: 20 })).toEqual([]);
  expect(await attempt()).toEqual({ tries: 4, wasSentBefore: false });
});
