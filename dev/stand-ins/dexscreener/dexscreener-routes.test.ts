import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestEnvironment, type TestEnvironment } from '../controls/test-environment.ts';
import { tokens } from '../market/tokens.ts';
import { priceAt } from '../market/walk.ts';
import type { DexPair } from './pairs.ts';

const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';

let environment: TestEnvironment;
beforeAll(async () => void (environment = await startTestEnvironment()));
afterAll(() => environment.end());
beforeEach(async () => {
  await environment.request('/_control/prices', { method: 'DELETE' });
});

async function pairsOf(mint: string): Promise<DexPair[]> {
  return (await environment.request(`/dexscreener/token-pairs/v1/solana/${mint}`)).body;
}

/** The pairs that tell the mint's price: two tokens that count, many trades and a price. */
const asBaseOf = async (mint: string) =>
  (await pairsOf(mint)).filter(
    ({ baseToken, quoteToken, volume, priceUsd, liquidity }) =>
      baseToken.address === mint &&
      ['SOL', 'USDC'].includes(quoteToken.symbol) &&
      (volume?.['h24'] ?? 0) > (liquidity?.usd ?? 0) / 1000 &&
      priceUsd !== undefined,
  );

async function primaryPairsOf(mints: string): Promise<DexPair[]> {
  return (await environment.request(`/dexscreener/tokens/v1/solana/${mints}`)).body;
}

test("DexScreener's prices of a mint stay within 0.3% of Jupiter's price", async () => {
  for (const minutes of [0, 7, 61, 5000]) {
    environment.clock.now += minutes * 60_000;
    for (const { mint } of tokens) {
      const expected = priceAt(mint, environment.clock.now);
      const asBase = await asBaseOf(mint);
      expect(asBase.length > 0).toBe(expected !== null);
      for (const { priceUsd } of asBase) {
        expect(priceUsd).toMatch(/^\d+(\.\d+)?$/);
        expect(Math.abs(Number(priceUsd) / (expected ?? 0) - 1)).toBeLessThan(0.003);
      }
    }
  }
});

test('DexScreener’s pairs of a mint have different liquidity, and the five deepest do not tell its price', async () => {
  const pairs = await pairsOf(WIF);
  const asBase = await asBaseOf(WIF);
  const others = pairs.filter((pair) => !asBase.some(({ pairAddress }) => pairAddress === pair.pairAddress));
  expect(new Set(pairs.map((pair) => pair.liquidity?.usd)).size).toBe(pairs.length);
  expect(others.filter(({ quoteToken }) => quoteToken.address === WIF)).toHaveLength(1);
  expect(others).toHaveLength(5);
  const oneSided = others.find(({ volume }) => (volume?.['h24'] ?? 0) > 0 && (volume?.['h24'] ?? 0) < 100);
  expect(oneSided?.liquidity?.usd).toBeGreaterThan(1e8);
  expect(oneSided?.liquidity?.quote).toBeLessThan(1);
  expect(Math.min(...others.map(({ liquidity }) => liquidity?.usd ?? 0))).toBeGreaterThan(
    Math.max(...asBase.map((pair) => pair.liquidity?.usd ?? 0)),
  );
  expect(asBase[0]).toMatchObject({
    chainId: 'solana',
    pairCreatedAt: expect.any(Number),
    volume: { h24: expect.any(Number) },
  });
});

test('DexScreener’s tokens route accepts 30 addresses, refuses 31, and returns no pair on another chain', async () => {
  const addresses = (count: number) =>
    Array.from({ length: count }, (_, index) => tokens[index]?.mint ?? `mint${index}`).join(',');
  const thirty = await primaryPairsOf(addresses(30));
  expect(new Set(thirty.map((pair) => pair.baseToken.address)).size).toBeGreaterThan(28);
  expect((await environment.request(`/dexscreener/tokens/v1/solana/${addresses(31)}`)).status).toBe(400);
  expect((await environment.request(`/dexscreener/tokens/v1/ethereum/${WIF}`)).body).toEqual([]);
});

test('DexScreener’s tokens route returns one pair per token, and this pair is not always the token’s deepest pair', async () => {
  const mints = tokens.slice(0, 20).map(({ mint }) => mint);
  const primary = await primaryPairsOf(mints.join(','));
  const priced = mints.filter((mint) => priceAt(mint, environment.clock.now) !== null);
  expect(primary.map(({ baseToken }) => baseToken.address)).toEqual(priced);
  const isDeepest = await Promise.all(
    primary.map(async ({ baseToken, liquidity }) => {
      const pools = await asBaseOf(baseToken.address);
      return liquidity?.usd === Math.max(...pools.map((pool) => pool.liquidity?.usd ?? 0));
    }),
  );
  expect(new Set(isDeepest)).toEqual(new Set([true, false]));
  expect((await environment.request(`/dexscreener/token-pairs/v1/ethereum/${WIF}`)).body).toEqual([]);
});

test('DexScreener returns 429 to the 301st request within any minute, on all routes together', async () => {
  const sendRequest = async (path: string) => (await environment.request(`/dexscreener/${path}`)).status;
  environment.clock.now += 60_000;
  for (let count = 0; count < 299; count++) expect(await sendRequest('tokens/v1/ethereum/x')).toBe(200);
  environment.clock.now += 59_999;
  expect(await sendRequest(`token-pairs/v1/solana/${WIF}`)).toBe(200);
  expect(await sendRequest('latest/dex/search?q=wif')).toBe(429);
  environment.clock.now += 1;
  expect(await sendRequest('latest/dex/search?q=wif')).toBe(200);
});
