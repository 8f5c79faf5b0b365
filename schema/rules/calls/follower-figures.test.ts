import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FOLLOWER_FIGURES_CALLS } from '#schema/constants/market.ts';
import { DAY_MS, HOUR_MS } from '#schema/constants/time.ts';
import { followerFigures, type RecordedResult } from './follower-figures.ts';
import { naiveFigures } from './follower-return.test-model.ts';
import { studentT } from './student-t.ts';

const NOW = 20_000 * DAY_MS;
/** Results in percent, newest first, each on another day and mint. */
const resultsOf = (percents: readonly (number | null)[]): RecordedResult[] =>
  percents.map((percent, index) => ({
    mint: `mint-${index}`,
    calledAt: NOW - index * DAY_MS,
    ppm: percent === null ? null : percent * 10_000,
    isLate: false,
  }));
const STEADY = [20, 4, 20, 4, 20, 4, 20, 4, 20, 4];
const steady = resultsOf(STEADY);

it('the Proven figure of ten results equals a computation by hand', () => {
  // m = 12, each deviation is 8: se² = 10/9 × 10 × 8² / 10² = 7.1111, se = 2.6667, t = 2.2622.
  const figures = followerFigures(steady, null);
  expect(figures).toMatchObject({ calls: 10, callsWithoutResult: 0, followerReturn: 12, provenDays: 10 });
  expect(figures.proven).toBeCloseTo(12 - 2.2622 * 2.666_666_666_667, 9);
});

it.each<[string, readonly RecordedResult[]]>([
  ['calls on only nine days', steady.map((each, index) => (index === 9 ? { ...each, calledAt: NOW } : each))],
  [
    'calls on only nine mints',
    steady.map((each, index) => (index === 9 ? { ...each, mint: 'mint-0' } : each)),
  ],
  ['only nine results', steady.slice(1)],
  ['no result', resultsOf([null, null])],
  ['no ended call', []],
])('a caller with %s has no Proven figure', (_, results) => {
  expect(followerFigures(results, null).proven).toBeNull();
});

it('a gain counts only after all earlier calls have ended, and a loss counts at once', () => {
  const results = resultsOf([-10, ...STEADY]);
  const openedBefore = NOW - 10.5 * DAY_MS;
  expect(followerFigures(results, null)).toMatchObject({ provenDays: 11, calls: 11 });
  expect(followerFigures(results, openedBefore)).toMatchObject({ provenDays: 1, calls: 11, proven: null });
  expect(followerFigures(results, NOW - 4.5 * DAY_MS)).toMatchObject({ provenDays: 7, followerReturn: 10 });
});

it('a gain that doesn’t count yet still takes a place among the newest results', () => {
  const results = resultsOf([...Array.from({ length: FOLLOWER_FIGURES_CALLS }, () => 5), -99]);
  expect(followerFigures(results, 0)).toMatchObject({ calls: FOLLOWER_FIGURES_CALLS, provenDays: 0 });
});

it('a gain logged late counts as 0, and a loss logged late counts in full', () => {
  const late = resultsOf([30, ...STEADY]).map((each, index) => ({ ...each, isLate: index === 0 }));
  expect(followerFigures(late, null).proven).toBe(followerFigures(resultsOf([0, ...STEADY]), null).proven);
  const lost = resultsOf([-30, ...STEADY]);
  const lateLoss = lost.map((each, index) => ({ ...each, isLate: index === 0 }));
  expect(followerFigures(lateLoss, null)).toEqual(followerFigures(lost, null));
});

it.each<[string, (index: number) => Partial<RecordedResult>]>([
  ['of one lucky hour', (index) => ({ mint: `more-${index}`, calledAt: NOW + index })],
  ['on one lucky mint', (index) => ({ mint: 'more', calledAt: NOW + index * DAY_MS })],
])('ten winning calls %s do not raise the Proven figure of a losing caller above 0', (_, change) => {
  const flat = resultsOf(STEADY.map(() => -1.6));
  const lucky = Array.from({ length: 10 }, (__, index) => ({
    ...change(index),
    ppm: 300_000,
    isLate: false,
  }));
  const { followerReturn, proven } = followerFigures([...lucky, ...flat] as RecordedResult[], null);
  expect(followerReturn).toBe(14.2);
  expect(proven).toBeLessThan(0);
});

it('the follower figures of random records equal a computation in exact fractions', () => {
  const record = fc.record({
    mint: fc.integer({ min: 0, max: 30 }).map((number) => `mint-${number}`),
    calledAt: fc.integer({ min: NOW / HOUR_MS - 1_500, max: NOW / HOUR_MS }).map((hour) => hour * HOUR_MS),
    ppm: fc.option(fc.integer({ min: -1_000_000, max: 2_000_000 }), { freq: 9 }),
    isLate: fc.boolean(),
  });
  const oldestOpenAt = fc.option(fc.integer({ min: NOW - 60 * DAY_MS, max: NOW }));
  fc.assert(
    fc.property(fc.array(record, { maxLength: 230, size: 'max' }), oldestOpenAt, (records, openAt) => {
      const { proven, ...exact } = followerFigures(records, openAt);
      const { proven: expected, ...others } = naiveFigures(records, openAt);
      expect(exact).toEqual(others);
      expect(proven === null).toBe(expected === null);
      const difference = Math.abs((proven ?? 0) - (expected ?? 0));
      expect(difference).toBeLessThanOrEqual(1e-12 * Math.max(100, Math.abs(expected ?? 0)));
    }),
    { numRuns: 1_000, seed: 41 },
  );
});

it.each([
  [9, 2.2622],
  [10, 2.2281],
  [30, 2.0423],
  [120, 1.9799],
  [199, 1.972],
])("Student's t with %d degrees of freedom is %d", (degrees, quantile) => {
  expect(studentT(degrees)).toBe(quantile);
});
