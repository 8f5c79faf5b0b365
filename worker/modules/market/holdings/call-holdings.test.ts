import { Keypair, SystemProgram, type PublicKey } from '@solana/web3.js';
import { beforeEach, describe, expect, inject, it, vi } from 'vitest';
import {
  HOLDINGS_AFTER_MS,
  HOLDINGS_DELAY_MS,
  HOLDINGS_MAX_ACCOUNTS_PER_WALLET,
  HOLDINGS_MAX_PAGES_PER_ACCOUNT,
  HOLDINGS_MAX_TRANSACTIONS,
} from '#schema/constants/market.ts';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { HOLDINGS_MAX_TRIES, HOLDINGS_RETRY_MS } from './call-holdings.service.ts';
import type { CallDetail, TokenCall } from '#schema/contracts/calls.ts';
import type { SavedWallet } from '#schema/contracts/wallets.ts';
import type { Movements } from '#schema/rules/calls/buys.ts';
import { readResponse } from '#test/responses.ts';
import { createCaller, endCall, makeCall, makeEndedCall, MINTS, proveWallet } from '#test/people/callers.ts';
import { createFundedWallet, LAMPORTS } from '#test/payments/chain.ts';
import { query } from '#test/database/database.ts';
import { interceptSolana } from '#test/payments/intercept-solana.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';
import {
  accountOf,
  closeTokenAccount,
  landInstructions,
  localToken,
  mintTokens,
  openAccount,
  openSpareAccount,
  sendBetween,
  sendTokens,
  TOKEN_PROGRAM,
} from '#test/people/tokens.ts';
import { readCallHoldings, type HoldingsChain } from './read-call-holdings.ts';

const DUST = inject('isDeep') ? 200 : 20;
/** A token that has a price, but no mint on the local chain. */
const UNKNOWN = Keypair.generate().publicKey.toBase58();

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

const readDue = async () => {
  await app.advance(HOLDINGS_DELAY_MS);
  return app.services.callHoldings.readDue();
};
const detail = (id: string, person?: Person) =>
  readResponse<CallDetail>(app.request(`/api/token-calls/${id}`, { cookie: person?.cookie }));

const recordSolPrice = (at: number, price: number) =>
  query('INSERT INTO price_closes (mint, at, price) VALUES (?, ?, ?)', WRAPPED_SOL_MINT, at, String(price));

