import { Keypair, PublicKey } from '@solana/web3.js';
import { beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createPaidCaller } from '#test/people/callers.ts';
import { createFundedWallet, rpc } from '#test/payments/chain.ts';
import { query } from '#test/database/database.ts';
import {
  createPaymentScene,
  forget,
  hasAccess,
  listLedger,
  listPeriods,
  settle,
} from '#test/payments/payment-scene.ts';
import {
  claimBody,
  waitUntilConfirmed,
  land,
  openIntent,
  pay,
  send,
  signPayment,
  type PaymentChanges,
} from '#test/payments/payments.ts';
import { testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { memo, transfer } from '#test/payments/transactions.ts';

let app: TestApp;
let caller: Person;
let follower: Person;
let payer: Keypair;
let errors: MockInstance<typeof console.error>;

beforeEach(async () => {
  errors = vi.spyOn(console, 'error').mockReturnValue();
  ({ app, caller, follower, payer } = await createPaymentScene());
});

const finalize = () => settle({ app });
const orphans = () =>
  query<{
    signature: string;
    reason: string;
    user_id: string | null;
    caller_parts: string;
    platform_lamports: number;
  }>('SELECT signature, reason, user_id, caller_parts, platform_lamports FROM payment_orphans');
const alarms = (kind = '') =>
  errors.mock.calls
    .map(([line]) => String(line))
    .filter((line) => line.includes('"event":"alarm"') && line.includes(kind));
/** Moves the intents' times, because the cluster's clock can't be wrong and it can't halt. */
const moveIntents = (change: string) =>
  testEnv.DB.batch(
    ['DROP TRIGGER payment_intents_update', `UPDATE payment_intents SET ${change}`].map((statement) =>
      testEnv.DB.prepare(statement),
    ),
  );
/** Lands a payment with changes, and runs the jobs when it's final. */
const landChanged = async (changes: PaymentChanges) => {
  const terms = await openIntent(follower, caller.id);
  const signature = await land(signPayment({ terms, payer, changes }));
  await waitUntilConfirmed(app);
  await app.runJobs('payments');
  expect(await orphans()).toEqual([]);
  await finalize();
  await app.runJobs('payments');
  return { signature, terms };
};

it('after a fork has removed a payment, the free 30 days after a new fee are counted from the fee change', async () => {
  const { signature } = await pay({ person: follower, payer, callerId: caller.id });
  for (const monthlyFee of [null, '0.5']) {
    await app.advance(1_000);
    await readResponse(caller.patch('/api/user/caller-profile', { monthlyFee }));
  }
  const graceEnd = app.clock.now() + SUBSCRIPTION_PERIOD_MS;
  await forget(signature);
  await finalize();
  expect(await listLedger()).toEqual(['granted', 'revoked']);
  expect(await listPeriods()).toMatchObject([{ ends_at: graceEnd, payment_id: null }]);
  expect(await hasAccess({ follower, caller })).toBe(true);
});

it('a payment that we sent in time buys its period even if the cluster’s clock is far behind', async () => {
  const terms = await openIntent(follower, caller.id);
  await readResponse(send(follower, signPayment({ terms, payer })));
  await moveIntents(`created_at = created_at + ${5 * MINUTE_MS}`);
  await finalize();
  expect(await listPeriods()).toHaveLength(1);
});

it('a payment that we sent in time buys its period even if the cluster halted for hours', async () => {
  const terms = await openIntent(follower, caller.id);
  const late = await openIntent(await app.signIn('another'), caller.id);
  const { result: sent } = await readResponse<{ result: string }>(
    send(follower, signPayment({ terms, payer })),
  );
  const unsent = await land(signPayment({ terms: late, payer: await createFundedWallet() }));
  await waitUntilConfirmed(app);
  await moveIntents(`expires_at = expires_at - ${5 * HOUR_MS}`);
  await app.runJobs('payments');
  expect(await query('SELECT signature FROM payments')).toEqual([{ signature: sent }]);
  await finalize();
  expect(await orphans()).toMatchObject([{ signature: unsent, reason: 'payments.outside_time_window' }]);
});

it('a finalized payment that buys nothing is listed once for operators, with its amounts and the reason', async () => {
  const { signature, terms } = await landChanged({ callerLamports: 449_999_999n });
  expect(await orphans()).toEqual([
    {
      signature,
      reason: 'payments.wrong_amount',
      user_id: follower.id,
      caller_parts: JSON.stringify([{ address: terms.intent.callerAddress, lamports: 449_999_999 }]),
      platform_lamports: 50_000_000,
    },
  ]);
  expect(alarms('payments.orphans')).toHaveLength(1);
});

it('a payment without a reference is listed with the amounts for the paid callers whose intents its memos name', async () => {
  const { caller: second } = await createPaidCaller(app, { handle: 'second_caller', fee: '0.7' });
  const { caller: unpaid } = await createPaidCaller(app, { handle: 'unpaid_caller', fee: '0.9' });
  const { intent: other } = await openIntent(follower, second.id);
  const { intent: unrelated } = await openIntent(await app.signIn('another'), unpaid.id);
  const part = transfer({
    from: payer.publicKey,
    to: new PublicKey(other.callerAddress),
    lamports: BigInt(other.callerLamports),
  });
  const after = [part, memo(unrelated.id), memo(other.id)];
  const { signature, terms } = await landChanged({ reference: null, after });
  expect(await orphans()).toMatchObject([
    { signature, reason: 'payments.missing_reference', user_id: follower.id, platform_lamports: 50_000_000 },
  ]);
  const [orphan] = await orphans();
  expect(JSON.parse(orphan?.caller_parts ?? '')).toEqual([
    { address: terms.intent.callerAddress, lamports: 450_000_000 },
    { address: other.callerAddress, lamports: 630_000_000 },
  ]);
});

it.each([
  ['caller', { platformAddress: Keypair.generate().publicKey.toBase58() }, [450_000_000], 0],
  ['platform', { callerAddress: Keypair.generate().publicKey.toBase58() }, [], 50_000_000],
])(
  'money that reached only the %s with an intent’s reference is listed once, with the person',
  async (_side, changes, callerLamports, platformLamports) => {
    const terms = await openIntent(follower, caller.id);
    const signature = await land(signPayment({ terms, payer, changes }));
    await waitUntilConfirmed(app);
    for (let searches = 0; searches < 2; searches += 1) {
      const search = follower.post('/api/solana/search-payment', { intentId: terms.intent.id });
      await expectRefusal(search, 'payments.wrong_recipient');
    }
    const claim = claimBody({ terms, callerId: caller.id, signature });
    await expectRefusal(follower.post('/api/subscriptions', claim), 'payments.wrong_recipient');
    for (let runs = 0; runs < 2; runs += 1) {
      await app.advance(11 * MINUTE_MS);
      await app.runJobs('payments');
    }
    const [orphan, ...others] = await orphans();
    expect(orphan).toMatchObject({ signature, user_id: follower.id, platform_lamports: platformLamports });
    const parts = JSON.parse(orphan?.caller_parts ?? '') as { lamports: number }[];
    expect(parts.map(({ lamports }) => lamports)).toEqual(callerLamports);
    expect(others).toEqual([]);
    expect(await query('SELECT 1 FROM unread_transactions')).toEqual([]);
  },
);

it('a payment with a copied memo is attributed to no user if the caller of the memo’s intent received nothing', async () => {
  await landChanged({ reference: null, callerAddress: Keypair.generate().publicKey.toBase58() });
  expect(await orphans()).toMatchObject([{ user_id: null, caller_parts: '[]' }]);
});

it('a finalized payment below 0.0001 SOL that buys nothing is counted instead of listed', async () => {
  await app.runJobs('payments');
  for (let lamports = 1; lamports <= 30; lamports++) {
    await rpc('requestAirdrop', testEnv.PLATFORM_WALLET, lamports);
  }
  await rpc('requestAirdrop', testEnv.PLATFORM_WALLET, 99_999);
  const real = await rpc<string>('requestAirdrop', testEnv.PLATFORM_WALLET, 100_000);
  // Each cron run reads twenty transfers.
  for (let run = 0; run < 2; run++) {
    await app.advance(MINUTE_MS);
    await app.runJobs('payments');
  }
  expect((await orphans()).map(({ signature }) => signature)).toEqual([real]);
  expect(
    await query('SELECT dust_transfers, dust_lamports FROM ledger_checks ORDER BY day DESC LIMIT 1'),
  ).toEqual([{ dust_transfers: 31, dust_lamports: 465 + 99_999 }]);
  expect(alarms()).toEqual([expect.stringContaining('"count":1')]);
});

it('the daily check reports wrong counters and a finalized payment that is missing on the chain', async () => {
  await app.runJobs('payments');
  const { signature } = await pay({ person: follower, payer, callerId: caller.id });
  await finalize();
  await forget(signature);
  await query('UPDATE callers SET earned_lamports = earned_lamports + 1');
  await app.advance(DAY_MS);
  await app.services.ledgerCheck.checkOncePerDay();
  const problems = [
    { problem: 'caller.counters', subject: caller.id },
    { problem: 'payment.not_on_chain', subject: signature },
  ];
  expect(await query('SELECT problem_count, problems FROM ledger_checks ORDER BY day DESC LIMIT 1')).toEqual([
    { problem_count: 2, problems: JSON.stringify(problems) },
  ]);
  expect(await listLedger()).toEqual(['granted', 'finalized']);
});

describe('payment records in the database', () => {
  const expectRejected = async (statement: string, ...values: unknown[]) => {
    const before = await query('SELECT * FROM payment_ledger');
    await expect(query(statement, ...values)).rejects.toThrow(
      /never|stays settled|cannot follow|in the payment ledger|goes only with|overlap|settled by|FOREIGN KEY/,
    );
    expect(await query('SELECT * FROM payment_ledger')).toEqual(before);
  };

  beforeEach(async () => {
    await pay({ person: follower, payer, callerId: caller.id });
  });

  const statements = [
    'UPDATE payments SET total_lamports = 1',
    'DELETE FROM payments',
    'UPDATE payment_ledger SET at = 1',
    'DELETE FROM payment_ledger',
    'UPDATE payment_intents SET caller_lamports = 1',
    'UPDATE payment_intents SET expires_at = 1',
    'DELETE FROM payment_intents',
    'UPDATE subscriptions SET ends_at = ends_at + 1',
    'UPDATE subscriptions SET caller_id = subscriber_id',
    'UPDATE subscriptions SET payment_id = NULL',
    'UPDATE subscriptions SET finalized_at = 1',
    'DELETE FROM subscriptions',
    "INSERT INTO payment_ledger (id, payment_id, kind, slot, starts_at, ends_at, at) SELECT 'x', id, 'granted', 1, 1, 2, 3 FROM payments",
    "INSERT OR REPLACE INTO payment_ledger (seq, id, payment_id, kind, starts_at, ends_at, at) SELECT seq, id, payment_id, 'moved', 1, 2, 3 FROM payment_ledger",
    "INSERT OR REPLACE INTO payment_intents (id, user_id, caller_id, reference, caller_address, platform_address, total_lamports, caller_lamports, platform_lamports, created_at, expires_at) SELECT id, user_id, caller_id, reference, 'x', platform_address, total_lamports, caller_lamports, platform_lamports, created_at, expires_at FROM payment_intents",
    "INSERT OR REPLACE INTO subscriptions (id, subscriber_id, caller_id, payment_id, starts_at, ends_at, status, created_at) SELECT id, subscriber_id, caller_id, NULL, 1, NULL, 'active', 1 FROM subscriptions",
    'DELETE FROM payment_broadcasts',
    "INSERT INTO subscriptions (id, subscriber_id, caller_id, payment_id, starts_at, ends_at, status, created_at) SELECT 'x', user_id, caller_id, id, 1, 2, 'active', 1 FROM payments",
  ];

  it('the database rejects statements that rewrite payments, intents, periods or the ledger', async () => {
    for (const statement of statements) await expectRejected(statement);
  });

  it('an INSERT OR REPLACE leaves a stored payment unchanged', async () => {
    const before = await query('SELECT * FROM payments');
    await query(
      "INSERT OR REPLACE INTO payments (id, signature, intent_id, user_id, caller_id, payer_address, total_lamports, caller_lamports, platform_lamports, slot, paid_at, created_at) SELECT id, signature, intent_id, user_id, caller_id, 'x', 10, 9, 1, slot, paid_at, created_at FROM payments",
    );
    expect(await query('SELECT * FROM payments')).toEqual(before);
  });

  it('the database rejects ledger entries that revoke a finalized payment or finalize a revoked payment', async () => {
    await finalize();
    await expectRejected('UPDATE subscriptions SET finalized_at = NULL');
    await expectRejected(
      "INSERT INTO payment_ledger (id, payment_id, kind, at) SELECT 'x', id, 'revoked', 1 FROM payments",
    );
    await app.advance(1_000);
    const { signature } = await pay({ person: follower, payer, callerId: caller.id });
    await forget(signature);
    await finalize();
    await expectRejected(
      "INSERT INTO payment_ledger (id, payment_id, kind, slot, at) SELECT 'x', id, 'finalized', 1, 1 FROM payments WHERE signature = ?",
      signature,
    );
  });
});
