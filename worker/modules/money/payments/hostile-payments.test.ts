import { type PublicKey, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect, it } from 'vitest';
import {
  CHAIN_CLOCK_SKEW_MS,
  INTENT_LIFETIME_MS,
  MAX_LANDING_MS,
  MIN_ORPHAN_LAMPORTS,
} from '#schema/constants/money.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { OpenIntentResponse } from '#schema/contracts/payments.ts';
import type { PaidSubscriptionBody, Subscription } from '#schema/contracts/subscriptions.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { createPaidCaller } from '#test/people/callers.ts';
import { balanceOf, createFundedWallet, rpc } from '#test/payments/chain.ts';
import { query } from '#test/database/database.ts';
import { hostileTable, openEnvironment } from '#test/payments/hostile-table.ts';
import {
  mention,
  payment,
  platform,
  signFor,
  type HostileEnvironment,
} from '#test/payments/hostile-transactions.ts';
import {
  claimBody,
  waitUntilConfirmed,
  land,
  openIntent,
  pay,
  send,
  signPayment,
  walletExtras,
} from '#test/payments/payments.ts';
import { control, createTestApp, type Person } from '#test/test-app.ts';
import { memo, naming } from '#test/payments/transactions.ts';

const FINALITY_MS = 20_000;
/**
 * Error codes that come from the cluster. The product stores a broadcast with such an error as dead, so a
 * row is written although the request is refused.
 */
const chainCodes: readonly string[] = [
  'payments.insufficient_funds',
  'payments.blockhash_expired',
  'payments.rejected_by_chain',
];

const claim = (
  { terms, caller, follower }: HostileEnvironment,
  signature: string,
  person: Person = follower,
) => person.post('/api/subscriptions', claimBody({ terms, callerId: caller.id, signature }));
const canReadCalls = async ({ caller, follower }: HostileEnvironment, person: Person = follower) =>
  (await person.get(`/api/token-calls/caller/${caller.id}/active`)).status === 200;
const balances = ({ payout }: HostileEnvironment) =>
  Promise.all([payout, platform].map(({ publicKey }) => balanceOf(publicKey.toBase58())));
const payments = () => query('SELECT signature, user_id FROM payments');
const periods = () => query('SELECT subscriber_id, caller_id FROM subscriptions');
const orphans = () => query('SELECT signature, reason, platform_lamports FROM payment_orphans');
const signatureOf = (transaction: Uint8Array) =>
  bs58.encode(VersionedTransaction.deserialize(transaction).signatures[0] ?? new Uint8Array());

async function feePaidBy(address: PublicKey, signature: string): Promise<bigint> {
  const { meta, transaction } = await rpc<{
    meta: { fee: number };
    transaction: { message: { accountKeys: string[] } };
  }>('getTransaction', signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 1 });
  return transaction.message.accountKeys[0] === address.toBase58() ? BigInt(meta.fee) : 0n;
}

// Each test sends a transaction through the product, or directly to the chain if the product rejects it. Then
// the test claims the transaction. Once it is finalized, the cron processes it.
// Specification 9.3-9.5
it.each(hostileTable)(
  'a transaction that %s: sending gives %s, claiming gives %s',
  async (_name, sent, claimed, build, open) => {
    const app = await createTestApp();
    // The daily check starts at the platform wallet's newest signature.
    await app.advance(FINALITY_MS);
    await app.services.ledgerCheck.checkOncePerDay();
    const environment = await open(app);
    const { caller, payout, follower, terms } = environment;
    const transaction = await build(environment);
    const before = await balances(environment);

    if (sent === 'sent') await readResponse(send(follower, transaction));
    else {
      if (chainCodes.includes(sent)) await expectRefusal(send(follower, transaction), sent);
      else await expectRefusalWithoutTrace(() => send(follower, transaction), sent);
      expect(await balances(environment)).toEqual(before);
    }
    if (claimed === 'unlandable') {
      return expect(land(transaction, { skipPreflight: true })).rejects.toThrow(/too large|deserialize/);
    }
    const signature =
      sent === 'sent' ? signatureOf(transaction) : await land(transaction, { skipPreflight: true });
    await waitUntilConfirmed(app);
    const [callerGain = 0n, platformGain = 0n] = (await balances(environment)).map(
      (balance, index) => balance - (before[index] ?? 0n),
    );
    const isAccepted = claimed === 'accepted';
    if (isAccepted) {
      expect(await readResponse<Subscription>(claim(environment, signature), 201)).toMatchObject({
        subscriberId: follower.id,
        callerId: caller.id,
        isCurrentlyActive: true,
      });
      expect(callerGain + (await feePaidBy(payout.publicKey, signature))).toBeGreaterThanOrEqual(
        BigInt(terms.intent.callerLamports),
      );
      expect(platformGain + (await feePaidBy(platform.publicKey, signature))).toBeGreaterThanOrEqual(
        BigInt(terms.intent.platformLamports),
      );
    } else await expectRefusalWithoutTrace(() => claim(environment, signature), claimed);

    await app.advance(MINUTE_MS);
    await Promise.all([app.runJobs('payments'), app.runJobs('payments')]);
    if (claimed === 'payments.missing_reference') {
      // Only the daily check finds a transaction without a reference.
      await app.advance(DAY_MS);
      await app.runJobs('payments');
    }
    const received = [callerGain, platformGain]
      .filter((gain) => gain > 0n)
      .reduce((sum, gain) => sum + gain, 0n);
    // The platform walk reads only the platform wallet's transactions.
    const isListed = !isAccepted && platformGain > 0n && received >= MIN_ORPHAN_LAMPORTS;
    expect(await payments()).toEqual(isAccepted ? [{ signature, user_id: follower.id }] : []);
    expect(await periods()).toEqual(isAccepted ? [{ subscriber_id: follower.id, caller_id: caller.id }] : []);
    expect(await query('SELECT kind FROM payment_ledger ORDER BY seq')).toEqual(
      isAccepted ? [{ kind: 'granted' }, { kind: 'finalized' }] : [],
    );
    expect(await orphans()).toEqual(
      isListed ? [{ signature, reason: claimed, platform_lamports: Number(platformGain) }] : [],
    );
    expect(await canReadCalls(environment)).toBe(isAccepted);
    // No broadcast may still block the user from paying.
    expect(
      await query('SELECT signature FROM payment_broadcasts WHERE dead_at IS NULL AND landed_at IS NULL'),
    ).toEqual([]);
    if (sent === 'sent' && !isAccepted) {
      await app.advance(INTENT_LIFETIME_MS + MAX_LANDING_MS + CHAIN_CLOCK_SKEW_MS);
      await pay({ person: follower, callerId: caller.id });
    }
  },
);

