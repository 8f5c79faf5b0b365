import type { Keypair } from '@solana/web3.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_PAYOUT_CHANGES_SHOWN, PAYOUT_CHANGES_SHOWN_MS } from '#schema/constants/money.ts';
import { FRESH_SIGN_IN_MS } from '#schema/constants/people.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import type { PayoutChange, SavedWallet } from '#schema/contracts/wallets.ts';
import { createDatabase } from '../../../shared/database.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { createCaller, createPaidCaller, proveWallet } from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { createUsersRepository } from '../../people/users/users.repository.ts';
import { createWalletsRepository } from './wallets.repository.ts';

let app: TestApp;
let caller: Person;
let payout: Keypair;
let other: Keypair;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller, payout } = await createPaidCaller(app));
  other = await createFundedWallet(1);
  await proveWallet(caller, other);
});

const addressOf = ({ publicKey }: Keypair) => publicKey.toBase58();
const choose = (person: Person, wallet: Keypair, terms: object = {}) =>
  person.patch('/api/user/caller-profile', { walletAddress: addressOf(wallet), ...terms });
const idOf = async (person: Person, wallet: Keypair) =>
  (await readResponse<SavedWallet[]>(person.get('/api/user/wallets'))).find(
    ({ walletAddress }) => walletAddress === addressOf(wallet),
  )?.id ?? 'nothing';
const remove = async (person: Person, wallet: Keypair) =>
  person.delete(`/api/user/wallets/${await idOf(person, wallet)}`);
/** The session's sign-in is too old. */
const expectStale = (act: () => Promise<Response>) =>
  expectRefusalWithoutTrace(act, 'auth.fresh_sign_in_needed');
const payoutOf = async (person: Person) =>
  (await readResponse<CurrentUser>(person.get('/api/auth/user'))).walletAddress;
const changesOf = (person: Person) => readResponse<PayoutChange[]>(person.get('/api/user/payout-changes'));

describe('old sessions', () => {
  beforeEach(() => app.advance(FRESH_SIGN_IN_MS));

  it('a session older than fifteen minutes cannot change the payout wallet, even together with the fee', async () => {
    const { message } = await expectStale(() => choose(caller, other));
    expect(message).toBe(
      'To change your payout wallet, sign in again. Your sign-in is older than 15 minutes.',
    );
    await expectStale(() => choose(caller, other, { monthlyFee: '0.7' }));
    await expectStale(() => choose(caller, other, { monthlyFee: null }));
    expect(await payoutOf(caller)).toBe(addressOf(payout));
  });

  it('a session older than fifteen minutes is rejected for its age even while the cluster does not respond', async () => {
    await control('POST', '/faults', { service: 'solana', status: 503 });
    await expectStale(() => choose(caller, other));
  });

  it('a regularly used session older than fifteen minutes cannot change or remove the payout wallet', async () => {
    for (let day = 0; day < 40; day += 10) {
      await app.advance(10 * DAY_MS);
      await readResponse(caller.get('/api/auth/user'));
    }
    await expectStale(() => choose(caller, other));
    await expectStale(() => remove(caller, payout));
  });

  it('after a second sign-in, only the new session can change and remove the payout wallet', async () => {
    const again = await app.signIn(caller.handle);
    expect(again.id).toBe(caller.id);
    await expectStale(() => choose(caller, other));
    expect(await readResponse<CurrentUser>(choose(again, other))).toMatchObject({
      walletAddress: addressOf(other),
    });
    await expectStale(() => remove(caller, other));
    expect(await readResponse(remove(again, other))).toEqual({ removed: true });
    expect(await payoutOf(again)).toBeNull();
  });

  it('a session older than fifteen minutes can still add, prove and remove wallets other than the payout wallet', async () => {
    const third = await createFundedWallet(1);
    expect(await proveWallet(caller, third)).toMatchObject({ isProven: true, isPayout: false });
    await readResponse(remove(caller, third));
    await readResponse(remove(caller, other));
    expect(await readResponse<CurrentUser>(choose(caller, payout, { monthlyFee: '0.7' }))).toMatchObject({
      walletAddress: addressOf(payout),
      monthlyFee: '0.7',
    });
    expect(
      await readResponse<CurrentUser>(caller.patch('/api/user/caller-profile', { monthlyFee: '0.8' })),
    ).toMatchObject({ monthlyFee: '0.8' });
  });

  it('a session older than fifteen minutes can set the first payout wallet by proving a wallet', async () => {
    const newcomer = await createCaller(app, 'newcomer', '0.5');
    await app.advance(FRESH_SIGN_IN_MS);
    const first = await createFundedWallet(1);
    expect(await proveWallet(newcomer, first)).toMatchObject({ isPayout: true });
  });

  it('a session older than fifteen minutes cannot replace a removed payout wallet by choosing or proving another', async () => {
    const again = await app.signIn(caller.handle);
    await readResponse(remove(again, payout));
    await expectStale(() => choose(caller, other));
    const third = await createFundedWallet(1);
    expect(await proveWallet(caller, third)).toMatchObject({ isProven: true, isPayout: false });
    expect(await payoutOf(caller)).toBeNull();
    expect(await readResponse<CurrentUser>(choose(again, other))).toMatchObject({
      walletAddress: addressOf(other),
    });
  });
});

