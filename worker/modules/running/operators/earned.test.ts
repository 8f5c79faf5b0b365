import { beforeEach, expect, it, vi } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { expectRefusal } from '#test/responses.ts';
import { query } from '#test/database/database.ts';
import { createPaidCaller } from '#test/people/callers.ts';
import { createOperatedApp, factsOf, readConsole, readSection } from '#test/people/operators.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { pay } from '#test/payments/payments.ts';
import { control, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let operator: Person;
let caller: Person;
let month: string;

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  ({ app, operator } = await createOperatedApp());
  ({ caller } = await createPaidCaller(app, { fee: '0.5' }));
  month = new Date(app.clock.now()).toISOString().slice(0, 7);
});

const payOnce = async (handle: string) =>
  pay({ person: await app.signIn(handle), payer: await createFundedWallet(), callerId: caller.id });
/** The facts without their explanations. */
const commission = async (id: string) =>
  Object.fromEntries(
    Object.entries(factsOf(await readSection(operator, `earned/${id}`, 'Commission'))).map(
      ([name, value]) => [name, String(value).split(':')[0]],
    ),
  );
const answer = async () => (await readSection(operator, 'earned/all', 'Is every lamport explained?')).none;
const runChecks = async (days: number) => {
  for (let day = 0; day < days; day++) {
    await app.advance(DAY_MS);
    await app.runJobs('payments');
  }
};

it('what we earned this month is the commission of all granted payments, which the daily check compares a day later', async () => {
  await payOnce('first');
  await payOnce('second');
  const received = { Payments: '2', Received: '0.1 SOL' };
  const none = { 'In the ledger': '0 SOL', 'On the chain': '0 SOL', 'Not explained': '0 SOL' };
  expect(await answer()).toBe(
    `So far, yes. 2 payments of ${month} will be compared by the next daily checks: 0.1 SOL.`,
  );
  for (const id of ['all', month]) {
    expect(await commission(id)).toMatchObject({ ...received, ...none, 'Not compared yet': '0.1 SOL' });
  }
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
  await runChecks(2);
  operator = await app.signIn('operator');
  const compared = { 'In the ledger': '0.1 SOL', 'On the chain': '0.1 SOL', 'Not explained': '0 SOL' };
  for (const id of ['all', month]) {
    expect(await commission(id)).toMatchObject({ ...received, ...compared, 'Not compared yet': '0 SOL' });
  }
  expect(await answer()).toBe('Every lamport is explained.');
  expect((await readSection(operator, 'earned/all', 'Months')).rows).toMatchObject([
    {
      title: `${month}: 0.1 SOL from 2 payments`,
      text: 'Every lamport is explained.',
      links: [{ to: 'earned', id: month }],
    },
  ]);
});

it('a payment that a fork revokes is no longer earned', async () => {
  const { signature } = await payOnce('first');
  await payOnce('second');
  await control('POST', '/solana/forget', { signature });
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
  expect(await commission(month)).toMatchObject({ Payments: '1', Received: '0.05 SOL' });
});

it('a month names every lamport that isn’t explained, with the payment or transaction', async () => {
  const { signature } = await payOnce('first');
  const at = app.clock.now();
  await query(
    `UPDATE earned_months SET checked_payments = 1, ledger_lamports = 50000000, chain_lamports = 49999999`,
  );
  await query(
    `INSERT INTO ledger_checks (day, started_at, finished_at, problem_count, problems, dust_transfers, dust_lamports)
     VALUES (?, ?1, ?1, 1, ?, 2, 7)`.replaceAll('?1', String(at)),
    `${month}-15`,
    JSON.stringify([{ problem: 'payment.differs_from_chain', subject: signature }]),
  );
  await query(
    `INSERT INTO payment_orphans (signature, reason, payer_address, platform_lamports, slot, paid_at, found_at)
     VALUES ('lost', 'payments.missing_reference', 'stranger', 5000000, 1, ?, 1), ('old', 'payments.missing_reference', 'stranger', 3, 1, 1, 1)`,
    at,
  );
  const page = await readConsole(operator, `earned/${month}`);
  expect(page.sections[0]).toMatchObject({
    none: expect.stringContaining(`0.000000001 SOL of ${month} isn’t explained yet`) as string,
    problems: 1,
  });
  expect(await commission(month)).toMatchObject({
    'Not explained': '0.000000001 SOL',
    'Open orphans': '1, with 0.005 SOL to us',
    Dust: '2 transfers, 0.000000007 SOL',
  });
  expect((await readSection(operator, `earned/${month}`, 'What the daily checks found')).rows).toMatchObject([
    { title: '1 problem', links: [{ to: 'payment', id: signature }] },
  ]);
  expect((await readSection(operator, `earned/${month}`, 'Open orphans')).rows).toMatchObject([
    { title: '0.005 SOL to us', links: [{ to: 'payment', id: 'lost' }] },
  ]);
  expect(await commission('all')).toMatchObject({ 'Open orphans': '2, with 0.005000003 SOL to us' });
});

it('a month without payments is not found', async () => {
  for (const id of ['2020-01', '2020-99', 'else']) {
    await expectRefusal(operator.get(`/api/operators/earned/${id}`), 'operators.subject_not_found');
  }
});