it('a transaction that names two callers’ intents buys only the period whose price it pays', async () => {
  const app = await createTestApp();
  const environment = await openEnvironment(app);
  const { caller: other } = await createPaidCaller(app, { handle: 'other_caller', fee: '0.7' });
  const second = await openIntent(environment.follower, other.id);
  for (const checkedFirst of [environment.terms.intent.id, second.intent.id]) {
    await app.advance(1_000);
    const signature = await land(
      signFor(environment, [
        memo(checkedFirst),
        ...payment(environment),
        mention(environment, second.intent.reference),
      ]),
    );
    await app.advance(FINALITY_MS);
    await app.runJobs('payments');
    expect(await orphans()).toEqual([]);
    expect(await query('SELECT caller_id FROM payments WHERE signature = ?', signature)).toEqual([
      { caller_id: environment.caller.id },
    ]);
  }
});

it('a payment that names two users’ intents still belongs to the first claimant after a fork', async () => {
  const app = await createTestApp();
  const environment = await openEnvironment(app);
  const another = await app.signIn('another');
  const second = await openIntent(another, environment.caller.id);
  const transaction = signFor(
    environment,
    payment(environment).map((leg) => naming(leg, second.intent.reference)),
  );
  const signature = await land(transaction);
  await waitUntilConfirmed(app);
  await readResponse(claim(environment, signature), 201);
  await control('POST', '/solana/forget', { signature });
  await app.advance(FINALITY_MS);
  await app.runJobs('payments');
  expect(await periods()).toEqual([]);
  await land(transaction);
  await waitUntilConfirmed(app);
  await expectRefusalWithoutTrace(() => claim(environment, signature, another), 'payments.not_yours');
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
  expect(await periods()).toEqual([
    { subscriber_id: environment.follower.id, caller_id: environment.caller.id },
  ]);
});

it('a payment that names intents for two callers buys one period, even if both are claimed simultaneously', async () => {
  const app = await createTestApp();
  const environment = await openEnvironment(app);
  const { caller } = await createPaidCaller(app, { handle: 'same_wallet', payout: environment.payout });
  const other = { ...environment, caller, terms: await openIntent(environment.follower, caller.id) };
  const signature = await land(
    signFor(
      environment,
      payment(environment).map((leg) => naming(leg, other.terms.intent.reference)),
    ),
  );
  await waitUntilConfirmed(app);
  const responses = await Promise.all([claim(environment, signature), claim(other, signature)]);
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 422]);
  const bought = responses[0]?.status === 201 ? environment : other;
  expect(await periods()).toEqual([{ subscriber_id: environment.follower.id, caller_id: bought.caller.id }]);
  await expectRefusalWithoutTrace(
    () => claim(bought === environment ? other : environment, signature),
    'payments.amount_mismatch',
  );
});

