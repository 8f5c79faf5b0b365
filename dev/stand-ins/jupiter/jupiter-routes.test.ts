import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SLOT_MS } from '../chain/slot-clock.ts';
import { startTestEnvironment, type TestEnvironment } from '../controls/test-environment.ts';
import { LOCAL_JUPITER_KEYS } from './plans.ts';
import { priceAt } from '../market/walk.ts';

const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
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

test('Jupiter’s Price API accepts 50 ids and refuses 51 or none', async () => {
  expect((await get(`price/v3?ids=${manyMints(50)}`)).status).toBe(200);
  expect((await get(`price/v3?ids=${manyMints(51)}`)).status).toBe(400);
  expect((await get('price/v3')).status).toBe(400);
});

test('a price pinned to null for Jupiter is missing from Jupiter’s Price API, but not from DexScreener', async () => {
  await pin({ mint: BONK, price: null, source: 'jupiter' });
  expect(await priceOf(BONK)).toBeUndefined();
  const pairs = (await environment.request(`/dexscreener/tokens/v1/solana/${BONK}`)).body;
  expect(pairs.length).toBeGreaterThan(0);
  await environment.request('/_control/prices', { method: 'DELETE' });
  expect((await priceOf(BONK)).usdPrice).toBe(priceAt(BONK, environment.clock.now));
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
