import { beforeEach, expect, it } from 'vitest';
import { SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { CSV_PAGE_SIZE, writeCsvRows } from '../../../app/csv.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { createCaller, createPaidCaller } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { insertPastPayments } from '#test/payments/past-payments.ts';
import { forget } from '#test/payments/payment-scene.ts';
import { pay } from '#test/payments/payments.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';

const HEADER =
  'Date (UTC),Signature,Explorer,Subscriber ID,Subscriber handle,Total SOL,Your SOL,Platform SOL,Your wallet,Days,Period start (UTC),Period end (UTC),Owed SOL,Refunded SOL,Earned SOL,Status\r\n';

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

const download = (caller: Person) => caller.get('/api/payments/earnings.csv');
const explorerUrlOf = (signature: string) => testEnv.EXPLORER_TX_URL.replace('{signature}', signature);
const isoOf = (time: number) => new Date(time).toISOString();

it('the CSV of earnings has one row per payment, oldest first, and escapes formulas', async () => {
  const { caller, payout } = await createPaidCaller(app, { fee: '0.5' });
  const follower = await app.signIn('follower');
  const other = await createCaller(app, 'other_caller');
  await query('UPDATE users SET twitter_handle = ? WHERE id = ?', '=PAY("now")', other.id);
  const first = await pay({ person: follower, callerId: caller.id });
  await app.advance(1_000);
  const second = await pay({ person: other, callerId: caller.id });
  await forget(second.signature);
  await app.advance(180_000);
  await app.runJobs('payments');

  const paidAt = new Map(
    (await query<{ signature: string; paid_at: number }>('SELECT signature, paid_at FROM payments')).map(
      (row) => [row.signature, isoOf(row.paid_at)],
    ),
  );
  const line = (
    { signature }: { signature: string },
    { id, handle }: { id: string; handle: string },
    end: string,
  ) =>
    `${paidAt.get(signature)},${signature},${explorerUrlOf(signature)},${id},${handle},0.5,0.45,0.05,${payout.publicKey.toBase58()},30,${end}\r\n`;
  const periodOf = ({ startDate, endDate }: Subscription) => `${startDate},${endDate}`;
  const expected = [
    HEADER,
    line(first, follower, `${periodOf(first.subscription)},,,0.45,finalized`),
    line(second, { id: other.id, handle: `"'=PAY(""now"")"` }, ',,,,,revoked'),
  ].join('');

  const response = await download(caller);
  expect(response.status).toBe(200);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(new TextEncoder().encode(expected));
});

it('the CSV of earnings is a download that must not be cached', async () => {
  const caller = await createCaller(app, 'caller');
  const response = await download(caller);
  expect(await response.text()).toBe(HEADER);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="solcallers-earnings-${isoOf(app.clock.now()).slice(0, 10)}.csv"`,
    'cache-control': 'private, no-store',
  });
  // An ETag would need the whole file before its first byte is sent.
  expect(response.headers.has('etag')).toBe(false);
});

it('the CSV of earnings has every payment once, even if many payments have equal times', async () => {
  const { caller } = await createPaidCaller(app);
  const follower = await app.signIn('follower');
  const from = app.clock.now();
  const made = await insertPastPayments({
    userId: follower.id,
    callerId: caller.id,
    count: 2 * CSV_PAGE_SIZE + 1,
    from,
    tie: 333,
  });
  const lines = made.map(({ signature, at, startsAt }) => {
    const period = `${isoOf(startsAt)},${isoOf(startsAt + SUBSCRIPTION_PERIOD_MS)}`;
    const payment = `${signature},${explorerUrlOf(signature)},${follower.id},follower,0.5,0.45,0.05,caller-wallet,30`;
    return `${isoOf(at)},${payment},${period},,,0.45,finalized\r\n`;
  });
  expect(await (await download(caller)).text()).toBe(HEADER + lines.join(''));
});

it.each([
  ['plain', 'plain'],
  ['', ''],
  ['0.5', '0.5'],
  ['a,b', '"a,b"'],
  ['say "so"', '"say ""so"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['\n=1', '"\'\n=1"'],
  ['=1,2', '"\'=1,2"'],
  ['a=1', 'a=1'],
])('writeCsvRows writes the cell %j as %j', (cell, written) => {
  expect(writeCsvRows([[cell, 'x']])).toBe(`${written},x\r\n`);
});