describe('with a caller who has a funded wallet', () => {
  let caller: Person;
  let wallet: Keypair;
  const token = localToken({ mint: MINTS.WIF, decimals: 6 });

  const open = (owner = wallet) => openAccount({ token, owner: owner.publicKey, payer: wallet.publicKey });
  const transfer = (from: Keypair, to: Keypair, lamports: number) =>
    SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports });

  /** Buys for 0.5 SOL, or sells for 0.25 SOL. */
  const trade = async (amount: bigint, sold = 0n) => {
    const pool = token.issuer;
    const send = () => sendTokens({ token, from: wallet.publicKey, to: pool.publicKey, amount: sold });
    await landInstructions(
      [wallet, pool],
      open(),
      open(pool),
      ...(sold > 0n
        ? [send(), transfer(pool, wallet, LAMPORTS / 4)]
        : [transfer(wallet, pool, LAMPORTS / 2), mintTokens({ token, to: wallet.publicKey, amount })]),
    );
    await app.advance(MINUTE_MS);
  };

  beforeEach(async () => {
    caller = await createCaller(app, 'holder');
    wallet = await createFundedWallet();
    const funder = await createFundedWallet(10);
    await landInstructions([funder], transfer(funder, token.issuer, LAMPORTS));
  });

  it('a call shows its caller’s buys before it, and sales during it and within a day after its end', async () => {
    await recordSolPrice(app.clock.now(), 200);
    const saved = await proveWallet(caller, wallet);
    await trade(100_000_000n);
    const at = expect.any(String);
    const bought = { at, kind: 'bought', amount: '100', usd: 100 };
    const call = await makeCall({ caller, mint: MINTS.WIF, price: 1 });
    expect((await detail(call.id, caller)).holdings).toEqual({ readUntil: null, state: null, found: null });
    expect(await app.services.callHoldings.readDue()).toBe(0);
    expect(await readDue()).toBe(1);
    expect((await detail(call.id, caller)).holdings).toEqual({
      readUntil: at,
      state: 'complete',
      found: { heldBefore: '0', movements: [bought] },
    });

    // Removing the wallet during the call hides nothing.
    const { id } = (await readResponse<SavedWallet[]>(caller.get('/api/user/wallets')))[0] ?? saved;
    expect((await caller.delete(`/api/user/wallets/${id}`)).status).toBe(200);
    await trade(0n, 60_000_000n);
    await endCall({ caller, call, price: 1 });
    await trade(0n, 10_000_000n);
    expect(await readDue()).toBe(1);
    const sold = [
      { at, kind: 'sold', amount: '60', usd: 50 },
      { at, kind: 'sold', amount: '10', usd: 50 },
    ];
    const found = { heldBefore: '0', movements: [bought, ...sold] };
    expect((await detail(call.id)).holdings).toEqual({ readUntil: at, state: 'complete', found });
    expect(await readResponse(app.request(`/api/callers/${caller.id}/statistics`))).toMatchObject({
      holdings: { read: 1, bought: 1, sold: 1, medianFirstSaleMs: expect.any(Number) },
    });

    // Over an hour after the end, the token has no price. Movements under $20 at the last price are left out.
    await app.advance(2 * HOUR_MS);
    for (const amount of [21_000_000n, 1_000_000n]) {
      await landInstructions(
        [wallet],
        open(token.issuer),
        sendTokens({ token, from: wallet.publicKey, to: token.issuer.publicKey, amount }),
      );
      await app.advance(MINUTE_MS);
    }
    await app.advance(HOLDINGS_AFTER_MS);
    expect(await readDue()).toBe(1);
    expect((await detail(call.id)).holdings?.found).toEqual({
      ...found,
      movements: [...found.movements, { at, kind: 'sent', amount: '21', usd: null }],
    });
    const [row] = await query('SELECT wallets, due_at FROM call_holdings');
    expect(row).toEqual({ wallets: '[]', due_at: null });
  });

  it('the holdings of a call include all accounts of all wallets, but no transfers between these accounts', async () => {
    await recordSolPrice(app.clock.now(), 200);
    const [other, spare] = [await createFundedWallet(), Keypair.generate()];
    await proveWallet(caller, wallet);
    await proveWallet(caller, other);
    const [pool, program] = [token.issuer, token.program];
    const main = accountOf(token, wallet.publicKey);
    const accountOfOther = accountOf(token, other.publicKey);
    const move = (from: PublicKey, to: PublicKey, amount: bigint, owner = wallet.publicKey) =>
      sendBetween({ program, from, to, owner, amount });
    const close = (account: PublicKey) => closeTokenAccount({ program, account, owner: wallet.publicKey });
    await trade(100_000_000n);
    await landInstructions(
      [wallet, spare],
      open(other),
      move(main, accountOfOther, 30_000_000n),
      ...openSpareAccount({ token, owner: wallet.publicKey, account: spare.publicKey }),
      move(main, spare.publicKey, 70_000_000n),
      close(main),
    );
    await app.advance(2 * HOUR_MS);
    const call = await makeCall({ caller, mint: MINTS.WIF, price: 1 });
    await landInstructions(
      [wallet],
      open(),
      move(spare.publicKey, main, 70_000_000n),
      close(spare.publicKey),
    );
    for (const [signer, from] of [
      [wallet, main],
      [other, accountOfOther],
    ] as const) {
      await landInstructions(
        [signer, pool],
        move(from, accountOf(token, pool.publicKey), 25_000_000n, signer.publicKey),
        transfer(pool, signer, LAMPORTS / 8),
      );
      await app.advance(MINUTE_MS);
    }
    await landInstructions([wallet], move(main, accountOfOther, 900_000_000n));
    await landInstructions([wallet], move(main, accountOfOther, 20_000_000n));
    await app.advance(MINUTE_MS);
    expect(await readDue()).toBe(1);
    const sold = { at: expect.any(String), kind: 'sold', amount: '25', usd: 25 };
    expect((await detail(call.id, caller)).holdings).toMatchObject({
      state: 'complete',
      found: { heldBefore: '100', movements: [sold, sold] },
    });
  });

  it('the holdings of a call show a buy even among many transfers of dust', async () => {
    await recordSolPrice(app.clock.now(), 200);
    await proveWallet(caller, wallet);
    await trade(100_000_000n);
    for (let number = 0; number < DUST; number++) {
      await landInstructions(
        [token.issuer],
        mintTokens({ token, to: wallet.publicKey, amount: BigInt(1 + number) }),
      );
    }
    await app.advance(MINUTE_MS);
    const call = await makeCall({ caller, mint: MINTS.WIF, price: 1 });
    expect(await readDue()).toBe(1);
    expect((await detail(call.id, caller)).holdings).toMatchObject({
      state: 'complete',
      found: { heldBefore: '0', movements: [{ kind: 'bought', usd: 100 }] },
    });
  });

  it('the holdings of a call say “no_wallet” if its caller verifies a wallet only after the end', async () => {
    const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
    await app.advance(MINUTE_MS);
    await endCall({ caller, call, price: 3 });
    await app.advance(1);
    await proveWallet(caller, wallet);
    const requests = interceptSolana();
    expect(await readDue()).toBe(1);
    expect(requests).toEqual([]);
    expect((await detail(call.id)).holdings).toMatchObject({ state: 'no_wallet', found: null });
  });

  it('the holdings of a call include a wallet that was verified during the call', async () => {
    const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
    await app.advance(MINUTE_MS);
    await proveWallet(caller, wallet);
    await endCall({ caller, call, price: 3 });
    await readDue();
    expect((await detail(call.id)).holdings).toMatchObject({ state: 'complete', found: { heldBefore: '0' } });
  });

  const endedWithWallet = async (): Promise<TokenCall> => {
    await proveWallet(caller, wallet);
    await trade(1_000_000n);
    const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
    await app.advance(MINUTE_MS);
    return endCall({ caller, call, price: 3 });
  };

  it('the holdings of a call are read again after a delay if the chain was down', async () => {
    const call = await endedWithWallet();
    await control('POST', '/faults', { service: 'solana', status: 500 });
    await expect(readDue()).rejects.toThrow('chain is unavailable');
    await control('DELETE', '/faults');
    expect(await app.services.callHoldings.readDue()).toBe(0);
    await app.advance(HOLDINGS_RETRY_MS);
    expect(await readDue()).toBe(1);
    expect((await detail(call.id)).holdings).toMatchObject({ state: 'complete', found: { heldBefore: '0' } });
  });

  it('the holdings of a call are “unread” if the chain is down at every attempt', async () => {
    const call = await endedWithWallet();
    await control('POST', '/faults', { service: 'solana', status: 500 });
    for (let number = 0; number < HOLDINGS_MAX_TRIES; number++) {
      await expect(readDue()).rejects.toThrow('chain is unavailable');
      await app.advance(HOLDINGS_RETRY_MS * 2 ** number);
    }
    expect(await readDue()).toBe(1);
    await control('DELETE', '/faults');
    expect((await detail(call.id)).holdings).toEqual({
      readUntil: expect.any(String),
      state: 'unread',
      found: null,
    });
  });

  it('the holdings of a call are complete and zero if the chain does not know the mint', async () => {
    await proveWallet(caller, wallet);
    // The mint existed while the call was active.
    const owner = TOKEN_PROGRAM.toBase58();
    const mintAccount = { owner, data: ['', 'base64'], lamports: 1, executable: false, rentEpoch: 0 };
    interceptSolana(({ method }, result) =>
      method === 'getMultipleAccounts' ? { ...Object(result), value: [mintAccount] } : result,
    );
    const call = await makeEndedCall({ caller, mint: UNKNOWN, from: 2, to: 3 });
    vi.restoreAllMocks();
    expect(await readDue()).toBe(1);
    expect((await detail(call.id)).holdings).toMatchObject({ state: 'complete', found: { heldBefore: '0' } });
  });

  it('the holdings of a call are “partial” if all attempts to read a transaction fail', async () => {
    const call = await endedWithWallet();
    interceptSolana(({ method }, result) => (method === 'getTransaction' ? null : result));
    for (let number = 0; number < HOLDINGS_MAX_TRIES; number++) {
      expect(await readDue()).toBe(1);
      expect((await detail(call.id)).holdings).toEqual({ readUntil: null, state: null, found: null });
      await app.advance(HOLDINGS_RETRY_MS * 2 ** number);
    }
    expect(await readDue()).toBe(1);
    expect((await detail(call.id)).holdings).toMatchObject({
      state: 'partial',
      found: { heldBefore: null, movements: [] },
    });
  });

  it('the holdings of a call can’t be changed or deleted after the last reading', async () => {
    const { id } = await endedWithWallet();
    await app.advance(HOLDINGS_AFTER_MS);
    await readDue();
    await expect(query("UPDATE call_holdings SET found = '{}' WHERE call_id = ?", id)).rejects.toThrow(
      'never changed',
    );
    await expect(query('DELETE FROM call_holdings WHERE call_id = ?', id)).rejects.toThrow('never deleted');
  });
});

