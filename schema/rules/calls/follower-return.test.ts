import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FOLLOWER_STAKES_USD, MARK_DELAY_MS, MARK_WINDOW_MS } from '#schema/constants/market.ts';
import { changePercent } from './change-percent.ts';
import { followerResult, isMark, resultsByStake, type FollowedCall, type Mark } from './follower-return.ts';
import { naiveResult, naiveReturnPpm } from './follower-return.test-model.ts';

const DEEP = 1e15;
const mark = (price: string, liquidityUsd: number | null = DEEP): Mark => ({ price, liquidityUsd });
const call: FollowedCall = {
  endPrice: '3',
  changePercent: 50,
  countedChange: 50,
  open: mark('2', 100_000),
  end: mark('3', 80_000),
};
const loss = { endPrice: '1', changePercent: -50, countedChange: -50 };

it('the follower result matches How We Count: 1,000 USD from $2 to $3 becomes 1,410.32 USD', () => {
  // Tokens: 997 / (2 × (1 + 997 / 50,000)) = 488.7542. Worth: 488.7542 × 0.997 × 3 = 1,461.8639.
  // Proceeds: 1,461.8639 / (1 + 1,461.8639 / 40,000) = 1,410.3215.
  expect(followerResult(call)).toEqual({ rule: 'marks', ppm: 410_321 });
});

it.each<[string, Partial<FollowedCall>, string, number | null]>([
  ['is at most the change of the call', { end: mark('30'), countedChange: 41.2 }, 'marks', 412_000],
  ['is at most 0% for a gain that counts as 0%', { countedChange: 0 }, 'marks', 0],
  ['is at most +200%', { end: mark('90'), changePercent: 4_400, countedChange: 4_400 }, 'marks', 2_000_000],
  ['can be below the loss of the call', { ...loss, end: mark('0.5') }, 'marks', -756_356],
  ['is -100% if the call ended at 0', { endPrice: '0', open: 'outage' }, 'ended_at_zero', -1_000_000],
  ['is -100% without liquidity at the sale', { end: mark('3', 0) }, 'no_liquidity', -1_000_000],
  ['is missing for a gain without a mark', { end: 'unpriced' }, 'gain_without_mark', null],
  [
    'is missing for a flat call without a mark',
    { changePercent: 0, end: 'unpriced' },
    'gain_without_mark',
    null,
  ],
  ['is the call’s loss without a mark', { ...loss, open: 'unpriced' }, 'loss_without_mark', -500_000],
  [
    'is the call’s loss if the liquidity is unknown',
    { ...loss, end: mark('3', null) },
    'loss_without_mark',
    -500_000,
  ],
  [
    'is the call’s loss if nothing could be bought',
    { ...loss, open: mark('2', 0) },
    'loss_without_mark',
    -500_000,
  ],
  ['is missing for a loss during our outage', { ...loss, open: 'outage' }, 'outage', null],
  ['is missing for a gain during our outage', { end: 'outage' }, 'outage', null],
])('the follower result %s', (_, change, rule, ppm) => {
  expect(followerResult({ ...call, ...change })).toEqual({ rule, ppm });
});

it('the follower results of larger stakes are lower', () => {
  expect(resultsByStake(call)).toEqual([48.2531, 41.0321, -5.1611]);
});

it('the follower result equals a computation in exact fractions for random calls and stakes', () => {
  const decimal = fc
    .record({ digits: fc.integer({ min: 1, max: 99_999_999 }), exponent: fc.integer({ min: -15, max: 3 }) })
    .map(({ digits, exponent }) => (digits * 10 ** exponent).toFixed(20).replace(/\.?0+$/, ''))
    .filter((text) => Number(text) > 0);
  const liquidity = fc.oneof(
    fc.constantFrom(null, 0),
    fc.integer({ min: 1, max: 10_000_000_000 }).map((cents) => cents / 100),
  );
  const missing = fc.constantFrom<'unpriced' | 'outage' | 'mark'>(
    'unpriced',
    'outage',
    'mark',
    'mark',
    'mark',
  );
  const naive = (each: Mark) => {
    if (typeof each === 'object') return each;
    return each === 'outage' ? undefined : null;
  };
  fc.assert(
    fc.property(
      decimal,
      fc.tuple(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 1, max: 5_000 })),
      fc.tuple(liquidity, liquidity),
      fc.tuple(missing, missing),
      fc.boolean(),
      (price, [endPercent, markPercent], [before, after], [openKind, endKind], isUncounted) => {
        const at = (percent: number) => ((Number(price) * percent) / 100).toFixed(24);
        const endPrice = endPercent === 0 ? '0' : at(endPercent);
        fc.pre(endPercent === 0 || Number(endPrice) > 0);
        fc.pre(Number(at(markPercent)) > 0);
        const change = changePercent(price, endPrice);
        const open: Mark = openKind === 'mark' ? { price, liquidityUsd: before } : openKind;
        const end: Mark = endKind === 'mark' ? { price: at(markPercent), liquidityUsd: after } : endKind;
        const isZeroed = isUncounted && change > 0;
        const followed = {
          endPrice,
          changePercent: change,
          countedChange: isZeroed ? 0 : change,
          open,
          end,
        };
        const { ppm } = followerResult(followed);
        const expected = naiveResult({
          entryPrice: price,
          endPrice,
          isUncounted: isZeroed,
          open: naive(open),
          end: naive(end),
        });
        // A change is stored as a double, so a half may be rounded to the other side.
        expect(Math.abs((ppm ?? 9e9) - (expected ?? 9e9))).toBeLessThanOrEqual(change > 1e9 ? 1 : 0);
        if (typeof open === 'object' && typeof end === 'object' && Number(endPrice) > 0 && after !== 0) {
          for (const stakeUsd of FOLLOWER_STAKES_USD) {
            const traded = naiveReturnPpm(open, end, stakeUsd);
            const most = { ...followed, countedChange: 1e9 };
            if (traded !== null) expect(followerResult(most, stakeUsd).ppm).toBe(Math.min(traded, 2_000_000));
          }
        }
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
])('a price seen %s (%d ms after the mark is due) can be a mark: %s', (_, offset, expected) => {
  expect(isMark({ at: 1_000_000, seenAt: 1_000_000 + MARK_DELAY_MS + offset })).toBe(expected);
});
