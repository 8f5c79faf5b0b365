import { Keypair } from '@solana/web3.js';
import { beforeEach, expect, it } from 'vitest';
import { MAX_WALLETS } from '#schema/constants/money.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import type { SavedWallet, WalletChallenge } from '#schema/contracts/wallets.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { createCaller, createPaidCaller, proveWallet } from '#test/people/callers.ts';
import { signMessage } from '#test/payments/chain.ts';
import { query } from '#test/database/database.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let person: Person;
let wallet: Keypair;
let walletAddress: string;

beforeEach(async () => {
  app = await createTestApp();
  person = await app.signIn('wallet_owner');
  wallet = Keypair.generate();
  walletAddress = wallet.publicKey.toBase58();
});

const challengeFor = (requester: Person, address = walletAddress) =>
  readResponse<WalletChallenge>(
    requester.post('/api/user/wallets/challenge', { walletAddress: address }),
    201,
  );
const save = (requester: Person, body: object) =>
  requester.post('/api/user/wallets', { walletAddress, ...body });
const listOf = (requester: Person) => readResponse<SavedWallet[]>(requester.get('/api/user/wallets'));

it('a wallet without a signature is saved as unproven, and can be proven later', async () => {
  const unproven = await readResponse<SavedWallet>(save(person, {}), 201);
  expect(unproven).toMatchObject({ isProven: false, isPayout: false });
  await expectRefusalWithoutTrace(() => save(person, {}), 'wallets.already_added');
  const proven = await proveWallet(person, wallet);
  expect(proven).toMatchObject({ id: unproven.id, isProven: true });
});

it('the first wallet that a caller proves becomes the payout wallet', async () => {
  const caller = await createCaller(app, 'caller', '0.5');
  expect(await proveWallet(caller, wallet)).toMatchObject({ isPayout: true });
  expect(await proveWallet(caller, Keypair.generate())).toMatchObject({ isPayout: false });
  expect(await readResponse<CurrentUser>(caller.get('/api/auth/user'))).toMatchObject({ walletAddress });
});

it('a wallet that was proven earlier becomes the payout wallet of a new caller', async () => {
  await proveWallet(person, wallet);
  expect(
    await readResponse<CurrentUser>(
      person.post('/api/user/become-caller', { subscriptionPrice: '0.5' }),
      201,
    ),
  ).toMatchObject({ walletAddress });
});

it('a wallet can be deleted only by its owner', async () => {
  const { id } = await proveWallet(person, wallet);
  const other = await app.signIn('other');
  await expectRefusalWithoutTrace(() => other.delete(`/api/user/wallets/${id}`), 'wallets.not_found');
  await expectRefusalWithoutTrace(() => person.delete('/api/user/wallets/nothing'), 'wallets.not_found');
  expect(await readResponse(person.delete(`/api/user/wallets/${id}`))).toEqual({ removed: true });
  await expectRefusalWithoutTrace(() => person.delete(`/api/user/wallets/${id}`), 'wallets.not_found');
  expect(await listOf(person)).toEqual([]);
});

it('a caller who deletes the payout wallet has none, and nobody can subscribe to that caller', async () => {
  const { caller } = await createPaidCaller(app);
  const follower = await app.signIn('follower');
  const [payout] = await listOf(caller);
  await readResponse(caller.delete(`/api/user/wallets/${payout?.id}`));
  expect(await readResponse<CurrentUser>(caller.get('/api/auth/user'))).toMatchObject({
    walletAddress: null,
  });
  expect(await readResponse<CallerProfile>(follower.get(`/api/callers/${caller.id}`))).toMatchObject({
    canBeSubscribed: false,
    payoutAddress: null,
  });
  await expectRefusal(
    follower.post('/api/solana/get-latest-blockhash', { callerId: caller.id }),
    'payments.payout_wallet_missing',
  );
});

it('a wallet saved by two accounts remains a caller’s payout wallet when the other account deletes it', async () => {
  const { caller, payout } = await createPaidCaller(app);
  const saved = await proveWallet(person, payout);
  await readResponse(person.delete(`/api/user/wallets/${saved.id}`));
  expect(await readResponse<CurrentUser>(caller.get('/api/auth/user'))).toMatchObject({
    walletAddress: payout.publicKey.toBase58(),
  });
});

it('only one of eight concurrent requests with the same signature saves the wallet', async () => {
  const { message } = await challengeFor(person);
  const signature = await signMessage(wallet, message);
  const statuses = (await Promise.all(Array.from({ length: 8 }, () => save(person, { signature })))).map(
    ({ status }) => status,
  );
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(await query('SELECT id FROM wallets')).toHaveLength(1);
});

it('a wallet address that is no public key is rejected', async () => {
  for (const path of ['/api/user/wallets', '/api/user/wallets/challenge']) {
    const save = () => person.post(path, { walletAddress: 'z'.repeat(44) });
    await expectRefusalWithoutTrace(save, 'request.invalid');
  }
});

const newAddress = () => Keypair.generate().publicKey.toBase58();

it('a user can save at most 20 wallets, proven or not, even with simultaneous requests', async () => {
  const requests = Array.from({ length: MAX_WALLETS + 4 }, () =>
    person.post('/api/user/wallets', { walletAddress: newAddress() }),
  );
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(MAX_WALLETS);
  const [first] = await listOf(person);
  await expectRefusalWithoutTrace(
    () => person.post('/api/user/wallets', { walletAddress: newAddress() }),
    'wallets.too_many',
  );
  await readResponse(person.delete(`/api/user/wallets/${first?.id}`));
  await proveWallet(person, wallet);
  expect(await listOf(person)).toHaveLength(MAX_WALLETS);
});

it('an unproven wallet cannot receive payments, not even if another user has proven it', async () => {
  const caller = await createCaller(app, 'caller', '0.5');
  const choose = () => caller.patch('/api/user/caller-profile', { monthlyFee: '0.5', walletAddress });
  await readResponse(save(caller, {}), 201);
  await expectRefusalWithoutTrace(choose, 'users.payout_wallet_unproven');
  await proveWallet(person, wallet);
  await expectRefusalWithoutTrace(choose, 'users.payout_wallet_unproven');
  expect(await readResponse<CurrentUser>(caller.get('/api/auth/user'))).toMatchObject({
    walletAddress: null,
  });
});

it('a challenge is no longer accepted after five newer challenges of the same address', async () => {
  const first = await challengeFor(person);
  for (let count = 0; count < 5; count += 1) {
    await app.advance(1_000);
    await challengeFor(person);
  }
  const stale = await signMessage(wallet, first.message);
  await expectRefusal(save(person, { signature: stale }), 'wallets.signature_invalid');
  const newest = await challengeFor(person);
  await readResponse(save(person, { signature: await signMessage(wallet, newest.message) }), 201);
});
