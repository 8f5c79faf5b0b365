import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR_MS, INTENT_LIFETIME_MS, MAX_UNUSED_INTENTS, MINUTE_MS } from '#schema/constants.ts';
import { createPaidCaller } from '../../../test-support/people/callers.ts';
import { createFundedWallet } from '../../../test-support/payments/chain.ts';
import { query } from '../../../test-support/database/database.ts';
import { createDatabase } from '../../../shared/database.ts';
import { createBroadcastsRepository } from './broadcasts.repository.ts';
import { createIntentsRepository } from './intents.repository.ts';
import { INTENTS_PER_RUN } from './reconcile.service.ts';
import { createReference } from './reference.ts';
import { land, openIntent, pay, signPayment } from '../../../test-support/payments/payments.ts';
import {
  control,
  createTestApp,
  testEnv,
  type Person,
  type TestApp,
} from '../../../test-support/test-app.ts';

let app: TestApp;
let caller: Person;
let follower: Person;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { fee: '0.5' }));
  follower = await app.signIn('follower');
});

afterEach(() => void vi.restoreAllMocks());

const countIntents = async () => (await query('SELECT id FROM payment_intents')).length;

it('an open intent without a transaction is returned again for a limited time', async () => {
  const first = await openIntent(follower, caller.id);
  const again = await openIntent(follower, caller.id);
  expect(again.intent).toEqual(first.intent);
  expect(await countIntents()).toBe(1);

  await app.advance(INTENT_LIFETIME_MS / 2 + MINUTE_MS);
  const later = await openIntent(follower, caller.id);
  expect(later.intent.reference).not.toBe(first.intent.reference);
});

it('an open intent is not reused when the terms change', async () => {
  const before = await openIntent(follower, caller.id);
  await caller.patch('/api/user/caller-profile', { monthlyFee: '0.75' });
  const after = await openIntent(follower, caller.id);
  expect(after.intent.reference).not.toBe(before.intent.reference);
  expect(BigInt(after.intent.callerLamports)).toBe(675_000_000n);
});

it('opening an intent is rejected after twenty unused ones within an hour', async () => {
  for (let opened = 0; opened < MAX_UNUSED_INTENTS; opened++) {
    await caller.patch('/api/user/caller-profile', { monthlyFee: `1.${100 + opened}` });
    await openIntent(follower, caller.id);
    if (opened === 0) await app.advance(MINUTE_MS);
  }
  const sendRequest = (requester: Person) =>
    requester.post('/api/solana/get-latest-blockhash', { callerId: caller.id });
  expect((await sendRequest(follower)).status).toBe(201);
  await caller.patch('/api/user/caller-profile', { monthlyFee: '0.9' });
  const refused = await sendRequest(follower);
  expect([refused.status, Number(refused.headers.get('Retry-After')) / 60]).toEqual([429, 59]);
  expect(await countIntents()).toBe(MAX_UNUSED_INTENTS);
  expect((await sendRequest(await app.signIn('another'))).status).toBe(201);
  await app.advance(59 * MINUTE_MS);
  expect((await sendRequest(follower)).status).toBe(201);
});

it('an open intent is not reused once a transaction was sent for it', async () => {
  const payer = await createFundedWallet();
  const { terms } = await pay({ person: follower, payer, callerId: caller.id });
  expect((await openIntent(follower, caller.id)).intent.reference).not.toBe(terms.intent.reference);
});

const repository = (database = testEnv.DB) => createIntentsRepository(createDatabase(database));

/** Opens intents that nobody pays, and makes them due. Returns their references. */
async function openCrowd(count: number): Promise<string[]> {
  const now = app.clock.now();
  const crowd = Array.from({ length: count }, () => createReference());
  await query(
    `INSERT INTO payment_intents (
       id, user_id, caller_id, reference, caller_address, platform_address,
       total_lamports, caller_lamports, platform_lamports, created_at, expires_at, reconciled_at)
     SELECT value, ?, ?, value, 'caller-wallet', 'platform-wallet', 10, 9, 1, ?, ?, 0 FROM json_each(?)`,
    follower.id,
    caller.id,
    now,
    now + INTENT_LIFETIME_MS,
    JSON.stringify(crowd),
  );
  return crowd;
}

it('a payment sent by the wallet itself is found by the next check if the cluster did not respond to the first', async () => {
  const terms = await openIntent(follower, caller.id);
  await land(signPayment({ terms, payer: await createFundedWallet() }));
  await app.advance(HOUR_MS);
  await control('POST', '/faults', { service: 'solana', status: 503, path: 'getSignaturesForAddress' });
  await app.runJobs('payments');
  await control('DELETE', '/faults');
  expect(await query('SELECT id FROM payments')).toEqual([]);
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
  expect(await query('SELECT intent_id FROM payments')).toEqual([{ intent_id: terms.intent.id }]);
});