it('a sign-in permits changes of the payout wallet for fifteen minutes, to the millisecond', async () => {
  await app.advance(FRESH_SIGN_IN_MS - 1);
  await readResponse(choose(caller, other));
  await app.advance(1);
  await expectStale(() => choose(caller, payout));
});

it('concurrent changes of the payout wallet are applied one after the other or rejected', async () => {
  const wallets = [payout, other, ...(await Promise.all([1, 2, 3, 4].map(() => createFundedWallet(1))))];
  for (const wallet of wallets.slice(2)) await proveWallet(caller, wallet);
  const before = await changesOf(caller);
  const chosen = wallets.slice(1);
  const responses = await Promise.all([
    ...chosen.map((wallet) => choose(caller, wallet)),
    remove(caller, payout),
    remove(caller, other),
  ]);
  for (const response of responses) {
    if (response.status !== 200) {
      await expectRefusal(
        response,
        response.status === 409 ? 'wallets.payout_changed' : 'users.payout_wallet_unproven',
      );
    }
  }

  const rows = await query<{ old_address: string | null; new_address: string | null }>(
    'SELECT old_address, new_address FROM payout_changes WHERE caller_id = ? ORDER BY seq',
    caller.id,
  );
  expect(rows.length).toBeGreaterThan(before.length);
  for (const [index, row] of rows.entries()) {
    expect(row.old_address).toBe(index === 0 ? null : (rows[index - 1]?.new_address ?? null));
  }
  const now = await payoutOf(caller);
  expect(rows.at(-1)?.new_address).toBe(now);
  if (now !== null) {
    expect(
      await query(
        'SELECT 1 FROM wallets WHERE user_id = ? AND address = ? AND proven_at IS NOT NULL',
        caller.id,
        now,
      ),
    ).toHaveLength(1);
  }
});

it('a change of the payout wallet writes nothing if the payout wallet changed after the check', async () => {
  const now = app.clock.now();
  const db = createDatabase(testEnv.DB);
  const users = createUsersRepository(db);
  const wallets = createWalletsRepository(db);
  const before = await readDatabase();
  for (const from of [null, addressOf(other), 'x']) {
    expect(
      await users.updateTerms({
        callerId: caller.id,
        feeLamports: undefined,
        payout: { from, to: addressOf(other) },
        now,
      }),
    ).toBe(false);
  }
  // `mayBePayout: false` simulates a wallet that became the payout wallet after the service's check.
  expect(
    await wallets.remove({ id: await idOf(caller, payout), userId: caller.id, mayBePayout: false, now }),
  ).toBe(false);
  expect(await readDatabase()).toEqual(before);
  expect(
    await users.updateTerms({
      callerId: caller.id,
      feeLamports: undefined,
      payout: { from: addressOf(payout), to: addressOf(other) },
      now,
    }),
  ).toBe(true);
});

it('each change of the payout wallet is listed for its owner with both wallets and the time', async () => {
  const timestamps: string[] = [];
  const at = async (change: () => Promise<unknown>) => {
    await app.advance(MINUTE_MS);
    timestamps.push(new Date(app.clock.now()).toISOString());
    await change();
  };
  await at(async () => readResponse(choose(caller, other)));
  await at(async () => readResponse(remove(caller, other)));
  await at(async () => readResponse(choose(caller, payout)));
  const [first, ...rest] = (await changesOf(caller)).toReversed();
  expect(first).toMatchObject({ from: null, to: addressOf(payout) });
  expect(rest).toEqual([
    { from: addressOf(payout), to: addressOf(other), at: timestamps[0] },
    { from: addressOf(other), to: null, at: timestamps[1] },
    { from: null, to: addressOf(payout), at: timestamps[2] },
  ]);
});

it('changes of the fee or of another wallet are not recorded as changes of the payout wallet', async () => {
  const before = await changesOf(caller);
  await app.advance(MINUTE_MS);
  await readResponse(choose(caller, payout, { monthlyFee: '0.9' }));
  await readResponse(remove(caller, other));
  await expectRefusal(choose(caller, other), 'users.payout_wallet_unproven');
  expect(await changesOf(caller)).toEqual(before);
});

it('the database rejects a change of the payout wallet without its record', async () => {
  for (const address of [addressOf(other), null]) {
    const change = query('UPDATE callers SET payout_address = ? WHERE caller_id = ?', address, caller.id);
    await expect(change).rejects.toThrow('recorded first');
  }
});

it('changes of the payout wallet are listed for thirty days, newest first, up to a limit', async () => {
  const before = await changesOf(caller);
  expect(before).toHaveLength(1);
  await app.advance(PAYOUT_CHANGES_SHOWN_MS - 1);
  const later = await app.signIn(caller.handle);
  expect(await changesOf(later)).toEqual(before);
  await app.advance(1);
  expect(await changesOf(later)).toEqual([]);
  for (let count = 0; count <= MAX_PAYOUT_CHANGES_SHOWN; count += 1) {
    await app.advance(1_000);
    await readResponse(choose(later, count % 2 === 0 ? other : payout));
  }
  const many = await changesOf(later);
  expect(many).toHaveLength(MAX_PAYOUT_CHANGES_SHOWN);
  expect(many[0]).toEqual({
    from: addressOf(payout),
    to: addressOf(other),
    at: new Date(app.clock.now()).toISOString(),
  });
});
