import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FOLLOWER_STAKES_USD, MARK_DELAY_MS, MARK_WINDOW_MS } from '#schema/constants/market.ts';
import { HOUR_MS } from '#schema/constants/time.ts';
import { changePercent } from './change-percent.ts';
import {
  followerResult,
  isMark,
  resultInSol,
  resultsByStake,
  type FollowedCall,
  type Mark,
} from './follower-return.ts';
import { naiveResult, naiveReturnPpm, naiveSolResult } from './follower-return.test-model.ts';

const DEEP = 1e15;
const mark = (price: string, liquidityUsd: number | null = DEEP): Mark => ({
  price,
  liquidityUsd,
  solPriceUsd: '150',
});
const UNPRICED: Mark = { price: null, liquidityUsd: null, solPriceUsd: '150' };
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
  ['is -100% if the call ended at 0', { endPrice: '0', open: null }, 'ended_at_zero', -1_000_000],
  ['is -100% without liquidity at the sale', { end: mark('3', 0) }, 'no_liquidity', -1_000_000],
  ['is missing for a gain without a mark', { end: UNPRICED }, 'gain_without_mark', null],
  [
    'is missing for a flat call without a mark',
    { changePercent: 0, end: UNPRICED },
    'gain_without_mark',
    null,
  ],
  ['is the call’s loss without a mark', { ...loss, open: UNPRICED }, 'loss_without_mark', -500_000],
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
  ['is the call’s loss during our outage', { ...loss, open: null }, 'loss_without_mark', -500_000],
  ['is missing for a gain during our outage', { end: null }, 'gain_without_mark', null],
])('the follower result %s', (_, change, rule, ppm) => {
  expect(followerResult({ ...call, ...change })).toEqual({ rule, ppm });
});

const held = { ...call, calledAt: 0, endedAt: HOUR_MS };
const solAt = (each: Mark | null, solPriceUsd: string | null) => each && { ...each, solPriceUsd };

it.each<[string, Partial<typeof held>, number | null]>([
  ['is the result while SOL stands still', {}, 410_321],
  ['is lower if SOL rises', { end: solAt(call.end, '300') }, -294_839],
  ['can be a gain while the call loses', { ...loss, end: solAt(mark('1'), '50') }, 461_864],
  ['is at most +200%', { end: solAt(call.end, '15') }, 2_000_000],
  [
    'rounds a half up, which doubles make smaller',
    { open: solAt(call.open, '106.3'), end: solAt(call.end, '127.56') },
    175_268,
  ],
  ['is 0 for a gain that counts as 0%', { countedChange: 0, end: solAt(call.end, '15') }, 0],
  [
    'is 0 for a gain in SOL within ten minutes',
    { ...loss, end: solAt(mark('1'), '50'), endedAt: 599_999 },
    0,
  ],
  ['is a loss in SOL within ten minutes', { end: solAt(call.end, '300'), endedAt: 599_999 }, -294_839],
  ['is 0 for a gain without SOL’s price', { end: solAt(call.end, null) }, 0],
  ['is the call’s own loss without SOL’s price', { ...loss, end: solAt(mark('0.8'), null) }, -500_000],
  ['is -100% without liquidity or SOL’s price', { open: null, end: mark('3', 0) }, -1_000_000],
  ['is missing without a result', { end: UNPRICED }, null],
])('the follower result in SOL %s', (_, change, solPpm) => {
  const changed = { ...held, ...change };
  expect(resultInSol(changed, followerResult(changed))).toBe(solPpm);
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
  const missing = fc.constantFrom('unpriced', 'missing', 'mark', 'mark', 'mark');
  const solPrice = fc.option(fc.integer({ min: 5_001, max: 40_000 }).map((cents) => `${cents / 100}`));
  const marked = (kind: string, each: Mark) => {
    if (kind === 'missing') return null;
    return kind === 'mark' ? each : { ...each, price: null, liquidityUsd: null };
  };
  fc.assert(
    fc.property(
      decimal,
      fc.tuple(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 1, max: 5_000 })),
      fc.tuple(liquidity, liquidity),
      fc.tuple(missing, missing),
      fc.tuple(solPrice, solPrice),
      fc.tuple(fc.boolean(), fc.integer({ min: 0, max: HOUR_MS })),
      (
        price,
        [endPercent, markPercent],
        [before, after],
        [openKind, endKind],
        sol,
        [isUncounted, endedAt],
      ) => {
        const at = (percent: number) => ((Number(price) * percent) / 100).toFixed(24);
        const endPrice = endPercent === 0 ? '0' : at(endPercent);
        fc.pre(endPercent === 0 || Number(endPrice) > 0);
        fc.pre(Number(at(markPercent)) > 0);
        const change = changePercent(price, endPrice);
        const open = marked(openKind, { price, liquidityUsd: before, solPriceUsd: sol[0] });
        const end = marked(endKind, { price: at(markPercent), liquidityUsd: after, solPriceUsd: sol[1] });
        const isZeroed = isUncounted && change > 0;
        const followed = {
          endPrice,
          changePercent: change,
          countedChange: isZeroed ? 0 : change,
          open,
          end,
          calledAt: 0,
          endedAt,
        };
        const result = followerResult(followed);
        const naive = { ...followed, entryPrice: price, isUncounted: isZeroed };
        const expectSame = (one: number | null, other: number | null, most: number) =>
          expect(Math.abs((one ?? 9e9) - (other ?? 9e9))).toBeLessThanOrEqual(most);
        // A change is stored as a double, so a half may be rounded to the other side.
        const rounding = change > 1e9 ? 1 : 0;
        expectSame(result.ppm, naiveResult(naive), rounding);
        expectSame(resultInSol(followed, result), naiveSolResult(naive), rounding);
        if (Number(endPrice) > 0 && end?.liquidityUsd !== 0) {
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