describe('an unpaid intent', () => {
  it('an unpaid intent is checked after 1, 2, 5 and 15 minutes, then hourly for a day', async () => {
    await openIntent(follower, caller.id);
    const ages: number[] = [];
    for (;;) {
      const [row] = await query<{ created_at: number; next_check_at: number | null }>(
        'SELECT created_at, next_check_at FROM payment_intents',
      );
      const due = row?.next_check_at ?? null;
      if (due === null) break;
      expect(await repository().takeDue({ now: due - 1, limit: 1 })).toEqual([]);
      expect(await repository().takeDue({ now: due, limit: 1 })).toHaveLength(1);
      ages.push((due - (row?.created_at ?? 0)) / MINUTE_MS);
    }
    const hourly = Array.from({ length: 23 }, (_, index) => 23 + 60 * (index + 1));
    expect(ages).toEqual([1, 3, 8, 23, ...hourly, 24 * 60]);
  });

  it('each of 600 unpaid intents opened at once is checked at most ten minutes late', async () => {
    const openedAt = app.clock.now();
    await openCrowd(10 * INTENTS_PER_RUN);
    await query('UPDATE payment_intents SET next_check_at = ?', openedAt + MINUTE_MS);
    const pauseAt = (age: number) =>
      [1, 2, 5, 15].find((_, index) => age < ([1, 3, 8, 23][index] ?? 0)) ?? 60;
    const due = new Map<string, number>();
    const delays: number[] = [];
    for (let minute = 1; minute <= 100; minute++) {
      const now = openedAt + minute * MINUTE_MS;
      for (const { id } of await repository().takeDue({ now, limit: INTENTS_PER_RUN })) {
        delays.push(minute - (due.get(id) ?? 1));
        due.set(id, minute + pauseAt(minute));
      }
    }
    expect(Math.max(...delays)).toBeLessThanOrEqual(10);
    expect([...due.values()].filter((at) => at > 100)).toHaveLength(600);
  });

  it('the next check of an hour-old intent is delayed by one hour per minute that the last check was late', async () => {
    await openCrowd(1);
    const checkedAt = app.clock.now() + HOUR_MS;
    await query('UPDATE payment_intents SET next_check_at = ?', checkedAt - 3 * MINUTE_MS);
    await repository().takeDue({ now: checkedAt, limit: 1 });
    expect(await query('SELECT next_check_at FROM payment_intents')).toEqual([
      { next_check_at: checkedAt + 4 * HOUR_MS },
    ]);
  });

  it('an intent whose check did not finish is checked again after a pause, and delays no other intent', async () => {
    await openCrowd(5);
    const now = app.clock.now();
    const take = async (at: number) =>
      (await repository().takeDue({ now: at, limit: 3 })).map(({ id }) => id);
    const died = await take(now);
    const others = await take(now);
    expect([died.length, others.length, await take(now)]).toEqual([3, 2, []]);
    expect(died.filter((id) => others.includes(id))).toEqual([]);
    expect(new Set([...(await take(now + MINUTE_MS)), ...(await take(now + MINUTE_MS))])).toEqual(
      new Set([...died, ...others]),
    );
  });
});

it('a rejected attempt does not mark a broadcast as dead if another attempt sent the same bytes', async () => {
  const { intent: opened } = await openIntent(follower, caller.id);
  const db = createDatabase(testEnv.DB);
  const broadcasts = createBroadcastsRepository(db);
  const [intent] = await createIntentsRepository(db).findByReferences([opened.reference]);
  if (!intent) throw new Error('There is no intent');
  const signature = '5'.repeat(88);
  const now = app.clock.now();
  const attempt = () =>
    broadcasts.insert({ signature, signedBytes: '', intent, lastValidBlockHeight: 1_000, now });
  expect(await attempt()).toEqual({ tries: 1, wasSentBefore: false });
  expect(await attempt()).toEqual({ tries: 2, wasSentBefore: true });
  await broadcasts.markRejected({ signature, tries: 1, now });
  expect(await broadcasts.find(signature)).toMatchObject({ isDead: false });
  await broadcasts.markRejected({ signature, tries: 2, now });
  expect(await broadcasts.find(signature)).toMatchObject({ isDead: true });
  expect(await attempt()).toEqual({ tries: 3, wasSentBefore: false });
});
