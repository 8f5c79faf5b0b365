import { Keypair, SystemProgram } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import {
  HOLDINGS_DELAY_MS,
  HOLDINGS_MAX_ACCOUNTS,
  HOLDINGS_MAX_TRANSACTIONS,
  HOLDINGS_MAX_TRIES,
  HOLDINGS_RETRY_MS,
  MAX_WALLETS,
  MINUTE_MS,
} from '#schema/constants.ts';
import type { CallerStatistics } from '#schema/contracts/callers.ts';
import type { CallDetail, TokenCall } from '#schema/contracts/calls.ts';
import type { SavedWallet } from '#schema/contracts/wallets.ts';
import { readFoundHoldings } from '../../../shared/found-holdings.ts';
import { readResponse } from '../../../test-support/responses.ts';
import { createCaller, endCall, makeCall, MINTS, proveWallet } from '../../../test-support/people/callers.ts';
import { createFundedWallet } from '../../../test-support/payments/chain.ts';
import { query } from '../../../test-support/database/database.ts';
import { interceptSolana } from '../../../test-support/payments/intercept-solana.ts';
import { createHoldingsMarket, makeRandomHoldings } from '../../../test-support/people/random-holdings.ts';
import { control, createTestApp, type Person, type TestApp } from '../../../test-support/test-app.ts';
import {
  landInstructions,
  localToken,
  mintTokens,
  openAccount,
  sendTokens,
} from '../../../test-support/people/tokens.ts';
import { readCallHoldings, type HoldingsChain } from './read-call-holdings.ts';

const CHAINS = inject('isDeep') ? 300 : 12;
/** A token that has a price, but no mint on the local chain. */
const UNKNOWN = Keypair.generate().publicKey.toBase58();
/** The most requests of one reading: wallets, token accounts and transactions. */
const MAX_REQUESTS = 260;

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => void vi.restoreAllMocks());

const readDue = async () => {
  await app.advance(HOLDINGS_DELAY_MS);
  return app.services.callHoldings.readDue();
};
const detail = (id: string, person?: Person) =>
  readResponse<CallDetail>(app.request(`/api/token-calls/${id}`, person ? { cookie: person.cookie } : {}));

describe('random chains of buys, sales and transfers', () => {
  it(
    `holdings in random chains are found as they were made, with one request per transaction (${CHAINS} chains)`,
    { timeout: CHAINS * 20_000 },
    async () => {
      const market = await createHoldingsMarket();
      const person = await createCaller(app, 'trader');
      const outcomes = new Set<string>();
      for (let seed = 1; seed <= CHAINS; seed++) {
        const chain = await makeRandomHoldings({
          market,
          seed,
          now: () => app.clock.now(),
          advance: (ms) => app.advance(ms),
        });
        const { calledAt, endedAt } = chain;
        await query(
          `INSERT INTO wallets (id, user_id, address, proven_at, created_at)
           SELECT value, ?1, value, ?2, ?2 FROM json_each(?3)`,
          person.id,
          calledAt,
          JSON.stringify(chain.wallets.map(({ publicKey }) => publicKey.toBase58())),
        );
        await query(
          `INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, end_price,
             ended_at, change_percent)
           VALUES (?, ?, ?, 'TKN', 'Token', '1', ?, '2', ?, 100)`,
          `call ${seed}`,
          person.id,
          chain.token.mint.toBase58(),
          calledAt,
          endedAt,
        );
        await query('DELETE FROM wallets');
        const requests = interceptSolana();
        expect(await readDue()).toBe(1);
        vi.restoreAllMocks();
        const [row] = await query<{ state: string; covers: string; found: string; wallets: string }>(
          'SELECT state, covers, found, wallets FROM call_holdings WHERE call_id = ?',
          `call ${seed}`,
        );
        expect(row, `seed ${seed}: ${chain.made.join(', ')}`).toMatchObject({
          state: 'complete',
          covers: 'end',
          wallets: '[]',
        });
        expect(readFoundHoldings(row?.found ?? ''), `seed ${seed}: ${chain.made.join(', ')}`).toEqual(
          chain.expected,
        );
        expect(requests.length).toBeLessThanOrEqual(1 + chain.wallets.length * 5 + chain.made.length);
        for (const kind of chain.made) outcomes.add(kind);
        if (chain.expected.sold > 0n) outcomes.add('sold');
        if (chain.expected.heldBefore > 0n) outcomes.add('held');
      }
      // Checks the setup: the chains contain what the rule must tell apart.
      expect([...outcomes]).toEqual(
        expect.arrayContaining(['sold', 'held', 'a buy for wrapped SOL', 'a gift']),
      );
    },
  );
});

