import { Keypair } from '@solana/web3.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { INTENT_LIFETIME_MS, MINUTE_MS } from '#schema/constants.ts';
import { expectRefusal } from '../../test-support/answers.ts';
import { createCaller, createPaidCaller, proveWallet } from '../../test-support/callers.ts';
import { createFundedWallet } from '../../test-support/chain.ts';
import { query } from '../../test-support/database.ts';
import { createDatabase } from '../../shared/database.ts';
import { createBroadcastsRepository } from './broadcasts.repository.ts';
import { createIntentsRepository } from './intents.repository.ts';
import { openIntent, pay, send, settle, signPayment } from '../../test-support/payments.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '../../test-support/test-app.ts';

let app: TestApp;
let caller: Person;
let follower: Person;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { fee: '0.5' }));
  follower = await app.signIn('follower');
});

const countIntents = async () => (await query('SELECT id FROM payment_intents')).length;

describe('an open intent', () => {
  it('is returned again for a limited time while no transaction was sent for it', async () => {
    const first = await openIntent(follower, caller.id);
    const again = await openIntent(follower, caller.id);
    expect(again.intent).toEqual(first.intent);
    expect(await countIntents()).toBe(1);

    await app.advance(INTENT_LIFETIME_MS / 2 + MINUTE_MS);
    const later = await openIntent(follower, caller.id);
    expect(later.intent.reference).not.toBe(first.intent.reference);
  });

  it('is not shared between users', async () => {
    const mine = await openIntent(follower, caller.id);
    const theirs = await openIntent(await app.signIn('another'), caller.id);
    expect(theirs.intent.reference).not.toBe(mine.intent.reference);
  });

  it('is not reused when the terms change', async () => {
    const before = await openIntent(follower, caller.id);
    await caller.patch('/api/user/caller-profile', { monthlyFee: '0.75' });
    const after = await openIntent(follower, caller.id);
    expect(after.intent.reference).not.toBe(before.intent.reference);
    expect(BigInt(after.intent.callerLamports)).toBe(675_000_000n);
  });

  it('is not reused once a transaction was sent for it', async () => {
    const payer = await createFundedWallet();
    const { terms } = await pay({ person: follower, payer, callerId: caller.id });
    expect((await openIntent(follower, caller.id)).intent.reference).not.toBe(terms.intent.reference);
  });
});

describe('the cron', () => {
  it('finds a payment among many unpaid intents', async () => {
    const payer = await createFundedWallet();
    // Creates more intents than one cron run checks. Each was checked longer ago than the paid one.
    const crowd = Array.from({ length: 60 }, (_, index) => ({
      id: `user-${index}`,
      intent: `intent-${index}`,
      reference: Keypair.generate().publicKey.toBase58(),
    }));
    for (const { id, intent, reference } of crowd) {
      await query(
        `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, is_verified, created_at, updated_at) VALUES (?, ?, ?, 'A', 'B', 0, 0, 0)`,
        id,
        `9${id.slice(5)}`,
        id,
      );
      await query(
        `INSERT INTO payment_intents (id, user_id, caller_id, reference, caller_address, platform_address, total_lamports, caller_lamports, platform_lamports, created_at, expires_at, reconciled_at)
         VALUES (?, ?, ?, ?, 'a', 'b', 10, 9, 1, ?, ?, 0)`,
        intent,
        id,
        caller.id,
        reference,
        app.clock.now(),
        app.clock.now() + MINUTE_MS,
      );
    }
    const terms = await openIntent(follower, caller.id);
    await send(follower, signPayment({ terms, payer }));
    await settle(app);
    await app.runCron();
    expect(await query('SELECT intent_id FROM payments')).toEqual([{ intent_id: terms.intent.id }]);
  });
});

it('a caller whose payout wallet is the platform’s cannot be paid', async () => {
  const person = await createCaller(app, 'sly_caller');
  await proveWallet(
    person,
    Keypair.fromSecretKey(Uint8Array.from(testEnv.TEST_PLATFORM_SECRET.split(','), Number)),
  );
  await expectRefusal(
    person.patch('/api/user/caller-profile', { monthlyFee: '1', walletAddress: testEnv.PLATFORM_WALLET }),
    'payments.payout_is_platform',
  );
});

it('a rejected attempt does not mark the broadcast dead if another attempt sent the same bytes', async () => {
  await openIntent(follower, caller.id);
  const db = createDatabase(testEnv.DB);
  const broadcasts = createBroadcastsRepository(db);
  const [intent] = await createIntentsRepository(db).listToCheck({ since: 0, youngSince: 0, limit: 1 });
  if (!intent) throw new Error('There is no intent');
  const signature = '5'.repeat(88);
  const now = app.clock.now();
  const attempt = () => broadcasts.insert({ signature, intent, lastValidBlockHeight: 1_000, now });
  expect(await attempt()).toEqual({ tries: 1, wasSentBefore: false });
  expect(await attempt()).toEqual({ tries: 2, wasSentBefore: true });
  await broadcasts.markRejected({ signature, tries: 1, now });
  expect(await broadcasts.find(signature)).toMatchObject({ isDead: false });
  await broadcasts.markRejected({ signature, tries: 2, now });
  expect(await broadcasts.find(signature)).toMatchObject({ isDead: true });
  expect(await attempt()).toEqual({ tries: 3, wasSentBefore: false });
});
