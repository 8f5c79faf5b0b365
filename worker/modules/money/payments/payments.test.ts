import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { ConfirmTransactionAnswer, SendTransactionAnswer } from '#schema/contracts/payments.ts';
import type { MySubscription, Subscription } from '#schema/contracts/subscriptions.ts';
import { expectRefusal, expectRefusalWithoutTrace, readAnswer } from '../../../test-support/answers.ts';
import { createCaller, createPaidCaller, proveWallet } from '../../../test-support/people/callers.ts';
import {
  balanceOf,
  createFundedWallet,
  rpc,
  SIGNATURE_FEE,
  toBase64,
} from '../../../test-support/payments/chain.ts';
import { query } from '../../../test-support/database/database.ts';
import {
  claimBody,
  land,
  openIntent,
  pay,
  send,
  settle,
  signPayment,
  walletExtras,
} from '../../../test-support/payments/payments.ts';
import {
  control,
  createTestApp,
  testEnv,
  type Person,
  type TestApp,
} from '../../../test-support/test-app.ts';

const FEE = 500_000_000n;
const CALLER_PART = 450_000_000n;
const PLATFORM_PART = 50_000_000n;

let app: TestApp;
let caller: Person;
let payout: Keypair;
let follower: Person;
let payer: Keypair;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller, payout } = await createPaidCaller(app, { fee: '0.5' }));
  follower = await app.signIn('follower');
  payer = await createFundedWallet();
});

const claim = (person: Person, body: unknown) => person.post('/api/subscriptions', body);
const periodsOf = (person: Person) =>
  query<{ starts_at: number; ends_at: number | null; payment_id: string | null }>(
    'SELECT starts_at, ends_at, payment_id FROM subscriptions WHERE subscriber_id = ? ORDER BY starts_at',
    person.id,
  );
const countPayments = async () => (await query('SELECT id FROM payments')).length;
const canReadCalls = async (person: Person) =>
  (await person.get(`/api/token-calls/caller/${caller.id}/active`)).status === 200;

describe('a payment', () => {
  // Specification 6.11, 9.1, 9.2, 9.4, 9.5
  it('moves exactly 90 and 10 percent on the chain and opens 30 days', async () => {
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
    expect(await canReadCalls(follower)).toBe(true);
    expect(
      await query('SELECT subscriber_count, earned_lamports FROM callers WHERE caller_id = ?', caller.id),
    ).toEqual([{ subscriber_count: 1, earned_lamports: Number(CALLER_PART) }]);
  });

  it('is honoured after the caller has become Free', async () => {
    const terms = await openIntent(follower, caller.id);
    const signature = await land(signPayment({ terms, payer }));
    await readAnswer(caller.patch('/api/user/caller-profile', { monthlyFee: null }));
    await settle(app);
    await readAnswer(claim(follower, claimBody({ terms, callerId: caller.id, signature })), 201);
    expect(await countPayments()).toBe(1);
  });

  it('extends the first period without gap or overlap when it is repeated', async () => {
    await pay({ person: follower, payer, callerId: caller.id });
    await app.advance(10 * DAY_MS);
    const { subscription } = await pay({ person: follower, payer, callerId: caller.id });
    const [first, second] = await periodsOf(follower);
    expect(second?.starts_at).toBe(first?.ends_at);
    expect((second?.ends_at ?? 0) - (first?.starts_at ?? 0)).toBe(2 * SUBSCRIPTION_PERIOD_MS);
    expect(subscription.status).toBe('active');
    await app.advance(45 * DAY_MS);
    expect(await canReadCalls(await app.signIn('follower'))).toBe(true);
    await app.advance(6 * DAY_MS);
    expect(await canReadCalls(await app.signIn('follower'))).toBe(false);
  });

  // Specification 4.8
  it('made after the last period ended opens a period that starts now', async () => {
    await pay({ person: follower, payer, callerId: caller.id });
    await app.advance(40 * DAY_MS);
    follower = await app.signIn('follower');
    expect(await canReadCalls(follower)).toBe(false);
    await pay({ person: follower, payer, callerId: caller.id });
    const [, second] = await periodsOf(follower);
    expect((second?.ends_at ?? 0) - app.clock.now()).toBe(SUBSCRIPTION_PERIOD_MS);
    expect(await canReadCalls(follower)).toBe(true);
  });

  it('returns the same signature when it is sent twice', async () => {
    const terms = await openIntent(follower, caller.id);
    const transaction = signPayment({ terms, payer });
    const first = await readAnswer<SendTransactionAnswer>(send(follower, transaction));
    await settle(app);
    const second = await readAnswer<SendTransactionAnswer>(send(follower, transaction));
    expect(second).toEqual(first);
    expect(await balanceOf(payer.publicKey.toBase58())).toBe(10_000_000_000n - FEE - SIGNATURE_FEE);
  });
});