describe('a call of a caller with a wallet', () => {
  let caller: Person;
  let wallet: Keypair;
  const token = localToken({ mint: MINTS.WIF, decimals: 6 });

  const trade = async (amount: bigint, sold = 0n) => {
    const pool = token.issuer;
    await landInstructions(
      [wallet, pool],
      openAccount({ token, owner: wallet.publicKey, payer: wallet.publicKey }),
      openAccount({ token, owner: pool.publicKey, payer: wallet.publicKey }),
      ...(sold > 0n
        ? [
            sendTokens({ token, from: wallet.publicKey, to: pool.publicKey, amount: sold }),
            SystemProgram.transfer({
              fromPubkey: pool.publicKey,
              toPubkey: wallet.publicKey,
              lamports: 1_000_000,
            }),
          ]
        : [
            SystemProgram.transfer({
              fromPubkey: wallet.publicKey,
              toPubkey: pool.publicKey,
              lamports: 2_000_000,
            }),
            mintTokens({ token, to: wallet.publicKey, amount }),
          ]),
    );
    await app.advance(MINUTE_MS);
  };

  beforeEach(async () => {
    caller = await createCaller(app, 'holder');
    wallet = await createFundedWallet();
    await fundIssuer();
  });

  const fundIssuer = async () => {
    const funder = await createFundedWallet(10);
    await landInstructions(
      [funder],
      SystemProgram.transfer({
        fromPubkey: funder.publicKey,
        toPubkey: token.issuer.publicKey,
        lamports: 1_000_000_000,
      }),
    );
  };

  it('a call shows what its caller held while it is active, and what they sold once it has ended', async () => {
    const saved = await proveWallet(caller, wallet);
    await trade(1_000_000n);
    const boughtAt = expect.any(String);
    const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
    expect((await detail(call.id, caller)).holdings).toEqual({ covers: null, state: null, found: null });
    expect(await app.services.callHoldings.readDue()).toBe(0);
    expect(await readDue()).toBe(1);
    const before = {
      heldBefore: '1',
      firstBoughtAt: boughtAt,
      averagePriceSol: '0.002',
      acquired: '0',
      soldPercent: 0,
      firstSoldAt: null,
      movedPercent: 0,
    };
    expect((await detail(call.id, caller)).holdings).toEqual({
      covers: 'opening',
      state: 'complete',
      found: before,
    });

    // Removing the wallet during the call hides nothing.
    const { id } = (await readResponse<SavedWallet[]>(caller.get('/api/user/wallets')))[0] ?? saved;
    expect((await caller.delete(`/api/user/wallets/${id}`)).status).toBe(200);
    await app.advance(2 * MINUTE_MS);
    await trade(0n, 800_000n);
    await endCall({ caller, call, price: 3 });
    // A block's time has whole seconds.
    await app.advance(2_000);
    await trade(0n, 200_000n);
    expect(await readDue()).toBe(1);
    expect((await detail(call.id)).holdings).toEqual({
      covers: 'end',
      state: 'complete',
      found: { ...before, soldPercent: 80, firstSoldAt: expect.any(String) },
    });
    const statistics = await readResponse<CallerStatistics>(
      app.request(`/api/callers/${caller.id}/statistics`),
    );
    expect(statistics).toMatchObject({
      holdings: { held: 1, kept: 0, sold: 1, medianFirstSaleMs: expect.any(Number) },
    });
  });

  it('a call says that its caller had no wallet, even if one is verified after the end', async () => {
    const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
    await app.advance(MINUTE_MS);
    await endCall({ caller, call, price: 3 });
    await app.advance(1);
    await proveWallet(caller, wallet);
    const requests = interceptSolana();
    expect(await readDue()).toBe(1);
    expect(requests).toEqual([]);
    expect((await detail(call.id)).holdings).toEqual({ covers: 'end', state: 'no_wallet', found: null });
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

  it('the holdings of a call are read after the other due calls if the chain is down', async () => {
    const call = await endedWithWallet();
    await control('POST', '/faults', { service: 'solana', status: 500 });
    await expect(readDue()).rejects.toThrow('chain is unavailable');
    await control('DELETE', '/faults');
    expect(await app.services.callHoldings.readDue()).toBe(0);
    await app.advance(HOLDINGS_RETRY_MS);
    expect(await readDue()).toBe(1);
    expect((await detail(call.id)).holdings).toMatchObject({ state: 'complete', found: { heldBefore: '1' } });
  });

  it('the holdings of a call are unclear if the chain is down for a day', async () => {
    const call = await endedWithWallet();
    await control('POST', '/faults', { service: 'solana', status: 500 });
    for (let number = 0; number < HOLDINGS_MAX_TRIES; number++) {
      await expect(readDue()).rejects.toThrow('chain is unavailable');
      await app.advance(HOLDINGS_RETRY_MS * 2 ** number);
    }
    expect(await readDue()).toBe(1);
    await control('DELETE', '/faults');
    expect((await detail(call.id)).holdings).toEqual({ covers: 'end', state: 'unclear', found: null });
  });

  it('the holdings of a call on a mint that the chain does not know are none', async () => {
    await proveWallet(caller, wallet);
    const call = await endCall({ caller, call: await makeCall({ caller, mint: UNKNOWN, price: 2 }), price: 3 });
    expect(await readDue()).toBe(1);
    expect((await detail(call.id)).holdings).toMatchObject({ state: 'complete', found: { heldBefore: '0' } });
  });

  it.each([
    ['a transaction is missing from the list', 'getSignaturesForAddress', () => []],
    ['a transaction can’t be read', 'getTransaction', () => null],
    [
      'the balance isn’t what the transactions leave',
      'getTokenAccountsByOwner',
      (result: unknown) => ({ ...(result as object), value: [] }),
    ],
  ])(
    'the holdings of a call have no figures if %s, and are unclear after several tries',
    async (_what, broken, change) => {
      const call = await endedWithWallet();
      interceptSolana(({ method }, result) => (method === broken ? change(result) : result));
      for (let number = 0; number < HOLDINGS_MAX_TRIES; number++) {
        expect(await readDue()).toBe(1);
        expect((await detail(call.id)).holdings).toEqual({ covers: null, state: null, found: null });
        await app.advance(HOLDINGS_RETRY_MS * 2 ** number);
      }
      expect(await readDue()).toBe(1);
      expect((await detail(call.id)).holdings).toEqual({ covers: 'end', state: 'unclear', found: null });
      expect(await readDue()).toBe(0);
    },
  );

  it('the holdings of a call can’t be changed once those at its end were read', async () => {
    const { id } = await endedWithWallet();
    await readDue();
    await expect(query("UPDATE call_holdings SET found = '{}' WHERE call_id = ?", id)).rejects.toThrow(
      'never changed',
    );
    await expect(query('DELETE FROM call_holdings WHERE call_id = ?', id)).rejects.toThrow('never deleted');
  });
});

describe('a reading', () => {
  const owners = (count: number) =>
    Array.from({ length: count }, () => Keypair.generate().publicKey.toBase58());
  const read = (chain: Partial<HoldingsChain>, wallets = owners(MAX_WALLETS)) => {
    let keeps = 0;
    const reading = readCallHoldings({
      chain: {
        tokenAccounts: async ({ owner }) =>
          ['one', 'other'].map((name) => ({ address: `${name} ${owner}`, amount: 0n })),
        finalizedPage: async () => ({ entries: [], end: 'met' }),
        movements: () => Promise.reject(new Error('nothing to read')),
        ...chain,
      },
      owners: wallets,
      mint: MINTS.WIF,
      calledAt: 1_000,
      until: 2_000,
      save: async () => void keeps++,
    });
    return reading.then((result) => ({ ...result, keeps }));
  };
  const entries = (count: number, from = 0) =>
    Array.from({ length: count }, (_, number) => ({
      signature: `s${from + number}`,
      slot: 1_000 - number,
      hasFailed: false,
      at: 1_000,
      memo: null,
    }));

  it(`reading the holdings of a call takes at most ${MAX_REQUESTS} requests`, async () => {
    let page = 0;
    const perAccount = HOLDINGS_MAX_TRANSACTIONS / HOLDINGS_MAX_ACCOUNTS;
    const { requests, keeps } = await read({
      finalizedPage: async () => ({ entries: entries(perAccount, perAccount * page++), end: 'met' }),
      movements: async (signatures) =>
        signatures.map((signature) => ({
          signature,
          blockTime: 1_000,
          hasFailed: false,
          feePayer: '',
          feeLamports: 0n,
          lamportChanges: new Map(),
          tokenAccounts: [],
          openedAccounts: [],
          handovers: [],
        })),
    });
    expect(requests).toBe(MAX_REQUESTS);
    expect(keeps).toBeGreaterThan(2 * HOLDINGS_MAX_ACCOUNTS);
  });

  it.each([
    [
      'more transactions than we read',
      {
        finalizedPage: async () => ({ entries: entries(HOLDINGS_MAX_TRANSACTIONS + 1), end: 'met' as const }),
      },
    ],
    [
      'more than one page of transactions',
      { finalizedPage: async () => ({ entries: entries(1), end: 'more' as const }) },
    ],
    [
      'more token accounts than we read',
      {
        tokenAccounts: async () =>
          Array.from({ length: HOLDINGS_MAX_ACCOUNTS + 1 }, (_, number) => ({
            address: `${number}`,
            amount: 0n,
          })),
      },
    ],
  ])('a reading of holdings with %s is incomplete', async (_what, chain) => {
    expect(await read(chain, owners(1))).toMatchObject({ state: 'too_many' });
  });
});
