import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SLOT_MS } from '../chain/slot-clock.ts';
import { startTestEnvironment, type TestEnvironment } from '../controls/test-environment.ts';
import { tokens } from '../market/tokens.ts';
import { LOCAL_JUPITER_KEYS } from './plans.ts';
import { priceAt } from '../market/walk.ts';

const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const NOPRICE = tokens.find(({ symbol }) => symbol === 'NOPRICE')?.mint ?? '';
const manyMints = (count: number) => Array.from({ length: count }, (_, index) => `mint${index}`).join(',');

let environment: TestEnvironment;
beforeAll(async () => void (environment = await startTestEnvironment()));
afterAll(() => environment.end());
beforeEach(async () => {
  for (const control of ['prices', 'jupiter/rate-limit', 'requests']) {
    await environment.request(`/_control/${control}`, { method: 'DELETE' });
  }
});

const get = (path: string) => environment.request(`/jupiter/${path}`);
const pin = (json: unknown) => environment.request('/_control/prices', { json });
const priceOf = async (mint: string) => (await get(`price/v3?ids=${mint}`)).body[mint];
const search = async (query: string) => (await get(`tokens/v2/search?query=${query}`)).body;

test('Jupiter’s Price API returns the market’s prices, and leaves out unpriced and unknown mints', async () => {
  const { body } = await get(`price/v3?ids=${BONK},${WIF},${NOPRICE},nonsense`);
  expect(Object.keys(body)).toEqual([BONK, WIF]);
  expect(body[BONK]).toMatchObject({
    usdPrice: priceAt(BONK, environment.clock.now),
    decimals: 5,
    blockId: expect.any(Number),
    priceChange24h: expect.any(Number),
  });
});

test('Jupiter’s Price API accepts 50 ids and refuses 51 or none', async () => {
  expect((await get(`price/v3?ids=${manyMints(50)}`)).status).toBe(200);
  expect((await get(`price/v3?ids=${manyMints(51)}`)).status).toBe(400);
  expect((await get('price/v3')).status).toBe(400);
});

test.each([0, -1, 'abc', 1e-12, 1e15])('Jupiter’s Price API returns the pinned price %s', async (price) => {
  expect((await pin({ mint: BONK, price })).status).toBe(200);
  expect((await priceOf(BONK)).usdPrice).toBe(price);
});

test('a price pinned to null for Jupiter is missing from Jupiter’s Price API, but not from DexScreener', async () => {
  await pin({ mint: BONK, price: null, source: 'jupiter' });
  expect(await priceOf(BONK)).toBeUndefined();
  const pairs = (await environment.request(`/dexscreener/tokens/v1/solana/${BONK}`)).body;
  expect(pairs.length).toBeGreaterThan(0);
  await environment.request('/_control/prices', { method: 'DELETE' });
  expect((await priceOf(BONK)).usdPrice).toBe(priceAt(BONK, environment.clock.now));
});

test('Jupiter’s Price API has a price for each of 10,000 unknown mints pinned in one request', async () => {
  const mints = Array.from({ length: 10_000 }, (_, index) => `made-up-${index}`);
  expect((await pin(mints.map((mint, index) => ({ mint, price: index + 1 })))).status).toBe(200);
  const { body } = await get(`price/v3?ids=${mints.slice(-50).join(',')}`);
  expect(Object.keys(body)).toHaveLength(50);
  expect(body['made-up-9999']).toMatchObject({ usdPrice: 10_000, decimals: 6 });
});

test('Jupiter’s Price API and token search return the pinned slot and liquidity', async () => {
  const read = async () => {
    const { blockId: slot, liquidity } = await priceOf(BONK);
    expect(await search(BONK)).toMatchObject([{ priceBlockId: slot }]);
    expect((await search(BONK))[0].liquidity).toBe(liquidity);
    return { slot, liquidity };
  };
  const usual = await read();
  await pin({ mint: BONK, price: 1, ageMs: 60_000, liquidityUsd: 1_234 });
  expect(await read()).toEqual({ slot: usual.slot - 60_000 / SLOT_MS, liquidity: 1_234 });
  await pin({ mint: BONK, price: 1, liquidityUsd: null });
  expect(await read()).toEqual({ slot: usual.slot, liquidity: undefined });
});

