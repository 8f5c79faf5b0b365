import type { Keypair } from '@solana/web3.js';
import { beforeEach, expect, it, vi } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { OperatorsSection } from '#schema/contracts/operators.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createPaidCaller } from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { query } from '#test/database/database.ts';
import {
  act,
  createOperatedApp,
  factsOf,
  readConsole,
  readSection,
  searchConsole,
} from '#test/people/operators.ts';
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

const find = async (search: string) => (await readConsole(operator, `payment/${search}`)).sections;
const eventsOf = (payment: OperatorsSection | undefined) => payment?.rows.map(({ title }) => title);
/** The rows of a person's page. */
const paymentsOf = async (id: string) =>
  (await readSection(operator, `person/${id}`, 'Subscriptions and payments')).rows;
const problemOf = async (signature: string) =>
  (await readSection(operator, 'now', 'Problems')).rows.find(({ id }) => id === signature);
const expectNothing = (search: string) =>
  expectRefusal(operator.get(`/api/operators/payment/${search}`), 'operators.subject_not_found');
const payOnce = async () => {
  const payer = await createFundedWallet();
  const paid = await pay({ person: follower, payer, callerId: caller.id });
  return { ...paid, payer: payer.publicKey.toBase58() };
};

it('the payment history finds a payment by signature, reference, wallet or id, and lists its events, oldest first', async () => {
  const { terms, signature, payer } = await payOnce();
  const [payment] = await query<{ id: string }>('SELECT id FROM payments');
  const { id, reference, callerAddress, platformAddress } = terms.intent;
  for (const search of [signature, reference, payer, id, payment?.id ?? '']) {
    const [found, ...others] = await find(search);
    expect([search, others]).toEqual([search, []]);
    if (!found) throw new Error('Nothing was found');
    expect(factsOf(found)).toMatchObject({
      Subscriber: { to: 'person', id: follower.id, text: '@follower' },
      Caller: { to: 'person', id: caller.id, text: '@paid_caller' },
      'To the caller': `0.45 SOL to ${callerAddress}`,
      Commission: `0.05 SOL to ${platformAddress}`,
      Reference: reference,
      Id: id,
    });
    expect(found.rows.find(({ title }) => title === 'Recorded')?.text).toMatch(`Paid from ${payer}\nSlot `);
  }
  expect((await paymentsOf(caller.id)).map((row) => row.id)).toEqual([id]);
  await expectNothing('nothing');
  expect(await searchConsole(operator, signature)).toMatchObject([
    { links: [{ to: 'payment', id }, {}, {}] },
  ]);
  await app.advance(MINUTE_MS);
  await app.runJobs('payments', 'messages');
  const [settled] = await find(signature);
  expect(settled?.title).toBe('0.5 SOL to @paid_caller: Settled');
  expect(eventsOf(settled)).toEqual(['Opened', 'Signed', 'Recorded', 'Period granted', 'Landed', 'Settled']);
  const granted = settled?.rows.find(({ title }) => title === 'Period granted');
  const explorerUrl = testEnv.EXPLORER_TX_URL.replace('{signature}', signature);
  expect(granted?.links).toEqual([{ to: 'explorer', id: explorerUrl, text: signature }]);
  const [start = '', end = ''] = granted?.text.split('\n')[0]?.replaceAll(' UTC', 'Z').split(' to ') ?? [];
  expect(Date.parse(end) - Date.parse(start)).toBe(30 * DAY_MS);
  expect(settled && factsOf(settled)).toMatchObject({ Access: granted?.text.split('\n')[0] });
});

