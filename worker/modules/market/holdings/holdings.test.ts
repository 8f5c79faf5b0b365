import { Keypair, SystemProgram } from '@solana/web3.js';
import { beforeEach, expect, it } from 'vitest';
import { MAX_WALLETS_READ } from '#schema/constants/market.ts';
import { TRANSACTIONS_LIMIT } from '#schema/constants/money.ts';
import type { WalletBalance, WalletTransaction } from '#schema/contracts/wallets.ts';
import { shortenAddress } from '#schema/rules/text/format.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { proveWallet } from '#test/people/callers.ts';
import { createFundedWallet, LAMPORTS } from '#test/payments/chain.ts';
import { waitUntilConfirmed } from '#test/payments/payments.ts';
import { breakSources, endFaults } from '#test/price-sources.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';
import {
  issueToken,
  landInstructions,
  openAccount,
  sendTokens,
  type TestToken,
  wrapSol,
} from '#test/people/tokens.ts';

const BUYS = '/api/wallet/transactions';
const BALANCES = '/api/wallet/balances';
const PRICE = 0.25 * LAMPORTS;

let app: TestApp;
let person: Person;
let wallet: Keypair;
let token: TestToken;

beforeEach(async () => {
  app = await createTestApp();
  person = await app.signIn('buyer');
  wallet = await createFundedWallet();
  token = await issueToken({ issuer: await createFundedWallet(), supply: 1_000_000_000n, decimals: 5 });
});

const listBuys = (query = `?limit=${TRANSACTIONS_LIMIT}&type=buy`) =>
  readResponse<WalletTransaction[]>(person.get(`${BUYS}${query}`));
const listBalances = () => readResponse<WalletBalance[]>(person.get(BALANCES));

const open = (of = token, owner = wallet) =>
  openAccount({ token: of, owner: owner.publicKey, payer: wallet.publicKey });
const give = (amount: bigint, of = token, to = wallet) =>
  sendTokens({ token: of, from: of.issuer.publicKey, to: to.publicKey, amount });
const payIssuer = (lamports: number, from = wallet) =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: token.issuer.publicKey, lamports });

const buy = (amount: bigint, of = token) =>
  landInstructions([wallet, of.issuer], open(of), payIssuer(PRICE), give(amount, of));

it('a user’s buys are the swaps of their proven wallet, newest first', async () => {
  await proveWallet(person, wallet);
  const first = await buy(1_250_000n);
  await waitUntilConfirmed(app);
  const second = await buy(1n);
  await waitUntilConfirmed(app);
  const mint = token.mint.toBase58();
  const common = {
    tokenMint: mint,
    tokenSymbol: shortenAddress(mint),
    tokenName: 'Unknown Token',
    logoURI: null,
    transactionType: 'buy',
  };
  const buys = await listBuys();
  expect(buys).toEqual([
    { ...common, signature: second, amount: '0.00001', timestamp: expect.any(String) },
    { ...common, signature: first, amount: '12.5', timestamp: expect.any(String) },
  ]);
  for (const { timestamp } of buys) {
    expect(Math.abs(Date.parse(timestamp ?? '') - app.clock.now())).toBeLessThan(10_000);
  }
});

it('each transaction behind a user’s buys is read from the chain only once', async () => {
  await proveWallet(person, wallet);
  for (let amount = 1n; amount <= 27n; amount++) await buy(amount);
  await waitUntilConfirmed(app);
  const buys = await listBuys();
  expect(
    buys.map(({ amount }) => Math.round(Number(amount) * 10 ** token.decimals)).toSorted((a, b) => a - b),
  ).toEqual(Array.from({ length: 27 }, (_, index) => index + 1));
  await control('POST', '/faults', { service: 'solana', status: 500, path: 'getTransaction' });
  expect(await listBuys()).toEqual(buys);
});

// Specification 9.23
it('a user’s buys come only from the newest transactions, up to the limit', async () => {
  await proveWallet(person, wallet);
  await buy(5n);
  await waitUntilConfirmed(app);
  await landInstructions([wallet], payIssuer(1_000_000));
  await waitUntilConfirmed(app);
  expect(await listBuys('?limit=1')).toEqual([]);
  expect(await listBuys('?limit=2')).toHaveLength(1);
  expect(await listBuys('')).toHaveLength(1);
});