const wrongs: readonly [
  name: string,
  code: ErrorCode,
  changes: Partial<Record<keyof PaidSubscriptionBody, unknown>>,
][] = [
  ['with ten decimals', 'payments.amount_mismatch', { monthlyFee: '0.5000000000' }],
  ['with an exponent', 'payments.amount_mismatch', { totalAmount: '5e-1' }],
  ['of an amount of forty digits', 'payments.amount_mismatch', { totalAmount: '9'.repeat(40) }],
  ['of an amount of 41 digits', 'request.invalid', { totalAmount: '9'.repeat(41) }],
  ['of amounts of 0', 'payments.amount_mismatch', { monthlyFee: '0', platformFee: '0', totalAmount: '0' }],
  ['without an amount', 'request.invalid', { monthlyFee: undefined }],
  ['of an empty amount', 'request.invalid', { monthlyFee: '' }],
  ['with a number as amount', 'request.invalid', { totalAmount: 0.5 }],
  ['of one lamport more', 'payments.amount_mismatch', { totalAmount: '0.500000001' }],
  ['with a wrong platform fee', 'payments.amount_mismatch', { platformFee: '0.049999999' }],
  ['with the platform’s fee added to the total', 'payments.amount_mismatch', { totalAmount: '0.55' }],
  ['for an unknown caller', 'payments.amount_mismatch', { callerId: 'nobody' }],
  ['for a caller id of 65 characters', 'request.invalid', { callerId: 'z'.repeat(65) }],
  [
    'of an unknown signature',
    'payments.pending',
    { transactionId: bs58.encode(crypto.getRandomValues(new Uint8Array(64))) },
  ],
  // base58.test.ts tests other forms of a signature.
  ['of a signature of 64 characters', 'request.invalid', { transactionId: '2'.repeat(64) }],
];

it('a claim with wrong values is rejected, and the payment can still be claimed correctly', async () => {
  const app = await createTestApp();
  const environment = await openEnvironment(app);
  const { caller, follower, payout, terms } = environment;
  const { caller: other } = await createPaidCaller(app, { handle: 'other_caller', fee: '0.5' });
  const [thief, signature] = [await app.signIn('thief'), await land(signPayment(environment))];
  const airdrop = await rpc<string>(
    'requestAirdrop',
    payout.publicKey.toBase58(),
    Number(terms.intent.callerLamports),
  );
  await waitUntilConfirmed(app);
  const body = claimBody({ terms, callerId: caller.id, signature });
  for (const [name, code, changes] of wrongs) {
    const { message } = await expectRefusalWithoutTrace(
      () => follower.post('/api/subscriptions', { ...body, ...changes }),
      code,
    );
    expect(message, name).not.toBe('');
  }
  const anonymous: Pick<Person, 'post'> = {
    post: (path, posted) => app.request(path, { method: 'POST', body: posted }),
  };
  const refusals: readonly [ErrorCode, Pick<Person, 'post'>, object?][] = [
    ['payments.amount_mismatch', follower, { callerId: other.id }],
    ['payments.amount_mismatch', follower, { callerId: follower.id }],
    ['payments.missing_reference', follower, { transactionId: airdrop }],
    ['payments.not_yours', thief],
    ['payments.not_yours', caller],
    ['auth.required', anonymous],
  ];
  for (const [code, person, changes] of refusals) {
    await expectRefusalWithoutTrace(() => person.post('/api/subscriptions', { ...body, ...changes }), code);
  }

  const period = await readResponse<Subscription>(
    follower.post('/api/subscriptions', { ...body, monthlyFee: '0.500000000' }),
    201,
  );
  expect(await readResponse<Subscription>(follower.post('/api/subscriptions', body), 201)).toEqual(period);
  await expectRefusalWithoutTrace(
    () => follower.post('/api/subscriptions', { ...body, callerId: other.id }),
    'payments.amount_mismatch',
  );
  await expectRefusalWithoutTrace(() => thief.post('/api/subscriptions', body), 'payments.not_yours');
  expect(await periods()).toEqual([{ subscriber_id: follower.id, caller_id: caller.id }]);
});

it('a second transaction for an intent is rejected while the first can still land and after the first has landed', async () => {
  const environment = await openEnvironment(await createTestApp());
  const { app, follower, payer } = environment;
  const again = signPayment({ ...environment, changes: walletExtras(payer) });
  await readResponse(send(follower, signPayment(environment)));
  await expectRefusalWithoutTrace(() => send(follower, again), 'payments.already_sent');
  await waitUntilConfirmed(app);
  await app.runJobs('payments');
  await expectRefusalWithoutTrace(() => send(follower, again), 'payments.intent_paid');
  expect(await payments()).toHaveLength(1);
});

it('the cron finds an unclaimed payment even if a stranger’s 25 later transactions have the same reference', async () => {
  const environment = await openEnvironment(await createTestApp());
  await land(signPayment(environment));
  const stranger = { ...environment, payer: await createFundedWallet() };
  for (let number = 0; number < 25; number++) {
    await land(
      signFor(stranger, [mention(stranger, environment.terms.intent.reference), memo(String(number))]),
    );
  }
  await environment.app.advance(MINUTE_MS);
  await environment.app.runJobs('payments');
  expect(await payments()).toHaveLength(1);
});

it('opening an intent returns the paying wallet’s balance', async () => {
  const { app, caller, follower } = await openEnvironment(await createTestApp());
  const poor = await createFundedWallet(0.25);
  await waitUntilConfirmed(app);
  const body = { callerId: caller.id, payerAddress: poor.publicKey.toBase58() };
  const response = await readResponse<OpenIntentResponse>(
    follower.post('/api/solana/get-latest-blockhash', body),
    201,
  );
  expect(response.payerLamports).toBe('250000000');
});
