import { expect, it } from 'vitest';
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
