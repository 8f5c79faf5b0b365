import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FOLLOWER_STAKES_USD, MARK_WINDOW_MS } from '#schema/constants.ts';
import {
  countedReturnPpm,
  followerReturn,
  followerReturnPpm,
  followerReturns,
  isOnTime,
  type Mark,
} from './follower-return.ts';
import { naiveReturnPpm } from './follower-return.test-model.ts';

const DEEP = 1e15;
const mark = (side: Mark['side'], price: string, liquidityUsd: number | null, delayMinutes = 1): Mark => ({
  side,
  price,
  liquidityUsd,
  delayMinutes,
});
const returnOf = (open: [string, number | null], end: [string, number | null], stakeUsd = 1_000) =>
  followerReturn([mark('open', ...open), mark('end', ...end)], { stakeUsd });

it('the follower return matches How We Count: 1,000 USD from $2 to $3 becomes 1,410.32 USD', () => {
  // Tokens: 997 / (2 × (1 + 997 / 50,000)) = 488.7542. Worth: 488.7542 × 0.997 × 3 = 1,461.8639.
  // Proceeds: 1,461.8639 / (1 + 1,461.8639 / 40,000) = 1,410.3215.
  expect(returnOf(['2', 100_000], ['3', 80_000])).toBe(41.0321);
});

it.each([
  ['the first mark is missing', [mark('end', '1', DEEP)]],
  ['the second mark is missing', [mark('open', '1', DEEP)]],
  ['both marks are missing', []],
  ['the first mark exists twice', [mark('open', '1', DEEP), mark('open', '2', DEEP), mark('end', '1', DEEP)]],
  ['the second mark exists twice', [mark('open', '1', DEEP), mark('end', '2', DEEP), mark('end', '1', DEEP)]],
  ['the marks have other delays', [mark('open', '1', DEEP), mark('end', '2', DEEP, 5)]],
  ['the first liquidity is unknown', [mark('open', '1', null), mark('end', '2', DEEP)]],
  ['the second liquidity is unknown', [mark('open', '1', DEEP), mark('end', '2', null)]],
  ['a liquidity is 0', [mark('open', '1', 0), mark('end', '2', DEEP)]],
  ['a price is 0', [mark('open', '0', DEEP), mark('end', '2', DEEP)]],
])('the follower return is unknown if %s', (_, marks) => {
  expect(followerReturn(marks)).toBeNull();
});

it('the follower return of each delay is computed from the marks with this delay', () => {
  const marks = [1, 5, 60].flatMap((delay) => [
    mark('open', '1', DEEP, delay),
    mark('end', String(1 + delay), DEEP, delay),
  ]);
  expect(followerReturns(marks).map(({ delayMinutes, percents }) => [delayMinutes, percents[1]])).toEqual([
    [1, 98.8018],
    [5, 496.4054],
    [15, null],
    [60, 5963.4549],
  ]);
});

it('the follower return equals a computation in exact fractions for random marks', () => {
  const decimal = fc
    .record({ digits: fc.integer({ min: 1, max: 99_999_999 }), exponent: fc.integer({ min: -15, max: 3 }) })
    .map(({ digits, exponent }) => (digits * 10 ** exponent).toFixed(20).replace(/\.?0+$/, ''))
    .filter((text) => Number(text) > 0);
  const liquidity = fc.oneof(
    fc.constantFrom(null, 0),
    fc.integer({ min: 1, max: 10_000_000_000 }).map((cents) => cents / 100),
  );
  fc.assert(
    fc.property(
      decimal,
      fc.integer({ min: 1, max: 5_000 }),
      liquidity,
      liquidity,
      fc.constantFrom(...FOLLOWER_STAKES_USD),
      (price, percent, before, after, stakeUsd) => {
        const entry = { price, liquidityUsd: before };
        const end = { price: ((Number(price) * percent) / 100).toFixed(24), liquidityUsd: after };
        fc.pre(Number(end.price) > 0);
        expect(followerReturnPpm({ entry, end, stakeUsd })).toBe(naiveReturnPpm(entry, end, stakeUsd));
      },
    ),
    { numRuns: 3_000, seed: 40 },
  );
});

it.each([
  ['on the due time', 0, true],
  ['at the end of the window', MARK_WINDOW_MS, true],
  ['a millisecond early', -1, false],
  ['a millisecond late', MARK_WINDOW_MS + 1, false],
])('a mark that was seen %s (%d ms) is on time: %s', (_, offset, expected) => {
  expect(isOnTime({ dueAt: 1_000_000, seenAt: 1_000_000 + offset })).toBe(expected);
});

it.each([
  ['stays below the change of the call', 280_000, 41.2, 280_000],
  ['is at most the change of the call', 9_000_000, 41.2, 412_000],
  ['is at most 0 for a gain that counts as 0%', 280_000, 0, 0],
  ['is at most the loss of the call', 280_000, -12.5, -125_000],
])('the counted follower return %s', (_, ppm, change, expected) => {
  expect(countedReturnPpm(ppm, change)).toBe(expected);
});