describe('an unclaimed payment', () => {
  it('sent by our server gets exactly one subscription from the cron', async () => {
    const terms = await openIntent(follower, caller.id);
    await readAnswer(send(follower, signPayment({ terms, payer })));
    await settle(app);
    await app.runJobs('payments');
    expect(await canReadCalls(follower)).toBe(true);
    await app.runJobs('payments');
    expect(await countPayments()).toBe(1);
    const [mine] = await readAnswer<MySubscription[]>(follower.get('/api/subscriptions/my'));
    expect(mine).toMatchObject({ callerId: caller.id, isActive: true, amountPaid: '0.5' });
  });

  it('sent by the wallet is found by the cron within a day', async () => {
    const terms = await openIntent(follower, caller.id);
    await land(signPayment({ terms, payer }));
    await app.advance(23 * HOUR_MS);
    await app.runJobs('payments');
    expect(await canReadCalls(follower)).toBe(true);
  });

  it('sent by the wallet gets one period, although its signature is claimed again after the cron has found it', async () => {
    const terms = await openIntent(follower, caller.id);
    const signature = await land(signPayment({ terms, payer }));
    const body = claimBody({ terms, callerId: caller.id, signature });
    await app.advance(MINUTE_MS);
    await app.runJobs('payments');
    const found = await periodsOf(follower);
    expect(found).toHaveLength(1);
    const claimed = await readAnswer<Subscription>(claim(follower, body), 201);
    expect(claimed.payment?.transactionId).toBe(signature);
    await app.runJobs('payments');
    expect(await periodsOf(follower)).toEqual(found);
    expect(await countPayments()).toBe(1);
  });

  it('sent by the wallet is pending until the chain shows it, and its claim starts the period', async () => {
    const terms = await openIntent(follower, caller.id);
    const signed = signPayment({ terms, payer });
    const body = claimBody({ terms, callerId: caller.id, signature: bs58.encode(signed.subarray(1, 65)) });
    await readAnswer(claim(follower, body), 202);
    await land(signed);
    await settle(app);
    await readAnswer(claim(follower, body), 201);
    await app.advance(MINUTE_MS);
    await app.runJobs('payments');
    expect(await periodsOf(follower)).toHaveLength(1);
  });

  it('gets a separate period if the same intent was paid twice', async () => {
    const terms = await openIntent(follower, caller.id);
    await land(signPayment({ terms, payer }));
    await land(signPayment({ terms, payer, changes: walletExtras(payer) }));
    await app.advance(MINUTE_MS);
    await app.runJobs('payments');
    const periods = await periodsOf(follower);
    expect(periods).toHaveLength(2);
    expect(periods[1]?.starts_at).toBe(periods[0]?.ends_at);
  });

  it('gets its period from the cron although a second payment for its intent was claimed first', async () => {
    const terms = await openIntent(follower, caller.id);
    await readAnswer(send(follower, signPayment({ terms, payer })));
    const second = await land(signPayment({ terms, payer, changes: walletExtras(payer) }));
    await settle(app);
    await readAnswer(claim(follower, claimBody({ terms, callerId: caller.id, signature: second })), 201);
    expect(await countPayments()).toBe(1);
    await app.runJobs('payments');
    expect(await countPayments()).toBe(2);
  });

  it('is found by the cron although the cluster does not answer for another intent', async () => {
    const other = await app.signIn('other_follower');
    const terms = await openIntent(follower, caller.id);
    await openIntent(other, caller.id);
    await land(signPayment({ terms, payer }));
    await app.advance(MINUTE_MS);
    // The cron reads both intents at the same time, each up to four times. All reads but one fail, so one of
    // the intents gets no answer.
    await control('POST', '/faults', {
      service: 'solana',
      status: 503,
      path: 'getSignaturesForAddress',
      count: 2 * 4 - 1,
    });
    await app.runJobs('payments');
    await app.advance(MINUTE_MS);
    await app.runJobs('payments');
    expect(await canReadCalls(follower)).toBe(true);
  });
});

