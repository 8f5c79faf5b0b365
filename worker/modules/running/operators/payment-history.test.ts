import type { Keypair } from '@solana/web3.js';
import { beforeEach, expect, it, vi } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { OperatorsOverview, PaymentHistory } from '#schema/contracts/operators.ts';
import { readResponse } from '#test/responses.ts';
import { createPaidCaller } from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { query } from '#test/database/database.ts';
import { act, createOperatedApp } from '#test/people/operators.ts';
import { testEnv } from '#test/test-app.ts';
import { land, openIntent, pay, waitUntilConfirmed, signPayment } from '#test/payments/payments.ts';
import { openRefund, searchRefunds, signRefund } from '#test/payments/refunds.ts';
import { control, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let operator: Person;
let caller: Person;
let follower: Person;
let payout: Keypair;

beforeEach(async () => {
  // Orphans and revoked payments raise alarms.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  ({ app, operator } = await createOperatedApp());
  ({ caller, payout } = await createPaidCaller(app, { fee: '0.5' }));
  follower = await app.signIn('follower');
});

const find = (search: string) =>
  readResponse<PaymentHistory[]>(operator.get(`/api/operators/payments?search=${search}`));
const kindsOf = (payment: PaymentHistory | undefined) => payment?.events.map(({ kind }) => kind);
const payOnce = async () => {
  const payer = await createFundedWallet();
  const paid = await pay({ person: follower, payer, callerId: caller.id });
  return { ...paid, payer: payer.publicKey.toBase58() };
};

it('the payment history finds a payment by signature, reference or id, and lists its events, oldest first', async () => {
  const { terms, signature, payer } = await payOnce();
  const [payment] = await query<{ id: string }>('SELECT id FROM payments');
  const { id, reference, callerAddress, platformAddress } = terms.intent;
  for (const search of [signature, reference, id, payment?.id ?? '']) {
    expect(await find(search)).toMatchObject([
      {
        intent: {
          id,
          reference,
          subscriber: { id: follower.id, handle: 'follower' },
          caller: { id: caller.id, handle: 'paid_caller' },
          sol: '0.5',
          callerAddress,
          callerSol: '0.45',
          platformAddress,
          platformSol: '0.05',
        },
        events: expect.arrayContaining([
          expect.objectContaining({ kind: 'recorded', signature, note: `Paid from ${payer}` }),
        ]) as PaymentHistory['events'],
      },
    ]);
  }
  expect(await find('nothing')).toEqual([]);
  await app.advance(MINUTE_MS);
  await app.runJobs('payments', 'messages');
  const [settled] = await find(signature);
  expect(kindsOf(settled)).toEqual(['opened', 'signed', 'recorded', 'granted', 'landed', 'finalized']);
  const granted = settled?.events.find(({ kind }) => kind === 'granted');
  const explorerUrl = testEnv.EXPLORER_TX_URL.replace('{signature}', signature);
  expect(granted).toMatchObject({ signature, explorerUrl, slot: expect.any(Number) as number });
  expect(Date.parse(granted?.period?.endDate ?? '') - Date.parse(granted?.period?.startDate ?? '')).toBe(
    30 * DAY_MS,
  );
  expect(settled).toMatchObject({ state: 'finalized', access: granted?.period });
});

it('the payment history finds a person’s payments, newest first, each with its state and access', async () => {
  const { terms } = await payOnce();
  await app.advance(MINUTE_MS);
  const { intent: unreadable } = await openIntent(follower, caller.id);
  await query(
    `INSERT INTO payment_broadcasts (signature, intent_id, created_at, unreadable_at) VALUES ('newer', ?, 1, 2)`,
    unreadable.id,
  );
  await app.advance(MINUTE_MS);
  const { intent: opened } = await openIntent(await app.signIn('another'), caller.id);
  const found = (await find(follower.id)).map(({ intent, state, access }) => [
    intent?.id,
    state,
    access !== null,
  ]);
  expect(found).toEqual([
    [unreadable.id, 'unreadable', false],
    [terms.intent.id, 'granted', true],
  ]);
  expect(await find(opened.id)).toMatchObject([{ state: 'opened', access: null }]);
});

it('the payment history finds a refunded payment by its refund, and shows the refunded amount', async () => {
  const { signature } = await payOnce();
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
  const terms = await openRefund(caller, signature, payout);
  const refund = await land(signRefund({ terms, from: payout }));
  await app.advance(MINUTE_MS);
  await searchRefunds(app);
  for (const search of [refund, terms.refund.reference]) {
    const [payment] = await find(search);
    expect(payment?.events).toContainEqual(
      expect.objectContaining({ kind: 'paid_back', signature: refund, note: '0.5 SOL' }),
    );
    expect(kindsOf(payment)?.at(-1)).toBe('refunded');
  }
});

it('the payment history shows that a fork revoked a payment', async () => {
  const { signature } = await payOnce();
  await control('POST', '/solana/forget', { signature });
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
  expect(kindsOf((await find(signature))[0])).toContain('revoked');
});

it('the payment history shows an underpayment with its intent and an operator’s action', async () => {
  const terms = await openIntent(follower, caller.id);
  const changes = { platformLamports: 1_000_000n };
  const signature = await land(signPayment({ terms, payer: await createFundedWallet(), changes }));
  await waitUntilConfirmed(app);
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
  const overview = await readResponse<OperatorsOverview>(operator.get('/api/operators/overview'));
  expect(overview.problems.orphans).toMatchObject([
    { id: signature, text: expect.stringContaining('from @follower, ') as string },
  ]);
  await act(operator, { action: 'resolve_orphan', subjectId: signature, reason: 'Paid back.' });
  for (const search of [signature, terms.intent.reference, follower.id]) {
    const [payment] = await find(search);
    expect(payment).toMatchObject({ intent: { id: terms.intent.id }, state: 'resolved', access: null });
    expect(payment?.events).toMatchObject([
      { kind: 'opened' },
      {
        kind: 'orphaned',
        signature,
        note: expect.stringMatching(/0\.45 SOL to .*, 0\.001 SOL to the platform/) as string,
      },
      { kind: 'resolved', signature, note: 'Paid back.' },
    ]);
  }
});

it('the payment history shows a transfer that matches no intent', async () => {
  await query(
    `INSERT INTO payment_orphans (signature, reason, payer_address, platform_lamports, slot, paid_at, found_at)
    VALUES ('lost', 'payments.missing_reference', 'stranger', 5000000, 1, 1, 1)`,
  );
  expect(await find('lost')).toMatchObject([{ intent: null, events: [{ kind: 'orphaned' }] }]);
});

it('the payment history lists at most a person’s newest 20 intents and 100 signed transactions', async () => {
  await query(
    `INSERT INTO payment_intents (id, user_id, caller_id, reference, caller_address, platform_address,
       fee_lamports, days, total_lamports, caller_lamports, platform_lamports, created_at, expires_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
     SELECT 'intent ' || i, ?, ?, 'reference ' || i, 'a', 'b', 10, 30, 10, 9, 1, i, i + 1 FROM n`,
    follower.id,
    caller.id,
  );
  await query(
    `INSERT INTO payment_broadcasts (signature, intent_id, created_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
     SELECT 'signature ' || i, 'intent 50', i FROM n`,
  );
  const found = await find(follower.id);
  expect(found.map(({ intent }) => intent?.id)).toEqual(
    Array.from({ length: 20 }, (_, index) => `intent ${50 - index}`),
  );
  expect(kindsOf(found[0])?.filter((kind) => kind === 'signed')).toHaveLength(100);
});
