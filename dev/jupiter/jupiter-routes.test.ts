import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

describe('Jupiter’s Price API v3', () => {
  test('Jupiter’s Price API returns the market’s prices without unpriced and unknown mints, and no rate limit headers', async () => {
    const { status, body, headers } = await environment.request(
      `/jupiter/price/v3?ids=${BONK},${WIF},${NOPRICE},nonsense`,
    );
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([BONK, WIF]);
    expect(body[BONK]).toMatchObject({
      usdPrice: priceAt(BONK, environment.clock.now),
      decimals: 5,
      blockId: expect.any(Number),
      priceChange24h: expect.any(Number),
    });
    expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
  });

  test('Jupiter’s Price API accepts 50 ids and refuses 51 or none', async () => {
    expect((await environment.request(`/jupiter/price/v3?ids=${manyMints(50)}`)).status).toBe(200);
    expect((await environment.request(`/jupiter/price/v3?ids=${manyMints(51)}`)).status).toBe(400);
    expect((await environment.request('/jupiter/price/v3')).status).toBe(400);
  });

  test.each([0, -1, 'abc', 1e-12, 1e15])('Jupiter’s Price API returns the pinned price %s', async (price) => {
    expect((await environment.request('/_control/prices', { json: { mint: BONK, price } })).status).toBe(200);
    const { body } = await environment.request(`/jupiter/price/v3?ids=${BONK}`);
    expect(body[BONK].usdPrice).toBe(price);
  });

  test('Jupiter’s Price API omits a mint whose Jupiter price is pinned to null, while DexScreener still prices it', async () => {
    await environment.request('/_control/prices', { json: { mint: BONK, price: null, source: 'jupiter' } });
    expect((await environment.request(`/jupiter/price/v3?ids=${BONK}`)).body).toEqual({});
    expect((await environment.request(`/dexscreener/tokens/v1/solana/${BONK}`)).body.length).toBeGreaterThan(
      0,
    );
    await environment.request('/_control/prices', { method: 'DELETE' });
    expect((await environment.request(`/jupiter/price/v3?ids=${BONK}`)).body[BONK].usdPrice).toBe(
      priceAt(BONK, environment.clock.now),
    );
  });

  test('Jupiter’s Price API has a price for an unknown mint once it is pinned', async () => {
    await environment.request('/_control/prices', { json: { mint: 'some-new-mint', price: 2.5 } });
    expect((await environment.request('/jupiter/price/v3?ids=some-new-mint')).body).toMatchObject({
      'some-new-mint': { usdPrice: 2.5, decimals: 6 },
    });
  });

  test('Jupiter’s Price API has a price for each of 10,000 mints pinned in one request', async () => {
    const mints = Array.from({ length: 10_000 }, (_, index) => `made-up-${index}`);
    expect(
      (
        await environment.request('/_control/prices', {
          json: mints.map((mint, index) => ({ mint, price: index + 1 })),
        })
      ).status,
    ).toBe(200);
    const { body } = await environment.request(`/jupiter/price/v3?ids=${mints.slice(-50).join(',')}`);
    expect(Object.keys(body)).toHaveLength(50);
    expect(body['made-up-9999'].usdPrice).toBe(10_000);
  });

  test('Jupiter’s Price API returns the pinned slot and liquidity', async () => {
    const slotOf = async () => {
      const price = (await environment.request(`/jupiter/price/v3?ids=${BONK}`)).body[BONK];
      const [token] = (await environment.request(`/jupiter/tokens/v2/search?query=${BONK}`)).body;
      expect([price.blockId, price.liquidity]).toEqual([token.priceBlockId, token.liquidity]);
      return { slot: price.blockId, liquidity: price.liquidity };
    };
    const usual = await slotOf();
    await environment.request('/_control/prices', {
      json: { mint: BONK, price: 1, ageMs: 60_000, liquidityUsd: 1_234 },
    });
    expect(await slotOf()).toEqual({ slot: usual.slot - 150, liquidity: 1_234 });
    await environment.request('/_control/prices', { json: { mint: BONK, price: 1, liquidityUsd: null } });
    expect(await slotOf()).toEqual({ slot: usual.slot, liquidity: undefined });
  });
});