describe('claiming is rejected without changes when the transaction', () => {
  it('is not confirmed yet, and succeeds once it is', async () => {
    const terms = await openIntent(follower, caller.id);
    const transaction = signPayment({ terms, payer });
    const { result: signature } = await readAnswer<SendTransactionAnswer>(send(follower, transaction));
    const body = claimBody({ terms, callerId: caller.id, signature });
    await expectRefusalWithoutTrace(() => claim(follower, body), 'payments.pending');
    await settle(app);
    await readAnswer(claim(follower, body), 201);
  });

  it('cannot be read because the cluster is down, and succeeds later', async () => {
    const terms = await openIntent(follower, caller.id);
    const signature = await land(signPayment({ terms, payer }));
    await settle(app);
    const body = claimBody({ terms, callerId: caller.id, signature });
    await control('POST', '/faults', { service: 'solana', status: 503 });
    await expectRefusalWithoutTrace(() => claim(follower, body), 'chain.unavailable');
    await control('DELETE', '/faults');
    await control('POST', '/faults', { service: 'solana', drop: true });
    await expectRefusalWithoutTrace(() => claim(follower, body), 'chain.unavailable');
    await control('DELETE', '/faults');
    await readAnswer(claim(follower, body), 201);
  });
});

describe('sending is rejected without changes to chain or database when the transaction', () => {
  const expectUnsent = async (ask: () => Promise<Response>, code: ErrorCode) => {
    const wallets = [payer, payout].map(({ publicKey }) => publicKey.toBase58());
    const before = await Promise.all(wallets.map(balanceOf));
    await expectRefusalWithoutTrace(ask, code);
    expect(await Promise.all(wallets.map(balanceOf))).toEqual(before);
  };

  it('pays somebody else’s intent', async () => {
    const thief = await app.signIn('thief');
    const terms = await openIntent(follower, caller.id);
    await expectUnsent(() => send(thief, signPayment({ terms, payer })), 'payments.intent_missing');
  });

  it('is garbage, empty or unsigned', async () => {
    const terms = await openIntent(follower, caller.id);
    const signed = signPayment({ terms, payer });
    const unsigned = signed.slice();
    unsigned.fill(0, 1, 65);
    await expectUnsent(() => send(follower, unsigned), 'payments.transaction_invalid');
    await expectUnsent(() => send(follower, signed.slice(0, 100)), 'payments.transaction_invalid');
    await expectUnsent(
      () => follower.post('/api/solana/send-transaction', { transaction: btoa('hello there') }),
      'payments.transaction_invalid',
    );
    await expectUnsent(
      () => follower.post('/api/solana/send-transaction', { transaction: '' }),
      'request.invalid',
    );
    await expectUnsent(
      () => follower.post('/api/solana/send-transaction', { transaction: '§§§' }),
      'request.invalid',
    );
    await expectUnsent(
      () => follower.post('/api/solana/send-transaction', { transaction: toBase64(new Uint8Array(2_000)) }),
      'request.invalid',
    );
  });

  it('is sent while the cluster is down, and succeeds later', async () => {
    const terms = await openIntent(follower, caller.id);
    const transaction = signPayment({ terms, payer });
    await control('POST', '/faults', { service: 'solana', status: 503, path: 'sendTransaction' });
    const { message } = await expectRefusal(send(follower, transaction), 'chain.unavailable');
    expect(message).not.toContain('Nothing was changed');
    await control('DELETE', '/faults');
    await readAnswer(send(follower, transaction));
  });
});

