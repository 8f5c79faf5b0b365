import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { beforeEach, expect, it, vi } from 'vitest';
import { SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { OpenIntentResponse } from '#schema/contracts/payments.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { createCaller, createPaidCaller, proveWallet } from '#test/people/callers.ts';
import { balanceOf, rpc, SIGNATURE_FEE } from '#test/payments/chain.ts';
import { countersOf, createPaymentScene, hasAccess, listPeriods } from '#test/payments/payment-scene.ts';
import { platform } from '#test/payments/hostile-transactions.ts';
import { setPayout } from '#test/people/payout.ts';
import { claimBody, land, openIntent, pay, signPayment } from '#test/payments/payments.ts';
import { testEnv, type Person, type TestApp } from '#test/test-app.ts';

const FEE = 500_000_000n;
const CALLER_PART = 450_000_000n;
const PLATFORM_PART = 50_000_000n;

let app: TestApp;
let caller: Person;
let payout: Keypair;
let follower: Person;
let payer: Keypair;

beforeEach(async () => {
  ({ app, caller, payout, follower, payer } = await createPaymentScene());
});

// Specification 6.11, 9.1, 9.2, 9.4, 9.5
it('a payment moves exactly 90% to the caller and 10% to the platform, and gives 30 days of access', async () => {
  const wallets = [payout.publicKey.toBase58(), testEnv.PLATFORM_WALLET, payer.publicKey.toBase58()];
  const before = await Promise.all(wallets.map(balanceOf));
  const { signature, subscription } = await pay({ person: follower, payer, callerId: caller.id });
  const after = await Promise.all(wallets.map(balanceOf));

  expect(after.map((balance, index) => balance - (before[index] ?? 0n))).toEqual([
    CALLER_PART,
    PLATFORM_PART,
    -FEE - SIGNATURE_FEE,
  ]);
  expect(Date.parse(subscription.endDate ?? '') - Date.parse(subscription.startDate)).toBe(
    SUBSCRIPTION_PERIOD_MS,
  );
  expect(subscription).toMatchObject({
    subscriberId: follower.id,
    callerId: caller.id,
    status: 'active',
    isActive: true,
    isCurrentlyActive: true,
    amountPaid: '0.5',
    payment: { monthlyFee: '0.5', platformFee: '0.05', totalAmount: '0.5', transactionId: signature },
  });
  expect(await hasAccess({ follower, caller })).toBe(true);
  expect(await countersOf(caller)).toEqual({
    subscriber_count: 1,
    paying_count: 1,
    earned_lamports: Number(CALLER_PART),
  });
});

// Specification 4.8
it('a payment after a subscription has ended starts a new period immediately', async () => {
  await pay({ person: follower, payer, callerId: caller.id });
  await app.advance(40 * DAY_MS);
  follower = await app.signIn('follower');
  expect(await hasAccess({ follower, caller })).toBe(false);
  await pay({ person: follower, payer, callerId: caller.id });
  const [, second] = await listPeriods();
  expect((second?.ends_at ?? 0) - app.clock.now()).toBe(SUBSCRIPTION_PERIOD_MS);
  expect(await hasAccess({ follower, caller })).toBe(true);
});

it('a payment search finds a payment without a memo, but only for the user who opened the intent', async () => {
  const terms = await openIntent(follower, caller.id);
  const search = (person: Person) => person.post('/api/solana/search-payment', { intentId: terms.intent.id });
  await expectRefusal(search(follower), 'payments.pending');
  await land(signPayment({ terms, payer, changes: { memo: null } }));
  await app.advance(2 * SECOND_MS);
  await expectRefusal(search(await app.signIn('other_follower')), 'payments.intent_missing');
  const found = await readResponse<Subscription>(search(follower));
  expect(found).toMatchObject({ callerId: caller.id, isActive: true });
  expect(await hasAccess({ follower, caller })).toBe(true);
  expect(await readResponse<Subscription>(search(follower))).toEqual(found);
});

it('a payment is found by its intent, and a claim with any other signature changes nothing', async () => {
  const { signature: earlier, subscription } = await pay({ person: follower, payer, callerId: caller.id });
  const { signature: foreign } = await pay({ person: await app.signIn('other'), callerId: caller.id });
  const gift = await rpc<string>('requestAirdrop', payout.publicKey.toBase58(), Number(CALLER_PART));
  const unknown = bs58.encode(crypto.getRandomValues(new Uint8Array(64)));
  const terms = await openIntent(follower, caller.id);
  const search = () => follower.post('/api/solana/search-payment', { intentId: terms.intent.id });
  const claim = (signature: string) =>
    follower.post('/api/subscriptions', claimBody({ terms, callerId: caller.id, signature }));
  const claimOthers = async () => {
    expect(await readResponse<Subscription>(claim(earlier), 201)).toEqual(subscription);
    await expectRefusalWithoutTrace(() => claim(foreign), 'payments.not_yours');
    await expectRefusalWithoutTrace(() => claim(gift), 'payments.missing_reference');
    await expectRefusalWithoutTrace(() => claim(unknown), 'payments.pending');
    expect(await listPeriods()).toHaveLength(2);
  };
  await app.advance(2 * SECOND_MS);
  await claimOthers();
  await expectRefusal(search(), 'payments.pending');
  const transaction = signPayment({ terms, payer });
  const signature = await land(transaction);
  await land(transaction, { skipPreflight: true });
  await app.advance(2 * SECOND_MS);
  await claimOthers();
  const found = await readResponse<Subscription>(search());
  expect(found.payment).toMatchObject({ transactionId: signature, intentId: terms.intent.id });
  expect(await readResponse<Subscription>(claim(signature), 201)).toEqual(found);
  expect(await listPeriods()).toHaveLength(3);
});

it('a payment search says why a landed payment does not count, even if only its memo names the intent', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const search = ({ intent }: OpenIntentResponse) =>
    follower.post('/api/solana/search-payment', { intentId: intent.id });
  const underpaid = await openIntent(follower, caller.id);
  await land(signPayment({ terms: underpaid, payer, changes: { callerLamports: CALLER_PART - 1n } }));
  await app.advance(2 * SECOND_MS);
  await expectRefusal(search(underpaid), 'payments.wrong_amount');
  // A valid payment is found even after an invalid one was refused.
  await land(signPayment({ terms: underpaid, payer }));
  await app.advance(2 * SECOND_MS);
  expect(await readResponse<Subscription>(search(underpaid))).toMatchObject({ callerId: caller.id });
  const { caller: second } = await createPaidCaller(app, { handle: 'second_caller', fee: '0.7' });
  const unnamed = await openIntent(follower, second.id);
  await land(signPayment({ terms: unnamed, payer, changes: { reference: null } }));
  await app.advance(MINUTE_MS);
  await expectRefusal(search(unnamed), 'payments.pending');
  await app.runJobs('payments');
  await expectRefusal(search(unnamed), 'payments.missing_reference');
});