describe('the rate limit', () => {
  const requestPrice = () => environment.request(`/jupiter/price/v3?ids=${BONK}`);

  const countAccepted = async (key?: string) => {
    await environment.request('/_control/jupiter/rate-limit', { method: 'DELETE' });
    for (let count = 0; ; count++) {
      const { status } = await environment.request(
        `/jupiter/price/v3?ids=${BONK}`,
        key === undefined ? {} : { headers: { 'x-api-key': key } },
      );
      if (status !== 200) return { count, status };
    }
  };

  test('Jupiter’s rate limit depends on the plan: 30 requests per minute without a key, 60 on the free plan, 600 for developers', async () => {
    expect(await countAccepted()).toEqual({ count: 30, status: 429 });
    expect(await countAccepted(LOCAL_JUPITER_KEYS.free)).toEqual({ count: 60, status: 429 });
    expect(await countAccepted(LOCAL_JUPITER_KEYS.developer)).toEqual({ count: 600, status: 429 });
    expect(await countAccepted('another-key')).toEqual({ count: 0, status: 401 });
  });

  test('Jupiter’s rate limit holds in any window of a minute, and no header states it', async () => {
    await environment.request('/_control/jupiter/rate-limit', { json: { limit: 2, windowMs: 10_000 } });
    expect((await requestPrice()).status).toBe(200);
    environment.clock.now += 9_000;
    expect((await requestPrice()).status).toBe(200);
    const refused = await requestPrice();
    expect(refused.status).toBe(429);
    expect([...refused.headers.keys()].filter((name) => /ratelimit|retry/.test(name))).toEqual([]);
    environment.clock.now += 1_000;
    expect((await requestPrice()).status).toBe(200);
    expect((await requestPrice()).status).toBe(429);
  });

  test('Jupiter’s rate limit counts token searches but not icons, and is reset by DELETE', async () => {
    await environment.request('/_control/jupiter/rate-limit', { json: { limit: 1 } });
    expect((await environment.request('/jupiter/tokens/v2/search?query=bonk')).status).toBe(200);
    expect((await requestPrice()).status).toBe(429);
    expect((await environment.request('/jupiter/icons/BONK.png')).status).toBe(200);
    await environment.request('/_control/jupiter/rate-limit', { method: 'DELETE' });
    expect((await requestPrice()).status).toBe(200);
  });
});

describe('the token search', () => {
  test('Jupiter’s token search finds a token by its mint, with all fields that the product reads', async () => {
    const { body } = await environment.request(`/jupiter/tokens/v2/search?query=${BONK}`);
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({
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
    });
  });

  test('Jupiter’s token search finds tokens by symbol and name, verified ones before look-alikes', async () => {
    const bySymbol = (await environment.request('/jupiter/tokens/v2/search?query=bonk')).body;
    expect(bySymbol.map((token: { symbol: string }) => token.symbol)).toEqual(['BONK', 'BONK']);
    expect(bySymbol[0].id).toBe(BONK);
    expect(bySymbol[1].isVerified).toBeUndefined();
    expect((await environment.request('/jupiter/tokens/v2/search?query=dogwif')).body[0].id).toBe(WIF);
  });

  test('Jupiter’s token search finds two mints in one request, but no unknown token, and omits the price of an unpriced token', async () => {
    expect((await environment.request(`/jupiter/tokens/v2/search?query=${BONK},${WIF}`)).body).toHaveLength(
      2,
    );
    expect((await environment.request('/jupiter/tokens/v2/search?query=zzzzz')).body).toEqual([]);
    const [unpriced] = (await environment.request(`/jupiter/tokens/v2/search?query=${NOPRICE}`)).body;
    expect(unpriced).toMatchObject({ id: NOPRICE });
    expect(unpriced).not.toHaveProperty('usdPrice');
    expect((await environment.request('/jupiter/tokens/v2/search?query=')).status).toBe(400);
  });

  test('Jupiter’s token search returns icon paths that are served as PNG', async () => {
    for (const { icon } of tokens) {
      const { status, headers, body } = await environment.request(icon);
      expect(status, icon).toBe(200);
      expect(headers.get('content-type')).toBe('image/png');
      expect(body).toContain('PNG');
    }
    expect((await environment.request('/jupiter/icons/nothing.png')).status).toBe(404);
  });
});