describe('the rate limit of Jupiter', () => {
  const setLimit = (json: object) => environment.request('/_control/jupiter/rate-limit', { json });
  const removeLimit = () => environment.request('/_control/jupiter/rate-limit', { method: 'DELETE' });
  const price = () => get(`price/v3?ids=${BONK}`);

  test.each([
    ['no key', {}, 30, 429],
    ['a free key', { 'x-api-key': LOCAL_JUPITER_KEYS.free }, 60, 429],
    ['a developer’s key', { 'x-api-key': LOCAL_JUPITER_KEYS.developer }, 600, 429],
    ['an unknown key', { 'x-api-key': 'another-key' }, 0, 401],
  ])(
    'Jupiter’s limit for requests with %s (%o) is %i per minute, then status %i',
    async (_key, headers, accepted, refusal) => {
      const request = () => environment.request(`/jupiter/price/v3?ids=${BONK}`, { headers });
      for (let count = 0; count < accepted; count++) expect((await request()).status).toBe(200);
      environment.clock.now += 59_999;
      expect((await request()).status).toBe(refusal);
      environment.clock.now += 1;
      expect((await request()).status).toBe(accepted === 0 ? refusal : 200);
    },
  );

  test('Jupiter’s rate limit holds in any window of its length, and the response headers state the limit', async () => {
    await setLimit({ limit: 2, windowMs: 10_000 });
    expect((await price()).status).toBe(200);
    environment.clock.now += 9_000;
    const accepted = await price();
    const refused = await price();
    expect([accepted.status, refused.status]).toEqual([200, 429]);
    const reset = String(Math.floor((environment.clock.now + 1_000) / 1_000));
    for (const { headers } of [accepted, refused]) {
      const stated = ['current', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
      expect(stated).toEqual(['2', '0', reset]);
    }
    environment.clock.now += 1_000;
    expect((await price()).status).toBe(200);
    expect((await price()).status).toBe(429);
  });

  test('token searches count towards Jupiter’s rate limit, but icons don’t, and DELETE resets the limit', async () => {
    await setLimit({ limit: 1 });
    expect((await get('tokens/v2/search?query=bonk')).status).toBe(200);
    expect((await price()).status).toBe(429);
    expect((await get('icons/BONK.png')).status).toBe(200);
    await removeLimit();
    expect((await price()).status).toBe(200);
  });
});

test('Jupiter’s token search finds a token by its mint, with all fields that the product reads', async () => {
  expect(await search(BONK)).toMatchObject([
    {
      id: BONK,
      symbol: 'BONK',
      name: 'Bonk',
      decimals: 5,
      usdPrice: priceAt(BONK, environment.clock.now),
      icon: `${environment.url}/jupiter/icons/BONK.png`,
      audit: {
        mintAuthorityDisabled: true,
        freezeAuthorityDisabled: true,
        topHoldersPercentage: expect.any(Number),
      },
      firstPool: { id: expect.any(String), createdAt: '2022-12-25T08:00:00.000Z' },
      stats24h: { priceChange: expect.any(Number) },
      isVerified: true,
    },
  ]);
});

test('Jupiter’s token search finds tokens by symbol and name, verified ones before look-alikes', async () => {
  const bySymbol = await search('bonk');
  expect(bySymbol).toMatchObject([{ id: BONK }, { symbol: 'BONK' }]);
  expect(bySymbol[1].isVerified).toBeUndefined();
  expect((await search('dogwif'))[0].id).toBe(WIF);
});

test('Jupiter’s token search finds several mints in one request, and tokens without a price', async () => {
  expect(await search(`${BONK},${WIF}`)).toHaveLength(2);
  expect(await search('zzzzz')).toEqual([]);
  const [unpriced] = await search(NOPRICE);
  expect(unpriced).toMatchObject({ id: NOPRICE });
  expect(unpriced).not.toHaveProperty('usdPrice');
  expect((await get('tokens/v2/search?query=')).status).toBe(400);
});

test('Jupiter’s token search returns icon paths that are served as PNG', async () => {
  for (const { icon } of tokens) {
    const { status, headers, body } = await environment.request(icon);
    expect(status, icon).toBe(200);
    expect(headers.get('content-type')).toBe('image/png');
    expect(body).toContain('PNG');
  }
  expect((await get('icons/nothing.png')).status).toBe(404);
});
