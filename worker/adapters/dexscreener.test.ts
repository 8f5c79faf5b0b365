import { afterEach, expect, it, vi } from 'vitest';
import { requestsTo } from '#test/price-sources.ts';
import { control, testEnv } from '#test/test-app.ts';
import { BULK } from '../ports/price-source.ts';
import { createDexscreener } from './dexscreener.ts';
import { systemClock } from './system-clock.ts';

const MINTS = [
  'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263',
  'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm',
  'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN',
  'So11111111111111111111111111111111111111112',
];
const DEEP = 500_000;

const { DEXSCREENER_URL: baseUrl } = testEnv as unknown as { DEXSCREENER_URL: string };
afterEach(() => vi.restoreAllMocks());

const source = () => createDexscreener({ baseUrl, clock: systemClock });
it('the DexScreener adapter quotes the liquidity of the deepest pool, even if it isn’t the primary pool', async () => {
  await control(
    'POST',
    '/prices',
    MINTS.map((mint) => ({ mint, price: 2, liquidityUsd: DEEP })),
  );
  const quotes = await Promise.all(MINTS.map((mint) => source().quote(mint, BULK)));
  expect(quotes.map(({ liquidityUsd }) => liquidityUsd)).toEqual(MINTS.map(() => DEEP));
  const described = await Promise.all(MINTS.map((mint) => source().tokens([mint], BULK)));
  expect(described.map((found, index) => found.get(MINTS[index] ?? '')?.liquidityUsd)).toEqual(
    MINTS.map(() => DEEP),
  );
});

it('the DexScreener adapter reads prices with one request per thirty mints', async () => {
  await control('DELETE', '/requests');
  const unknown = Array.from({ length: 27 }, (_, index) => `${index}`.padStart(44, '1'));
  const prices = await source().prices([...MINTS, ...unknown], BULK);
  expect(MINTS.filter((mint) => prices.has(mint))).toEqual(MINTS);
  const kinds = (await requestsTo('dexscreener')).map((path) => path.split('/')[2]);
  expect(kinds.toSorted()).toEqual(['token-pairs', 'tokens']);
});

const [BONK = '', , , SOL = ''] = MINTS;
const pair = (fields: object) => ({
  chainId: 'solana',
  baseToken: { address: BONK, symbol: 'BONK', name: 'Bonk' },
  quoteToken: { address: SOL, symbol: 'SOL', name: 'Wrapped SOL' },
  priceUsd: '3',
  priceNative: '0.02',
  liquidity: { usd: 60_000, base: 10_000, quote: 200 },
  volume: { h24: 40_000 },
  ...fields,
});
const quoteOf = (...pairs: object[]) => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(Response.json(pairs)));
  return source().quote(BONK, BULK);
};
const ONE_SIDED = { usd: 9e9, base: 1e7, quote: 0.01 };

it.each<[pool: string, fields: object]>([
  ['a pool with one trade and hardly any SOL', { liquidity: ONE_SIDED, volume: { h24: 1 } }],
  ['a pool that doesn’t state its SOL', { liquidity: { usd: 9e9 } }],
  ['a pool whose price in SOL is missing', { liquidity: ONE_SIDED, priceNative: undefined }],
  ['a pool whose price in SOL is 0', { liquidity: ONE_SIDED, priceNative: '0' }],
  ['a pool without trades', { volume: { h24: 0 } }],
  ['a pool without a volume', { volume: undefined }],
  ['a pool with a malformed volume', { volume: { h24: '0' } }],
])('the DexScreener adapter doesn’t take the price of %s', async (_, fields) => {
  const deep = { usd: 9e9, base: 1e7, quote: 3e7 };
  const quote = await quoteOf(
    pair({ priceUsd: '900', priceNative: '6', liquidity: deep, ...fields }),
    pair({}),
  );
  expect(quote).toMatchObject({ price: '3', liquidityUsd: 60_000, volume24hUsd: 40_000 });
});

it.each<[liquidity: object, expected: number | null]>([
  [{ usd: 60_000, quote: 100 }, 30_000],
  [{ usd: 60_000, quote: 300 }, 60_000],
  [{ usd: 0, quote: 0 }, 0],
  [{ usd: '60000', quote: 100 }, null],
  [{ usd: 60_000, quote: -1 }, null],
])('the liquidity of a pool at DexScreener that states %j is %s', async (liquidity, expected) => {
  expect((await quoteOf(pair({ liquidity }))).liquidityUsd).toBe(expected);
});