describe('opening a payment is rejected and changes nothing', () => {
  const open = (person: Person, callerId: string) => () =>
    person.post('/api/solana/get-latest-blockhash', { callerId });

  it('if the caller is unknown', () =>
    expectRefusalWithoutTrace(open(follower, 'nobody'), 'callers.not_found'));
  it('if the payee is not a caller', () =>
    expectRefusalWithoutTrace(open(caller, follower.id), 'callers.not_found'));

  it('if the caller is Free', async () => {
    const free = await createCaller(app, 'free_caller');
    await expectRefusalWithoutTrace(open(follower, free.id), 'subscriptions.caller_is_free');
  });

  it('if the caller has no proven payout wallet', async () => {
    const walletless = await createCaller(app, 'walletless', '0.5');
    await walletless.post('/api/user/wallets', { walletAddress: payer.publicKey.toBase58() });
    await expectRefusalWithoutTrace(open(follower, walletless.id), 'payments.payout_wallet_missing');
  });

  it('if a transfer would leave an empty wallet under the rent-exempt minimum', async () => {
    const { caller: cheap } = await createPaidCaller(app, {
      handle: 'cheap',
      fee: '0.01',
      payout: await createFundedWallet(1),
    });
    await settle(app);
    await readAnswer(cheap.patch('/api/user/caller-profile', { monthlyFee: '0.0005' }));
    await readAnswer(open(follower, cheap.id)(), 201);
    const empty = Keypair.generate();
    await proveWallet(cheap, empty);
    const body = { monthlyFee: '0.0005', walletAddress: empty.publicKey.toBase58() };
    const { message } = await expectRefusalWithoutTrace(
      () => cheap.patch('/api/user/caller-profile', body),
      'payments.amount_under_rent',
    );
    expect(message).toContain('0.00044088 SOL');
  });

  it('if the payout wallet was emptied since the fee was set', async () => {
    const empty = Keypair.generate();
    const cheap = await createCaller(app, 'cheap_and_late', '0.01');
    await readAnswer(cheap.patch('/api/user/caller-profile', { monthlyFee: '0.0005' }));
    await proveWallet(cheap, empty);
    await expectRefusalWithoutTrace(open(follower, cheap.id), 'payments.amount_under_rent');
  });

  it('while the cluster is down', async () => {
    await control('POST', '/faults', { service: 'solana', status: 503 });
    await expectRefusalWithoutTrace(open(follower, caller.id), 'chain.unavailable');
  });
});

describe('confirming', () => {
  it('returns the signature’s state', async () => {
    const terms = await openIntent(follower, caller.id);
    const { result: signature } = await readAnswer<SendTransactionAnswer>(
      send(follower, signPayment({ terms, payer })),
    );
    const { result } = await readAnswer<ConfirmTransactionAnswer>(
      follower.post('/api/solana/confirm-transaction', { signature }),
    );
    expect(result.value).toEqual([{ err: null, confirmationStatus: 'confirmed' }]);
    await app.advance(MINUTE_MS);
    const later = await readAnswer<ConfirmTransactionAnswer>(
      follower.post('/api/solana/confirm-transaction', { signature }),
    );
    expect(later.result.value).toEqual([{ err: null, confirmationStatus: 'finalized' }]);
  });

  it('stays pending for an unknown transaction', async () => {
    const terms = await openIntent(follower, caller.id);
    const { result: signature } = await readAnswer<SendTransactionAnswer>(
      send(follower, signPayment({ terms, payer })),
    );
    await control('POST', '/solana/forget', { signature });
    await expectRefusal(follower.post('/api/solana/confirm-transaction', { signature }), 'payments.pending');
  });

  it('is rejected for other users, and for signatures that we did not send', async () => {
    const thief = await app.signIn('thief');
    const { signature } = await pay({ person: follower, payer, callerId: caller.id });
    await expectRefusal(
      thief.post('/api/solana/confirm-transaction', { signature }),
      'payments.intent_missing',
    );
    const foreign = await rpc<string>('requestAirdrop', payer.publicKey.toBase58(), 1_000_000);
    await expectRefusal(
      follower.post('/api/solana/confirm-transaction', { signature: foreign }),
      'payments.intent_missing',
    );
  });
});
