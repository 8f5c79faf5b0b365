import { type Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { BLOCKHASH_LIFETIME_MS, CHAIN_CLOCK_SKEW_MS, DAY_MS, INTENT_LIFETIME_MS, MINUTE_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants.ts';
import type { OpenIntentAnswer } from '#schema/contracts/payments.ts';
import { expectRefusal, expectRefusalWithoutTrace, readAnswer } from '../../test-support/answers.ts';
import { createPaidCaller } from '../../test-support/callers.ts';
import { createFundedWallet, rpc } from '../../test-support/chain.ts';
import { query } from '../../test-support/database.ts';
import { claimBody, land, openIntent, pay, send, settle, signPayment, walletExtras } from '../../test-support/payments.ts';
import { createTestApp, type Person, type TestApp } from '../../test-support/test-app.ts';

let app: TestApp;
let caller: Person;
let follower: Person;
let payer: Keypair;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { fee: '0.5' }));
  follower = await app.signIn('follower');
  payer = await createFundedWallet();
});

const countPayments = async () => (await query('SELECT id FROM payments')).length;
const claim = (terms: OpenIntentAnswer, signature: string) => follower.post('/api/subscriptions', claimBody({ terms, callerId: caller.id, signature }));

describe('an intent is no option on an old price', () => {
  it('what lands for it long after it has expired opens nothing, claimed or not', async () => {
    const terms = await openIntent(follower, caller.id);
    await caller.patch('/api/user/caller-profile', { monthlyFee: '5' });
    await app.advance(INTENT_LIFETIME_MS + BLOCKHASH_LIFETIME_MS + CHAIN_CLOCK_SKEW_MS + MINUTE_MS);
    const fresh = { ...terms, result: { value: await latestBlockhash() } };
    const late = await land(signPayment({ terms: fresh, payer }));
    await settle(app);
    await expectRefusalWithoutTrace(() => claim(terms, late), 'payments.outside_time_window');
    await app.runCron();
    expect(await countPayments()).toBe(0);
  });

  it('a second transaction for it is not sent while the first may land, nor once it has', async () => {
    const terms = await openIntent(follower, caller.id);
    const again = signPayment({ terms, payer, changes: walletExtras(payer) });
    await readAnswer(send(follower, signPayment({ terms, payer })));
    await expectRefusalWithoutTrace(() => send(follower, again), 'payments.already_sent');
    await settle(app);
    await app.runCron();
    await expectRefusalWithoutTrace(() => send(follower, again), 'payments.intent_paid');
    expect(await countPayments()).toBe(1);
  });

  it('of ten transactions for it at once one is sent', async () => {
    const terms = await openIntent(follower, caller.id);
    const wallets = await Promise.all(Array.from({ length: 10 }, () => createFundedWallet()));
    const statuses = await Promise.all(wallets.map(async (wallet) => (await send(follower, signPayment({ terms, payer: wallet }))).status));
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  });

  it('one that the cluster refused holds up no other', async () => {
    const terms = await openIntent(follower, caller.id);
    await expectRefusal(send(follower, signPayment({ terms, payer: await createFundedWallet(0.1) })), 'payments.insufficient_funds');
    await readAnswer(send(follower, signPayment({ terms, payer })));
  });
});

describe('a payment whose browser died', () => {
  it('is found however many strangers name its reference afterwards', async () => {
    const terms = await openIntent(follower, caller.id);
    await land(signPayment({ terms, payer }));
    const stranger = await createFundedWallet();
    for (let number = 0; number < 25; number++) await land(await nameReference(terms, stranger, number));
    await settle(app);
    await app.runCron();
    expect(await countPayments()).toBe(1);
  });

  it('is found for an intent that was paid and claimed before', async () => {
    const terms = await openIntent(follower, caller.id);
    const first = await land(signPayment({ terms, payer }));
    await settle(app);
    await readAnswer(claim(terms, first), 201);
    await land(signPayment({ terms, payer, changes: walletExtras(payer) }));
    await settle(app);
    await app.runCron();
    expect(await countPayments()).toBe(2);
  });
});

