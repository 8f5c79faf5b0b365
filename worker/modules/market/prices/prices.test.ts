import { beforeEach, expect, it, vi } from 'vitest';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { UNPRICED_END_MS } from '#schema/constants/market.ts';
import { SHOWN_PRICE_WINDOW_MS } from '#schema/constants/prices.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { POLL_MS } from '#schema/constants/web.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrices, SolPrice, TokenLookup } from '#schema/contracts/prices.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { mintOf } from '#test/people/active-calls.ts';
import { createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { requestLifetime } from '../../../adapters/request-lifetime.ts';
import type { PriceSource } from '../../../ports/price-source.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { issueToken } from '#test/people/tokens.ts';
import { breakSource, requestsTo, setPrice } from '#test/price-sources.ts';
import { control, createTestApp, type TestApp } from '#test/test-app.ts';
import { quoteFrom } from '../../../adapters/quotes.ts';
import { PortUnavailableError } from '../../../ports/unavailable.ts';
import { createPricesService, type PricesServiceOptions } from './prices.service.ts';

const { BONK, WIF, JUP, NO_PRICE } = MINTS;
const FAKE_WIF = `StandinFakeWif${'X'.repeat(29)}`;
// Like every mint, the next one is 32 bytes in base58.
const UNKNOWN = `UnknownMint${'X'.repeat(32)}`;
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

const fetchShown = (...mints: string[]) =>
  readResponse<ShownPrices>(app.request(`/api/prices?mints=${mints.join(',')}`));
const requestToken = (mint: string) => app.request(`/api/tokens/${mint}`);
const lookUp = (mint: string) => readResponse<TokenLookup>(requestToken(mint));
const windowStart = () =>
  new Date(Math.floor(app.clock.now() / SHOWN_PRICE_WINDOW_MS) * SHOWN_PRICE_WINDOW_MS).toISOString();
const breakBothSources = async () => {
  await breakSource('jupiter');
  await breakSource('dexscreener', { drop: true });
};

const batchSizes = (paths: readonly string[]) =>
  paths.map((path) => path.split(/=|\/solana\//)[1]?.split(',').length);

/** The prices of one source, with no stored and no public ones. */
const pricesOf = (source: PriceSource, changes: Partial<PricesServiceOptions> = {}) =>
  createPricesService({
    sources: [source],
    store: { read: () => Promise.resolve(new Map()) },
    publicPrices: {
      isPublic: () => Promise.resolve(false),
      show: () => Promise.resolve(new Map<string, undefined>()),
    },
    takeUnknownMint: () => Promise.resolve(true),
    readSlot: () => Promise.resolve(null),
    chain: {
      blockTime: () => Promise.reject(new PortUnavailableError('chain', null)),
      mintScales: () => Promise.resolve(new Map()),
    },
    clock: app.clock,
    lifetime: requestLifetime,
    ...changes,
  });

const manyMints = (count: number) => Array.from({ length: count }, (_, index) => mintOf(index));

const solPrice = () => readResponse<SolPrice>(app.request('/api/prices/sol'));

it('the cron stores the price of SOL even if no call is active', async () => {
  expect(await solPrice()).toEqual({ sol: null });
  await setPrice(WRAPPED_SOL_MINT, 151.25);
  await app.runJobs('prices');
  const minute = new Date(app.clock.now() - (app.clock.now() % MINUTE_MS)).toISOString();
  const stored = { sol: { price: '151.25', at: minute, source: 'jupiter' } };
  expect(await solPrice()).toEqual(stored);

  // Neither an active call on SOL nor an outage changes the stored price.
  await makeCall({ caller: await createCaller(app, 'caller'), mint: WRAPPED_SOL_MINT, price: 151.25 });
  expect(await solPrice()).toEqual(stored);
  await breakBothSources();
  await app.advance(MINUTE_MS);
  await app.runJobs('prices');
  expect(await solPrice()).toEqual(stored);
});

it('a hundred open pages behind one address stay within the rate limit for shown prices', async () => {
  const policy = (await app.request(`/api/prices?mints=${WIF}`)).headers.get('RateLimit-Policy') ?? '';
  const perMinute = Number(/q=(\d+)/.exec(policy)?.[1]);
  expect(perMinute).toBeGreaterThanOrEqual(100 * (MINUTE_MS / POLL_MS.prices));
});

it('shown prices have a time and a source, and leave out unpriced and unknown mints', async () => {
  await setPrice(WIF, 2);
  await setPrice(BONK, 0.00000001);
  expect(await fetchShown(WIF, BONK, NO_PRICE, UNKNOWN)).toEqual({
    [WIF]: { price: '2', at: windowStart(), source: 'jupiter' },
    [BONK]: { price: '0.00000001', at: windowStart(), source: 'jupiter' },
  });
});

it('GET /api/prices accepts a hundred mints, but not a hundred and one', async () => {
  expect(await fetchShown(...manyMints(98), WIF, JUP)).toMatchObject({
    [WIF]: { source: 'jupiter' },
    [JUP]: { source: 'jupiter' },
  });
  await expectRefusal(app.request(`/api/prices?mints=${manyMints(101).join(',')}`), 'request.invalid');
  await fetchShown(...manyMints(50), ...manyMints(100));
});

it('shown prices are at most five seconds old while a source responds', async () => {
  await setPrice(WIF, 2);
  await fetchShown(WIF);
  await setPrice(WIF, 3);
  await app.advance(SHOWN_PRICE_WINDOW_MS - (app.clock.now() % SHOWN_PRICE_WINDOW_MS) - 1);
  expect((await fetchShown(WIF))[WIF]?.price).toBe('2');
  await app.advance(1);
  expect((await fetchShown(WIF))[WIF]?.price).toBe('3');
});

it('shown prices have the time when their source saw them, also in a token lookup', async () => {
  const ageMs = 60 * MINUTE_MS;
  await control('POST', '/prices', { mint: WIF, price: 7, source: 'jupiter', ageMs });
  await setPrice(WIF, null, 'dexscreener');
  const seenAt = new Date(app.clock.now() - ageMs).toISOString();
  const { [WIF]: old, [JUP]: other } = await fetchShown(WIF, JUP);
  expect(old).toEqual({ price: '7', at: seenAt, source: 'jupiter' });
  expect(other?.at).toBe(windowStart());
  expect(await lookUp(WIF)).toMatchObject({ price: '7', at: seenAt });
});

it('shown prices come from the second source if they are missing or stale in the first', async () => {
  await control('POST', '/prices', { mint: WIF, price: 7, source: 'jupiter', ageMs: 2 * MINUTE_MS });
  await control('POST', '/prices', [
    { mint: WIF, price: 8, source: 'dexscreener' },
    { mint: JUP, price: null, source: 'jupiter' },
    { mint: JUP, price: 5, source: 'dexscreener' },
  ]);
  const found = await fetchShown(WIF, JUP, BONK);
  expect(found).toMatchObject({
    [WIF]: { price: '8', at: windowStart(), source: 'dexscreener' },
    [JUP]: { price: '5', at: windowStart(), source: 'dexscreener' },
    [BONK]: { source: 'jupiter' },
  });
  expect(batchSizes(await requestsTo('jupiter'))).toEqual([3]);
  expect(batchSizes(await requestsTo('dexscreener'))).toEqual([2]);
  expect(await lookUp(WIF)).toMatchObject({ price: '8', at: windowStart() });
});

it('while both sources are down, shown prices are missing but an active call has its last known price', async () => {
  const caller = await createCaller(app, 'caller');
  await makeCall({ caller, mint: WIF, price: 2 });
  await app.runJobs('prices');
  const at = new Date(app.clock.now()).toISOString();
  await app.advance(5 * MINUTE_MS);
  await breakBothSources();
  expect(await fetchShown(WIF, JUP)).toEqual({});
  const [active] = await readResponse<TokenCall[]>(caller.get(`/api/token-calls/caller/${caller.id}/active`));
  expect(active?.lastPrice).toEqual({ price: '2', at, source: 'jupiter' });
});

it('shown prices are complete even if the cache is full', async () => {
  const [remembered, others] = [manyMints(1_995), manyMints(2_010).slice(1_995)];
  const source: PriceSource = {
    name: 'fake',
    statesUnits: true,
    quote: () => Promise.reject(new Error('Unexpected request')),
    prices: (mints) =>
      Promise.resolve(
        new Map(
          mints.map((mint) => [mint, { price: '2', multiplier: null, blockId: null, liquidityUsd: null }]),
        ),
      ),
    tokens: () => Promise.reject(new Error('Unexpected request')),
    search: () => Promise.reject(new Error('Unexpected request')),
  };
  const prices = pricesOf(source);
  const show = async (mints: readonly string[]) => (await prices.shownPrices({ mints, network: 'x' })).prices;
  await show(remembered);
  const mints = [...remembered.slice(-10), ...others];
  const shown = await show(mints);
  expect(mints.filter((mint) => shown[mint]?.price !== '2')).toEqual([]);
});

it('a quote in the background logs an unexpected error and returns no price', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const fail = () => Promise.reject(new TypeError('a bug of ours'));
  const failing = { quote: fail, prices: fail, tokens: fail, search: fail };
  const prices = pricesOf({ name: 'fake', statesUnits: true, ...failing });
  expect(await prices.backgroundQuote(WIF)).toEqual({
    quotes: [],
    fresh: null,
    lowest: null,
    isUnpriced: false,
  });
  expect(String(errors.mock.calls)).toContain('TypeError: a bug of ours');
  expect(String(errors.mock.calls)).not.toContain(WIF);
});

it.each([
  [new PortUnavailableError('chain', 'timeout'), 0],
  [new TypeError('a bug of ours'), 1],
])(
  'a token is not unpriced while its last trade’s block time can’t be read, and %s is logged %i times',
  async (failure, times) => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const fail = () => Promise.reject(new Error('Unexpected request'));
    const unpriced = await quoteFrom('fake', app.clock, () => Promise.resolve(null));
    const quote = () => Promise.resolve({ ...unpriced, price: '2', failure: null, blockId: 1 });
    const prices = pricesOf(
      { name: 'fake', statesUnits: true, quote, prices: fail, tokens: fail, search: fail },
      {
        readSlot: () => Promise.resolve({ slot: 1 + UNPRICED_END_MS, at: app.clock.now(), slotMs: 1 }),
        chain: { blockTime: () => Promise.reject(failure), mintScales: () => Promise.resolve(new Map()) },
      },
    );
    expect((await prices.backgroundQuote(WIF)).isUnpriced).toBe(false);
    expect(errors).toHaveBeenCalledTimes(times);
  },
);

it('a token lookup returns all known fields of a mint', async () => {
  await control('POST', '/prices', { mint: WIF, price: 2, liquidityUsd: 1_234_567 });
  expect(await lookUp(WIF)).toEqual({
    mint: WIF,
    symbol: 'WIF',
    name: 'dogwifhat',
    logoURI: expect.stringMatching(/^\/api\/images\/tokens\/[\da-f]{64}\.[\w-]+$/),
    price: '2',
    multiplier: null,
    liquidityUsd: 1_234_567,
    volume24hUsd: expect.any(Number),
    marketCapUsd: expect.any(Number),
    createdAt: '2023-11-20T08:00:00.000Z',
    holderCount: expect.any(Number),
    safety: {
      isMintAuthorityDisabled: true,
      isFreezeAuthorityDisabled: true,
      topHoldersPercent: expect.any(Number),
      isSuspicious: false,
      isVerified: true,
    },
    lookAlikes: [],
    at: expect.any(String),
  });
});

it('a token lookup names the known token that the requested token looks like', async () => {
  const { lookAlikes, safety } = await lookUp(MINTS.FAKE_BONK);
  expect(lookAlikes).toEqual([
    { mint: BONK, symbol: 'BONK', name: 'Bonk', liquidityUsd: 9_400_000, isVerified: true },
  ]);
  expect(safety).toMatchObject({ isMintAuthorityDisabled: false, isSuspicious: true, isVerified: false });
  const written = await lookUp(FAKE_WIF);
  expect(written.symbol).toBe('W1F');
  expect(written.lookAlikes?.map(({ mint }) => mint)).toEqual([WIF]);
  expect(await lookUp(BONK)).toMatchObject({ lookAlikes: [] });
});

it('a token lookup has no safety data if only the second source knows the token', async () => {
  const { mint } = await issueToken({ issuer: await createFundedWallet(), supply: 1n, decimals: 6 });
  await app.advance(MINUTE_MS);
  await setPrice(mint.toBase58(), 3);
  expect(await lookUp(mint.toBase58())).toMatchObject({
    symbol: 'UNKNOWN',
    price: '3',
    createdAt: expect.stringMatching(/^2025-01-/),
    holderCount: null,
    safety: {
      isMintAuthorityDisabled: null,
      isFreezeAuthorityDisabled: null,
      topHoldersPercent: null,
      isSuspicious: null,
      isVerified: null,
    },
  });
});

it('each token lookup fetches the token again, but its look-alikes only every ten minutes', async () => {
  const searches = async () =>
    (await requestsTo('jupiter')).filter((path) => path.endsWith('query=bonk')).length;
  const prices: (string | null)[] = [];
  for (const price of [2, 3]) {
    await setPrice(MINTS.FAKE_BONK, price);
    const found = await lookUp(MINTS.FAKE_BONK);
    expect(found.lookAlikes?.map(({ mint }) => mint)).toEqual([BONK]);
    prices.push(found.price);
  }
  expect(prices).toEqual(['2', '3']);
  expect(await searches()).toBe(1);
  await app.advance(10 * MINUTE_MS);
  await requestToken(MINTS.FAKE_BONK);
  expect(await searches()).toBe(2);
});

it('a token lookup has null look-alikes if the search for look-alikes fails', async () => {
  await control('POST', '/faults', { service: 'jupiter', status: 500, path: '/tokens/' });
  expect(await lookUp(MINTS.FAKE_BONK)).toMatchObject({ symbol: 'BONK', lookAlikes: null });
});

it('a token lookup has a null price for an unpriced token', async () => {
  expect(await lookUp(NO_PRICE)).toMatchObject({ symbol: 'NOPRICE', price: null });
});

// Specification 5.23
it('a token lookup fails for an unknown token', async () => {
  const { message } = await expectRefusal(requestToken(UNKNOWN), 'tokens.not_found');
  expect(message).toBe('Token not found');
});

// Specification 5.24
it('a token lookup works if one source is down, and fails if both are', async () => {
  await breakSource('jupiter', { status: 500 });
  expect(await lookUp(WIF)).toMatchObject({ symbol: 'WIF' });
  await breakSource('dexscreener', { status: 500 });
  await app.advance(SHOWN_PRICE_WINDOW_MS);
  const { message } = await expectRefusal(requestToken(WIF), 'prices.unavailable');
  expect(message).toBe('Failed to lookup token');
});
