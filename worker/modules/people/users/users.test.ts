import type { Keypair } from '@solana/web3.js';
import { beforeEach, expect, it } from 'vitest';
import { BIO_MAX_LENGTH } from '#schema/constants/people.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { createCaller, createPaidCaller, proveWallet } from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { query } from '#test/database/database.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let person: Person;

beforeEach(async () => {
  app = await createTestApp();
  person = await app.signIn('newcomer');
});

const apply = (subscriptionPrice: string) => person.post('/api/user/become-caller', { subscriptionPrice });
const setFee = (caller: Person, monthlyFee: string | null) =>
  caller.patch('/api/user/caller-profile', { monthlyFee });

// Specification 4.26, 5.6, 6.14
it('becoming a caller accepts the price “.5 SOL” as 0.5 SOL', async () => {
  expect(await readResponse<CurrentUser>(apply('.5 SOL'), 201)).toMatchObject({
    isCaller: true,
    monthlyFee: '0.5',
  });
});

// Specification 5.3, 9.8
it('becoming a caller is refused with an invalid price', async () => {
  for (const [price, code] of [
    ['0', 'users.fee_below_minimum'],
    ['0.009', 'users.fee_below_minimum'],
    ['1000001', 'users.fee_invalid'],
    ['x'.repeat(41), 'request.invalid'],
  ] as const) {
    await expectRefusalWithoutTrace(() => apply(price), code);
  }
});

it('becoming a caller succeeds for only one of eight simultaneous requests', async () => {
  const statuses = (await Promise.all(Array.from({ length: 8 }, () => apply('0.5')))).map(
    ({ status }) => status,
  );
  expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
  await expectRefusalWithoutTrace(() => apply(''), 'users.already_caller');
});

it('a user can become a Free caller while Solana is down, but not a Paid caller', async () => {
  await control('POST', '/faults', { service: 'solana', status: 503 });
  await expectRefusalWithoutTrace(() => apply('0.5'), 'chain.unavailable');
  await readResponse(apply(''), 201);
});

// Specification 6.18
it('the monthly fee can be changed to Free and back', async () => {
  const { caller } = await createPaidCaller(app);
  for (const fee of ['0.7', null, '0.01', '12.5']) {
    expect(await readResponse<CurrentUser>(setFee(caller, fee))).toMatchObject({ monthlyFee: fee });
  }
});

// Specification 5.9, 5.10
it('an invalid monthly fee is refused, and a fee of 0 with the specification’s message', async () => {
  const { caller } = await createPaidCaller(app);
  const { message } = await expectRefusalWithoutTrace(() => setFee(caller, '0'), 'users.fee_below_minimum');
  expect(message).toBe('Monthly fee must be greater than 0 SOL');
  for (const fee of ['', '1000000.1']) {
    await expectRefusalWithoutTrace(() => setFee(caller, fee), 'users.fee_invalid');
  }
});

// Specification 6.18
it('the monthly fee cannot be set by a user who is not a caller', () =>
  expectRefusalWithoutTrace(() => setFee(person, '0.5'), 'users.not_a_caller'));

it('a monthly fee is rejected if 7 days are too small to make an empty payout wallet rent-exempt', async () => {
  const { caller } = await createPaidCaller(app, { payout: await createFundedWallet(0) });
  const { message } = await expectRefusalWithoutTrace(
    () => setFee(caller, '0.0001'),
    'payments.amount_under_rent',
  );
  expect(message).toContain('0.000629239 SOL');
  await expectRefusalWithoutTrace(() => setFee(caller, '0.003096372'), 'payments.amount_under_rent');
  await readResponse(setFee(caller, '0.003096373'));
});

const choose = (caller: Person, wallet: Keypair) =>
  caller.patch('/api/user/caller-profile', { walletAddress: wallet.publicKey.toBase58() });

it('the payout wallet can be changed without changing the fee', async () => {
  const { caller } = await createPaidCaller(app);
  const wallet = await createFundedWallet(1);
  await proveWallet(caller, wallet);
  await readResponse(setFee(caller, '2'));
  expect(await readResponse<CurrentUser>(choose(caller, wallet))).toMatchObject({
    monthlyFee: '2',
    walletAddress: wallet.publicKey.toBase58(),
  });
  await readResponse(setFee(caller, null));
  expect(await readResponse<CurrentUser>(choose(caller, wallet))).toMatchObject({ monthlyFee: null });
});

it('an empty wallet is refused as payout wallet if the fee is too small to make it rent-exempt', async () => {
  const { caller } = await createPaidCaller(app, { fee: '0.01' });
  // Waits until the balance is confirmed.
  await app.advance(MINUTE_MS);
  await readResponse(setFee(caller, '0.0005'));
  const empty = await createFundedWallet(0);
  await proveWallet(caller, empty);
  await expectRefusalWithoutTrace(() => choose(caller, empty), 'payments.amount_under_rent');
});

it('a request that changes neither the fee nor the payout wallet is rejected', async () => {
  const { caller } = await createPaidCaller(app);
  const { message } = await expectRefusalWithoutTrace(
    () => caller.patch('/api/user/caller-profile', {}),
    'request.invalid',
  );
  expect(message).toBe('Send the new monthlyFee, sellsWeek or walletAddress.');
});

it('the bio is stored without white space around it, and a blank bio is stored as null', async () => {
  expect(
    await readResponse<CurrentUser>(person.patch('/api/user/profile', { bio: '  Hello\nthere  ' })),
  ).toMatchObject({ bio: 'Hello\nthere' });
  for (const bio of ['   ', '\u200B\u2060 \uFEFF']) {
    expect(await readResponse<CurrentUser>(person.patch('/api/user/profile', { bio }))).toMatchObject({
      bio: null,
    });
  }
});

// Specification 5.31, 9.13
it('the bio has at most 500 characters, counting an emoji as one', async () => {
  await readResponse(person.patch('/api/user/profile', { bio: '🪁'.repeat(BIO_MAX_LENGTH) }));
  await expectRefusalWithoutTrace(
    () => person.patch('/api/user/profile', { bio: 'x'.repeat(BIO_MAX_LENGTH + 1) }),
    'request.invalid',
  );
});

// Specification 6.23
it('a user can’t change another user’s bio by sending that user’s id', async () => {
  const other = await createCaller(app, 'other');
  await readResponse(person.patch('/api/user/profile', { bio: 'mine', id: other.id, userId: other.id }));
  expect(await query('SELECT bio FROM users WHERE id = ?', other.id)).toEqual([{ bio: null }]);
});