describe('what is sent', () => {
  it('with another’s signature leaves no trace, and does not squat on it', async () => {
    const terms = await openIntent(follower, caller.id);
    const genuine = signPayment({ terms, payer });
    const squatter = await app.signIn('squatter');
    const theirs = signPayment({ terms: await openIntent(squatter, caller.id), payer: await createFundedWallet() });
    theirs.set(genuine.slice(1, 65), 1);
    await expectRefusalWithoutTrace(() => send(squatter, theirs), 'payments.transaction_invalid');
    await readAnswer(send(follower, genuine));
  });

  it('and pays back from the payout wallet is refused before it is sent', async () => {
    const { caller: sly, payout } = await createPaidCaller(app, { handle: 'sly_caller', fee: '0.5' });
    const terms = await openIntent(follower, sly.id);
    const back = SystemProgram.transfer({ fromPubkey: payout.publicKey, toPubkey: payer.publicKey, lamports: 1 });
    const transaction = Transaction.from(signPayment({ terms, payer }));
    transaction.add(back);
    transaction.sign(payer, payout);
    await expectRefusalWithoutTrace(() => send(follower, new Uint8Array(transaction.serialize())), 'payments.money_flowed_back');
  });

  it('and names two payments is refused: it could be claimed for one of them only', async () => {
    const { caller: other } = await createPaidCaller(app, { handle: 'other_caller', fee: '0.5' });
    const terms = await openIntent(follower, caller.id);
    const second = await openIntent(follower, other.id);
    const transaction = Transaction.from(signPayment({ terms, payer }));
    transaction.add(...Transaction.from(signPayment({ terms: second, payer })).instructions);
    transaction.sign(payer);
    await expectRefusalWithoutTrace(() => send(follower, new Uint8Array(transaction.serialize())), 'payments.intent_missing');
  });
});

it.each(['1'.repeat(88), 'z'.repeat(88), '2'.repeat(64)])('a claim of %s is refused as no signature', async (transactionId) => {
  const terms = await openIntent(follower, caller.id);
  await expectRefusalWithoutTrace(() => claim(terms, transactionId), 'request.invalid');
});

it('the dialog learns what the paying wallet holds', async () => {
  const poor = await createFundedWallet(0.25);
  await settle(app);
  const answer = await readAnswer<OpenIntentAnswer>(
    follower.post('/api/solana/get-latest-blockhash', { callerId: caller.id, payerAddress: poor.publicKey.toBase58() }),
    201,
  );
  expect(answer.payerLamports).toBe('250000000');
});

it('turning Free and Paid again and again gives nobody more than the grace', async () => {
  const { subscription } = await pay({ person: follower, payer, callerId: caller.id });
  for (let round = 0; round < 3; round++) {
    await readAnswer(caller.patch('/api/user/caller-profile', { monthlyFee: null }));
    await readAnswer(caller.patch('/api/user/caller-profile', { monthlyFee: '0.5' }));
  }
  const [last] = await query<{ ends_at: number }>('SELECT MAX(ends_at) AS ends_at FROM subscriptions');
  expect(last?.ends_at).toBeLessThanOrEqual(app.clock.now() + SUBSCRIPTION_PERIOD_MS);
  expect(last?.ends_at).toBeGreaterThanOrEqual(Date.parse(subscription.endDate ?? ''));
  await app.advance(SUBSCRIPTION_PERIOD_MS + DAY_MS);
  expect((await follower.get(`/api/token-calls/caller/${caller.id}/active`)).status).toBe(403);
});

async function latestBlockhash(): Promise<{ blockhash: string; lastValidBlockHeight: number }> {
  const { value } = await rpc<{ value: { blockhash: string; lastValidBlockHeight: number } }>('getLatestBlockhash', { commitment: 'confirmed' });
  return value;
}

/** A stranger's transaction that moves a lamport to themselves and names the reference. */
async function nameReference({ intent }: OpenIntentAnswer, stranger: Keypair, number: number): Promise<Uint8Array> {
  const { blockhash, lastValidBlockHeight } = await latestBlockhash();
  const instruction = SystemProgram.transfer({ fromPubkey: stranger.publicKey, toPubkey: stranger.publicKey, lamports: number });
  instruction.keys.push({ pubkey: new PublicKey(intent.reference), isSigner: false, isWritable: false });
  const transaction = new Transaction({ feePayer: stranger.publicKey, blockhash, lastValidBlockHeight }).add(instruction);
  transaction.sign(stranger);
  return new Uint8Array(transaction.serialize());
}