it('a person’s page lists the payments, newest first, each with its state and access', async () => {
  await payOnce();
  await app.advance(MINUTE_MS);
  const { intent: unreadable } = await openIntent(follower, caller.id);
  await query(
    `INSERT INTO payment_broadcasts (signature, intent_id, created_at, unreadable_at) VALUES ('newer', ?1, ?2, ?2)`,
    unreadable.id,
    app.clock.now(),
  );
  await app.advance(MINUTE_MS);
  await openIntent(await app.signIn('another'), caller.id);
  const found = (await paymentsOf(follower.id)).map(({ title, text }) => [
    title,
    text.startsWith('Access: '),
  ]);
  expect(found).toEqual([
    ['0.5 SOL to @paid_caller: Landed, but can’t be read', false],
    ['0.5 SOL to @paid_caller: Period granted', true],
  ]);
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
    expect(payment?.rows.find(({ title }) => title === 'Paid back')?.text).toMatch(/^0\.5 SOL\n/);
    expect(eventsOf(payment)?.at(-1)).toBe('Refunded, period ended');
    expect(payment?.title).toBe('0.5 SOL to @paid_caller: Refunded, period ended');
  }
});

it('the payment history shows that a fork revoked a payment', async () => {
  const { signature } = await payOnce();
  await control('POST', '/solana/forget', { signature });
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
  expect(eventsOf((await find(signature))[0])).toContain('Revoked by a fork');
});

it('for a payment that is one lamport too little, the person’s page says in one sentence what was paid and what was due', async () => {
  const terms = await openIntent(follower, caller.id);
  const changes = { platformLamports: 49_999_999n };
  const signature = await land(signPayment({ terms, payer: await createFundedWallet(), changes }));
  await waitUntilConfirmed(app);
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
  const sentence =
    'Paid 0.45 SOL to the caller and 0.049999999 SOL to us, but 0.45 SOL to the caller and 0.05 SOL to us were due: 0.000000001 SOL too little, so it bought nothing.';
  const problem = await problemOf(signature);
  expect(problem).toMatchObject({
    title: '0.499999999 SOL that bought nothing, from @follower',
  });
  expect(problem?.text).toContain(sentence);
  expect(problem?.links).toContainEqual({ to: 'person', id: follower.id, text: '@follower' });
  const [shown] = await paymentsOf(follower.id);
  expect(shown).toMatchObject({
    title: '0.5 SOL to @paid_caller: Bought nothing: found as an orphan',
    text: sentence,
    actions: [{ action: 'resolve_orphan', subjectId: signature }],
  });
  await act(operator, { action: 'resolve_orphan', subjectId: signature, reason: 'Paid back.' });
  for (const search of [signature, terms.intent.reference, follower.id]) {
    const [payment] = await find(search);
    expect(eventsOf(payment)).toEqual(['Opened', 'Bought nothing: found as an orphan', 'Orphan resolved']);
    expect(payment?.rows[1]?.text).toContain(sentence);
    expect(payment?.rows[2]?.text).toBe('Paid back.');
    expect(payment && factsOf(payment)).toMatchObject({ Access: 'None' });
  }
});

it('a transfer that matches no intent names the person who saved the wallet that paid', async () => {
  const payer = (await createFundedWallet()).publicKey.toBase58();
  await readResponse(follower.post('/api/user/wallets', { walletAddress: payer }), 201);
  await query(
    `INSERT INTO payment_orphans (signature, reason, payer_address, platform_lamports, slot, paid_at, found_at)
    VALUES ('lost', 'payments.missing_reference', ?, 5000000, 1, 1, 1)`,
    payer,
  );
  for (const search of ['lost', payer]) {
    expect(await find(search)).toMatchObject([
      { title: 'A transaction that matches no payment: Bought nothing: found as an orphan', facts: [] },
    ]);
  }
  expect(await problemOf('lost')).toMatchObject({ title: '0.005 SOL that bought nothing, from @follower' });
});

it('the payment history lists at most a person’s newest 20 intents, and 200 events', async () => {
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
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
     SELECT 'signature ' || i, 'intent 50', i FROM n`,
  );
  expect((await paymentsOf(follower.id)).map(({ id }) => id)).toEqual(
    Array.from({ length: 20 }, (_, index) => `intent ${50 - index}`),
  );
  const [newest] = await find(follower.id);
  expect(eventsOf(newest)?.filter((title) => title === 'Signed')).toHaveLength(200);
});