it('opening an intent is rejected and writes nothing if the caller cannot be paid', async () => {
  const free = await createCaller(app, 'free_caller');
  const walletless = await createCaller(app, 'walletless', '0.5');
  await walletless.post('/api/user/wallets', { walletAddress: payer.publicKey.toBase58() });
  // The fee is too small for a transfer to an empty payout wallet.
  const cheap = await createCaller(app, 'cheap_and_late', '0.01');
  await readResponse(cheap.patch('/api/user/caller-profile', { monthlyFee: '0.0005' }));
  await proveWallet(cheap, Keypair.generate());
  const refusals: [ErrorCode, Person, string][] = [
    ['callers.not_found', follower, 'nobody'],
    ['callers.not_found', caller, follower.id],
    ['subscriptions.self', caller, caller.id],
    ['subscriptions.caller_is_free', follower, free.id],
    ['payments.payout_wallet_missing', follower, walletless.id],
    ['payments.amount_under_rent', follower, cheap.id],
  ];
  for (const [code, person, callerId] of refusals) {
    const open = () => person.post('/api/solana/get-latest-blockhash', { callerId });
    await expectRefusalWithoutTrace(open, code);
  }
  await proveWallet(free, platform);
  const body = { monthlyFee: '1', walletAddress: testEnv.PLATFORM_WALLET };
  await expectRefusal(free.patch('/api/user/caller-profile', body), 'payments.payout_is_platform');
  await setPayout(testEnv.PLATFORM_WALLET, { at: app.clock.now() });
  await expectRefusal(
    follower.post('/api/solana/get-latest-blockhash', { callerId: caller.id }),
    'payments.payout_is_platform',
  );
});

it('only the payer can request a payment’s confirmation status, and only for a payment that we sent', async () => {
  const confirm = (person: Person, signature: string) =>
    person.post('/api/solana/confirm-transaction', { signature });
  const thief = await app.signIn('thief');
  const { signature } = await pay({ person: follower, payer, callerId: caller.id });
  for (const confirmationStatus of ['confirmed', 'finalized']) {
    expect(await readResponse(confirm(follower, signature))).toMatchObject({
      result: { value: [{ err: null, confirmationStatus }] },
    });
    await app.advance(MINUTE_MS);
  }
  await expectRefusal(confirm(thief, signature), 'payments.intent_missing');
  const foreign = await rpc<string>('requestAirdrop', payer.publicKey.toBase58(), 1_000_000);
  await expectRefusal(confirm(follower, foreign), 'payments.intent_missing');
});