it('a user’s buys cover all proven wallets of the user and no others', async () => {
  const second = await createFundedWallet();
  await proveWallet(person, wallet);
  await proveWallet(person, second);
  await readResponse(
    person.post('/api/user/wallets', { walletAddress: token.issuer.publicKey.toBase58() }),
    201,
  );
  await buy(5n);
  await waitUntilConfirmed(app);
  await landInstructions(
    [second, token.issuer],
    openAccount({ token, owner: second.publicKey, payer: second.publicKey }),
    payIssuer(PRICE, second),
    give(6n, token, second),
  );
  await waitUntilConfirmed(app);
  expect((await listBuys()).map(({ amount }) => amount)).toEqual(['0.00006', '0.00005']);
  expect((await listBalances()).map(({ walletAddress }) => walletAddress).toSorted()).toEqual(
    [wallet, second].map(({ publicKey }) => publicKey.toBase58()).toSorted(),
  );
  const stranger = await app.signIn('stranger');
  expect(await readResponse(stranger.get(BUYS))).toEqual([]);
});

it('a user’s balances are SOL and tokens, as decimals and in smallest units', async () => {
  await proveWallet(person, wallet);
  const before = await listBalances();
  expect(before).toEqual([
    { walletAddress: wallet.publicKey.toBase58(), sol: '0', lamports: '0', tokens: [] },
  ]);
  await waitUntilConfirmed(app);
  expect(await listBalances()).toEqual([
    { walletAddress: wallet.publicKey.toBase58(), sol: '10', lamports: String(10 * LAMPORTS), tokens: [] },
  ]);
  await landInstructions(
    [token.issuer],
    openAccount({ token, owner: wallet.publicKey, payer: token.issuer.publicKey }),
    give(1_250_000n),
  );
  await waitUntilConfirmed(app);
  const [balance] = await listBalances();
  expect(balance?.tokens).toEqual([
    {
      tokenMint: token.mint.toBase58(),
      tokenSymbol: shortenAddress(token.mint.toBase58()),
      tokenName: 'Unknown Token',
      logoURI: null,
      amount: '12.5',
      rawAmount: '1250000',
      decimals: 5,
    },
  ]);
});

it('a user’s balances leave out tokens with a zero balance', async () => {
  await proveWallet(person, wallet);
  await landInstructions([wallet], open());
  await waitUntilConfirmed(app);
  expect(await listBalances()).toMatchObject([{ tokens: [] }]);
});

it('after the first list of balances, later lists send the price sources no request about an unknown token', async () => {
  await proveWallet(person, wallet);
  await landInstructions([wallet, token.issuer], open(), give(1n));
  await waitUntilConfirmed(app);
  await listBalances();
  await control('DELETE', '/requests');
  for (let request = 0; request < 3; request++) await listBalances();
  expect(await control('GET', '/requests')).toMatchObject({ count: 0 });
});

it('a user’s balances say “Unknown Token” while no price source responds', async () => {
  await proveWallet(person, wallet);
  await landInstructions([wallet], ...wrapSol(wallet.publicKey, PRICE));
  await waitUntilConfirmed(app);
  await breakSources({ status: 500 });
  expect((await listBalances())[0]?.tokens).toMatchObject([{ tokenName: 'Unknown Token', amount: '0.25' }]);
  await endFaults();
  expect((await listBalances())[0]?.tokens).toMatchObject([
    { tokenName: 'Wrapped SOL', logoURI: expect.stringMatching(/^\/api\/images\/tokens\//) },
  ]);
});

it.each([BUYS, BALANCES])('%s returns an empty list without a proven wallet', async (path) => {
  expect(await readResponse(person.get(path))).toEqual([]);
  await readResponse(person.post('/api/user/wallets', { walletAddress: wallet.publicKey.toBase58() }), 201);
  expect(await readResponse(person.get(path))).toEqual([]);
});

it.each([BUYS, BALANCES])('%s returns 502 when the chain is down', async (path) => {
  await proveWallet(person, wallet);
  await control('POST', '/faults', { service: 'solana', status: 500 });
  await expectRefusal(person.get(path), 'chain.unavailable');
});

it('the list of buys returns 502 if the chain lists a transaction but fails to return the transaction', async () => {
  await proveWallet(person, wallet);
  await buy(5n);
  await waitUntilConfirmed(app);
  await control('POST', '/faults', { service: 'solana', status: 500, path: 'getTransaction' });
  await expectRefusal(person.get(BUYS), 'chain.unavailable');
});

it('the list of balances reads at most MAX_WALLETS_READ of a user’s wallets', async () => {
  for (let count = 0; count <= MAX_WALLETS_READ; count++) {
    await app.advance(1_000);
    await proveWallet(person, Keypair.generate());
  }
  expect(await listBalances()).toHaveLength(MAX_WALLETS_READ);
});
