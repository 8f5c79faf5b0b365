import { Keypair, PublicKey } from '@solana/web3.js';
import { beforeEach, expect, inject, it, vi } from 'vitest';
import { priceOf } from '#schema/rules/money/lengths.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query } from '#test/database/database.ts';
import { createFundedWallet, rpc, toBase64 } from '#test/payments/chain.ts';
import { createPaymentScene } from '#test/payments/payment-scene.ts';
import { land, openIntent, signPayment, type PaymentChanges } from '#test/payments/payments.ts';
import { latestBlockhash, memo, sign, transfer } from '#test/payments/transactions.ts';
import { testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { createDatabase } from '../../../shared/database.ts';
import { createId } from '../../../shared/ids.ts';
import { createIntentsRepository } from './intents.repository.ts';
import { SEARCHES_PER_RUN } from './payments.service.ts';
import { createReference } from './reference.ts';

const isDeep = inject('isDeep');
const DUST_PER_MINUTE = Math.ceil(4_000 / 60);
/** Dust lands for this long before the payment: half a day, or long enough to fill an hour of the walk's reads. */
const DUST_MINUTES = isDeep ? 12 * 60 : 20;
const ACCOUNTS = isDeep ? 120 : 30;
/** More days can't be open at once for one caller. */
const INTENTS = isDeep ? 17 : 8;
const DUST_PER_INTENT = 5;
/** Requests to the local chain at once. */
const AT_ONCE = 50;

let app: TestApp;
let caller: Person;
let follower: Person;
let payer: Keypair;
let stranger: Keypair;
let dust: number;

beforeEach(async () => {
  ({ app, caller, follower, payer } = await createPaymentScene());
  stranger = await createFundedWallet(1_000);
  dust = 0;
});

/** Lands a transfer of a few lamports to the platform wallet for each memo. */
async function landDust(memos: readonly (string | null)[]): Promise<void> {
  const blockhash = await latestBlockhash();
  const to = new PublicKey(testEnv.PLATFORM_WALLET);
  for (let from = 0; from < memos.length; from += AT_ONCE) {
    const sent = memos.slice(from, from + AT_ONCE).map((text) => {
      dust += 1;
      const move = transfer({ from: stranger.publicKey, to, lamports: dust });
      const instructions = text === null ? [move] : [move, memo(text)];
      const bytes = sign({ instructions, signers: [stranger], blockhash });
      return rpc('sendTransaction', toBase64(bytes), { encoding: 'base64', skipPreflight: true });
    });
    await Promise.all(sent);
  }
}

const withoutMemos = (count: number) => Array.from({ length: count }, () => null);

async function runMinute(): Promise<void> {
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
}

const isPaid = async (intentId: string) =>
  (await query('SELECT 1 FROM payments WHERE intent_id = ?', intentId)).length > 0;

/** The cron's runs until the payment is recorded, at most three days of them. */
async function minutesUntilPaid(intentId: string, eachMinute = async () => undefined as void) {
  for (let minutes = 1; minutes <= (3 * DAY_MS) / MINUTE_MS; minutes += 1) {
    await eachMinute();
    await runMinute();
    if (await isPaid(intentId)) return minutes;
  }
  return Infinity;
}

/** A person opens an intent and pays it by a wallet that sends by itself. Their browser closes at once. */
async function payAndLeave(person: Person, { memo: text }: PaymentChanges = {}): Promise<string> {
  const terms = await openIntent(person, caller.id);
  const wallet = await createFundedWallet();
  await land(signPayment({ terms, payer: wallet, changes: text === undefined ? {} : { memo: text } }));
  return terms.intent.id;
}

/** Opens unused intents of this person. Each has its own amount, so none is reused. */
async function openUnused({ id: userId }: Person, count: number): Promise<string[]> {
  const now = app.clock.now();
  const repository = createIntentsRepository(createDatabase(testEnv.DB));
  const ids = Array.from({ length: count }, createId);
  for (const [number, id] of ids.entries()) {
    const feeLamports = BigInt(4_000_000 + 30 * number);
    const intent = {
      id,
      userId,
      callerId: caller.id,
      callerAddress: payer.publicKey.toBase58(),
      platformAddress: testEnv.PLATFORM_WALLET,
      reference: createReference(),
      feeLamports,
      days: 7 as const,
      ...priceOf(feeLamports, 7),
      createdAt: now,
      expiresAt: now + 10 * MINUTE_MS,
      priorityReads: 0,
      searchTurn: null,
    };
    await repository.openIntent(intent, { reusableUntil: now + DAY_MS, replaces: undefined });
  }
  return ids;
}

it('a payment without a memo, whose browser has closed, is found in the next minute while hours of dust are unread', async () => {
  if (isDeep) {
    for (let minute = 0; minute < DUST_MINUTES; minute += 1) {
      await landDust(withoutMemos(DUST_PER_MINUTE));
      await runMinute();
    }
  } else {
    await landDust(withoutMemos(DUST_MINUTES * DUST_PER_MINUTE));
    await runMinute();
  }
  const intentId = await payAndLeave(follower, { memo: null });
  const waited = await minutesUntilPaid(intentId, () => landDust(withoutMemos(DUST_PER_MINUTE)));
  expect(waited).toBe(1);
});

it('many accounts with unused intents that dust names delay no payment of a fresh intent', async () => {
  const memos: string[] = [];
  for (let account = 0; account < ACCOUNTS; account += 1) {
    memos.push(...(await openUnused(await app.signIn(`dust_${account}`), INTENTS)));
  }
  await landDust(Array.from({ length: DUST_PER_INTENT }, () => memos).flat());
  await app.advance(SECOND_MS);
  const late = await openIntent(await app.signIn('late'), caller.id);
  const intents = [
    await payAndLeave(follower),
    await payAndLeave(await app.signIn('without_memo'), { memo: null }),
  ];
  await runMinute();
  expect(await Promise.all(intents.map(isPaid))).toEqual([true, true]);
  // This person pays after the first search for the intent, and waits for their next turn.
  await land(
    signPayment({
      terms: { ...late, result: { value: { ...late.result.value, blockhash: await latestBlockhash() } } },
      payer,
      changes: { memo: null },
    }),
  );
  const waited = await minutesUntilPaid(late.intent.id);
  expect(waited).toBeLessThanOrEqual(Math.ceil((ACCOUNTS + 3) / SEARCHES_PER_RUN) + 1);
});

it('taking turns reads as few rows with 200 open intents as with 40', async () => {
  const openOf = async (people: readonly string[]) => {
    for (const handle of people) await openUnused(await app.signIn(handle), 20);
  };
  const rowsRead = async () => {
    let read = 0;
    const db = createDatabase(countRows(testEnv.DB, ({ rows }) => void (read += rows)));
    expect(await createIntentsRepository(db).takeTurns(app.clock.now(), SEARCHES_PER_RUN)).toHaveLength(20);
    return read;
  };
  await openOf(['one', 'two']);
  const few = await rowsRead();
  await openOf(Array.from({ length: 8 }, (_, number) => `another_${number}`));
  expect(await rowsRead()).toBeLessThanOrEqual(few);
});

it('a search that fails delays no other one, and the intent is searched for again', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
  const failing = await openIntent(await app.signIn('failing'), caller.id);
  await land(signPayment({ terms: failing, payer, changes: { memo: null } }));
  const intents = [await payAndLeave(follower, { memo: null })];
  const { fetch } = globalThis;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const isFailing = String(init?.body).includes(failing.intent.reference);
    return isFailing ? new Response(null, { status: 503 }) : fetch(input, init);
  });
  await app.advance(MINUTE_MS);
  await expect(app.services.payments.searchDue()).rejects.toThrow('unavailable');
  expect(await Promise.all([failing.intent.id, ...intents].map(isPaid))).toEqual([false, true]);
  spy.mockRestore();
  expect(await app.services.payments.searchDue()).toEqual({ searched: 1 });
  expect(await isPaid(failing.intent.id)).toBe(true);
});

it('money that reached only the caller is listed once, with the person, although no page searches for it', async () => {
  const terms = await openIntent(follower, caller.id);
  const changes = { memo: null, platformAddress: Keypair.generate().publicKey.toBase58() };
  const signature = await land(signPayment({ terms, payer, changes }));
  for (let minute = 0; minute < 25; minute += 1) await runMinute();
  expect(await query('SELECT signature, user_id FROM payment_orphans')).toEqual([
    { signature, user_id: follower.id },
  ]);
  expect(await query('SELECT 1 FROM unread_transactions')).toEqual([]);
});

it('an intent is searched for until a quarter of an hour after its end, and then costs nothing', async () => {
  await openIntent(follower, caller.id);
  const isQueued = async () =>
    (await query('SELECT 1 FROM payment_intents WHERE search_turn IS NOT NULL')).length > 0;
  for (let minute = 1; minute < 25; minute += 1) await runMinute();
  expect(await isQueued()).toBe(true);
  await runMinute();
  expect(await isQueued()).toBe(false);
  const { due } = await app.services.jobs.readState(app.clock.now());
  expect(due.map(({ job }) => job)).not.toContain('payments.search');
});
