import { beforeEach, expect, it, vi } from 'vitest';
import { CHAIN_VIEWS } from '#schema/constants/running.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { PERSON_PAYMENTS_SHOWN } from './person-payments.repository.ts';
import type { OperatorsOverview, PersonPayments, SignatureView } from '#schema/contracts/operators.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createCaller, createPaidCaller, makeCallWithTexts } from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { query } from '#test/database/database.ts';
import { act, createOperatedApp } from '#test/people/operators.ts';
import { waitUntilConfirmed, land, openIntent, pay, signPayment } from '#test/payments/payments.ts';
import { control, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let operator: Person;
let caller: Person;
let follower: Person;

beforeEach(async () => {
  ({ app, operator } = await createOperatedApp());
  ({ caller } = await createPaidCaller(app, { fee: '0.5' }));
  follower = await app.signIn('follower');
});

const paymentsOf = (id: string) =>
  readResponse<PersonPayments>(operator.get(`/api/operators/people/${id}/payments`));
const viewChain = (search: string) =>
  readResponse<SignatureView[]>(operator.get(`/api/operators/chain?search=${search}`));

it('operators see a person’s intents, payments and periods, newest first', async () => {
  const { terms, signature } = await pay({ person: follower, callerId: caller.id });
  await app.advance(DAY_MS);
  const free = await createCaller(app, 'free_caller');
  await readResponse(follower.post('/api/subscriptions/free', { callerId: free.id }), 201);
  const { intent } = await openIntent(follower, caller.id);
  const { intents, payments, periods } = await paymentsOf(follower.id);
  expect(intents).toMatchObject([
    {
      id: intent.id,
      reference: intent.reference,
      callerHandle: 'paid_caller',
      sol: '0.5',
      signature: null,
      isPaid: false,
    },
    { id: terms.intent.id, signature, isPaid: true },
  ]);
  expect(payments).toMatchObject([{ signature, callerHandle: 'paid_caller', sol: '0.5', state: 'granted' }]);
  expect(periods).toMatchObject([
    { callerHandle: 'free_caller', endDate: null, signature: null, isRunning: true },
    { callerHandle: 'paid_caller', endDate: expect.any(String) as string, signature, isRunning: true },
  ]);
  await app.advance(30 * DAY_MS);
  operator = await app.signIn('operator');
  expect((await paymentsOf(follower.id)).periods.map(({ isRunning }) => isRunning)).toEqual([true, false]);
  expect(await paymentsOf('nobody')).toEqual({ intents: [], payments: [], periods: [] });
});

it('operators see a person’s newest intents up to a limit', async () => {
  await query(
    `INSERT INTO payment_intents (id, user_id, caller_id, reference, caller_address, platform_address,
       total_lamports, caller_lamports, platform_lamports, created_at, expires_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
     SELECT 'intent ' || i, ?, ?, 'reference ' || i, 'a', 'b', 10, 9, 1, i, i + 1 FROM n`,
    follower.id,
    caller.id,
  );
  const { intents } = await paymentsOf(follower.id);
  expect(intents).toHaveLength(PERSON_PAYMENTS_SHOWN);
  expect(intents[0]?.id).toBe('intent 50');
});

it('operators see the status of a transaction at both RPC endpoints', async () => {
  const { signature } = await pay({ person: follower, callerId: caller.id });
  const seen = { status: 'finalized', slot: expect.any(Number) as number, error: null };
  await app.advance(MINUTE_MS);
  expect(await viewChain(signature)).toEqual([
    {
      signature,
      endpoints: [
        { endpoint: 'primary', ...seen },
        { endpoint: 'fallback', ...seen },
      ],
    },
  ]);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await control('POST', '/faults', { service: 'solana-fallback', status: 503 });
  expect((await viewChain(signature))[0]?.endpoints).toEqual([
    { endpoint: 'primary', ...seen },
    { endpoint: 'fallback', status: null, slot: null, error: null },
  ]);
});

it('operators find a payment that the wallet sent itself by its intent’s reference', async () => {
  const terms = await openIntent(follower, caller.id);
  expect(await viewChain(terms.intent.reference)).toEqual([]);
  const signature = await land(signPayment({ terms, payer: await createFundedWallet() }));
  await waitUntilConfirmed(app);
  expect(await viewChain(terms.intent.reference)).toMatchObject([{ signature }]);
});

it('an operator’s requests for the status of transactions are rate-limited', async () => {
  const unknown = '1'.repeat(64);
  for (let asked = 0; asked < CHAIN_VIEWS.burst; asked += 1) {
    expect((await viewChain(unknown))[0]?.endpoints[0]?.status).toBe('unknown');
  }
  const path = `/api/operators/chain?search=${unknown}`;
  await expectRefusal(operator.get(path), 'request.too_many');
  await app.advance(CHAIN_VIEWS.everyMs);
  await readResponse(operator.get(path));
});

it('operators see neither the texts nor the caller of a Paid caller’s active call', async () => {
  await pay({ person: follower, callerId: caller.id });
  const secrets = { thesis: 'SECRET thesis', message: 'SECRET update' };
  const { call, updateId } = await makeCallWithTexts({ caller, ...secrets });
  for (const [kind, id] of [
    ['call', call.id],
    ['update', updateId],
  ]) {
    await readResponse(follower.post('/api/reports', { kind, id, reason: 'scam', text: 'A scam.' }), 201);
  }
  expect(await readResponse(operator.get(`/api/operators/people?search=${call.id}`))).toEqual([]);
  const readReported = async () =>
    (await readResponse<OperatorsOverview>(operator.get('/api/operators/overview'))).reported;
  const withheld = { text: null, isWithheld: true };
  expect(await readReported()).toMatchObject([withheld, withheld]);
  await act(operator, { action: 'hide_text', kind: 'thesis', subjectId: call.id });
  await readResponse(caller.patch(`/api/token-calls/${call.id}/end`));
  const texts = (await readReported()).map(({ text, isWithheld }) => [text, isWithheld]);
  expect(texts.toSorted()).toEqual([
    ['SECRET thesis', false],
    ['SECRET update', false],
  ]);
});