describe('with a fake chain', () => {
  const owners = (count: number) =>
    Array.from({ length: count }, () => Keypair.generate().publicKey.toBase58());
  const read = (chain: Partial<HoldingsChain>, wallets = owners(1)) =>
    readCallHoldings({
      chain: {
        tokenAccounts: async ({ owner }) =>
          ['one', 'other'].map((name) => ({ address: `${name} ${owner}`, amount: 5n })),
        finalizedPage: page([]),
        movements: async (signatures) => ({ movements: signatures.map(movementsOf), unreadable: [] }),
        ...chain,
      },
      owners: wallets,
      mint: MINTS.WIF,
      from: 1_000,
      until: 2_000,
      save: async () => undefined,
    });
  const movementsOf = (signature: string): Movements => ({
    signature,
    blockTime: 1_000,
    hasFailed: false,
    feePayer: '',
    feeLamports: 0n,
    lamportChanges: new Map(),
    tokenAccounts: [],
    openedAccounts: [],
    handovers: [],
  });
  const page = (listed: ReturnType<typeof entries>) => async () => ({ entries: listed, end: 'met' as const });
  /** Entries, newest first, with slots that count down from `slot`. */
  const entries = (count: number, { slot = 10_000, at = 1_000 } = {}) =>
    Array.from({ length: count }, (_, number) => ({
      signature: `s${slot - number}`,
      slot: slot - number,
      hasFailed: false,
      at,
      memo: null,
    }));

  it('a reading of holdings takes the current balance for an account without a successful transaction', async () => {
    const failed = entries(1).map((entry) => ({ ...entry, hasFailed: true }));
    const { accounts, ...reading } = await read({ finalizedPage: page(failed) });
    expect([...accounts.values()]).toEqual([5n, 5n]);
    expect(reading).toEqual({ transactions: [], requests: 3, isCut: false, hasGaps: false });
  });

  it('a reading of holdings reads the first transaction after its time window, and none before the window', async () => {
    const listed = [...entries(2, { slot: 30, at: 2_001 }), ...entries(1, { slot: 10, at: 999 })];
    const { transactions, accounts } = await read({ finalizedPage: page(listed) });
    expect(transactions.map(({ signature }) => signature)).toEqual(['s29']);
    expect([...accounts.values()]).toEqual([null, null]);
  });

  it('a reading of holdings that exceeds its limits has the oldest transactions, and is marked as cut', async () => {
    let pages = 0;
    const { transactions, requests, isCut } = await read({
      finalizedPage: async () => ({
        entries: entries(1_000, { slot: 9_000 - 1_000 * pages++ }),
        end: 'more',
      }),
    });
    expect(isCut).toBe(true);
    expect(pages).toBe(2 * HOLDINGS_MAX_PAGES_PER_ACCOUNT);
    expect(requests).toBe(1 + pages + HOLDINGS_MAX_TRANSACTIONS);
    expect(transactions).toHaveLength(HOLDINGS_MAX_TRANSACTIONS);
    expect(transactions[0]?.signature).toBe(`s${9_000 - 1_000 * pages + 1}`);
  });

  it('a reading of holdings requests no page after a page that reaches back before the time window', async () => {
    let pages = 0;
    await read({
      finalizedPage: async () => ({
        entries: entries(1_000, { at: pages++ % 2 === 0 ? 1_000 : 999 }),
        end: 'more',
      }),
    });
    expect(pages).toBe(4);
  });

  it('a reading of holdings in more accounts than the limit is marked as cut', async () => {
    const accounts = Array.from({ length: HOLDINGS_MAX_ACCOUNTS_PER_WALLET + 1 }, (_, number) => ({
      address: `${number}`,
      amount: 0n,
    }));
    expect(await read({ tokenAccounts: async () => accounts })).toMatchObject({
      isCut: true,
      requests: 1 + HOLDINGS_MAX_ACCOUNTS_PER_WALLET,
    });
  });

  it('a reading of holdings is marked as having gaps if a listed transaction can’t be read', async () => {
    expect(
      await read({
        finalizedPage: page(entries(2)),
        movements: async ([one = '', ...unreadable]) => ({ movements: [movementsOf(one)], unreadable }),
      }),
    ).toMatchObject({ hasGaps: true, isCut: false });
  });
});
