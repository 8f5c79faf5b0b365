import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS } from '#schema/constants/time.ts';
import { naiveHistory, naiveStatistics, type NaiveCall } from './performance.test-model.ts';
import { formatChange } from '../text/format.ts';
import { changePercent, changeSinceEntry, isWin } from './change-percent.ts';
import {
  averageReturn,
  countedCall,
  describeEndedCalls,
  filterEndedInLastDays,
  markToMarket,
  multipleOf,
  winRate,
} from './performance.ts';

// Specification 2.168
it.each([
  ['1', '2', 100],
  ['2', '1', -50],
  ['0.00000001', '0.00000002', 100],
  ['98765.4321', '98765.4321', 0],
  ['2', '0', -100],
])('changePercent from %s to %s is %s', (entry, end, change) => {
  expect(changePercent(entry, end)).toBeCloseTo(change, 9);
});

it('changeSinceEntry uses the end price, or else the current price, and is null without both', () => {
  const lastPrice = { price: '3' };
  expect(changeSinceEntry({ entryPrice: '2', endPrice: '1', lastPrice })).toBe(-50);
  expect(changeSinceEntry({ entryPrice: '2', lastPrice })).toBe(50);
  expect(changeSinceEntry({ entryPrice: '2' })).toBeNull();
});

it.each([
  ['2', '3', 1.5],
  ['0.00000001', '0.00000124', 124],
  ['3', '3', 1],
  ['1', '0.001', 0.001],
  ['0.00002', '0.0000317', 1.585],
  ['40000', '0.00000001', 2.5e-13],
  ['2', '0', 0],
])('multipleOf from %s to %s is %s', (entryPrice, endPrice, multiple) => {
  expect(multipleOf({ entryPrice, endPrice })).toBe(multiple);
});

// Specification 9.26
it.each([
  [0.0000001, true],
  [0, false],
  [-0, false],
  [-1, false],
])('isWin of a change of %s percent is %s', (change, isWon) => {
  expect(isWin(change)).toBe(isWon);
});

// Specification 9.26, 9.28
it.each([
  [[], null, null],
  [[10], 100, 10],
  [[0], 0, 0],
  [[10, -10], 50, 0],
  [[50, 0, -20, 30], 50, 15],
])('the changes %j have the win rate %s and the average return %s', (changes, rate, average) => {
  expect(winRate(changes)).toBe(rate);
  expect(averageReturn(changes)).toBe(average);
});

it('the win rate is from 0 to 100, and the average return between the worst and the best call', () => {
  const changes = fc.array(fc.double({ min: -100, max: 1e6, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(changes, (all) => {
      const rate = winRate(all) ?? -1;
      const average = averageReturn(all) ?? Number.NaN;
      return (
        rate >= 0 && rate <= 100 && average >= Math.min(...all) - 1e-6 && average <= Math.max(...all) + 1e-6
      );
    }),
  );
});

const call = (entryPrice: string, endPrice: string) => ({ entryPrice, endPrice });

const ended = { entryPrice: '2', endPrice: '5', changePercent: 150, endedAt: 7, peakPrice: '6' };

it('countedCall does not change a result that counts', () =>
  expect(countedCall({ ...ended, uncountedGainReason: null })).toEqual(ended));

it.each(['short_hold', 'one_source'] as const)(
  'countedCall sets the end to the entry and removes the peak if the gain does not count (%s)',
  (uncountedGainReason) =>
    expect(countedCall({ ...ended, uncountedGainReason })).toEqual({
      ...ended,
      endPrice: '2',
      changePercent: 0,
      peakPrice: null,
    }),
);

it('markToMarket returns the mean change of the open calls whose price is known', () => {
  expect(markToMarket([])).toBeNull();
  expect(markToMarket([{ entryPrice: '1', lastPrice: null }])).toBeNull();
  expect(
    markToMarket([
      { entryPrice: '1', lastPrice: '0.4' },
      { entryPrice: '2', lastPrice: '3' },
      { entryPrice: '1', lastPrice: null },
    ]),
  ).toBe(-5);
});

const now = 200 * DAY_MS;
const shown = (value: number | null) => (value === null ? null : formatChange(value));
const asCounted = ({ entryPrice, endPrice, peakPrice, endedAt, doesGainCount }: NaiveCall) => {
  const change = changePercent(entryPrice, endPrice);
  const uncountedGainReason = doesGainCount || change <= 0 ? null : 'short_hold';
  return countedCall({
    entryPrice,
    endPrice,
    peakPrice,
    endedAt,
    changePercent: change,
    uncountedGainReason,
  });
};

it('the statistics of random histories equal a naive computation, to the displayed decimal', () => {
  fc.assert(
    fc.property(naiveHistory({ now, maxCalls: 40 }), (history) => {
      const ranked = history.filter(({ isRanked }) => isRanked).map(asCounted);
      for (const days of [30, 90, null]) {
        const ours = describeEndedCalls(
          days === null ? ranked : filterEndedInLastDays(ranked, { days, now }),
        );
        const naive = naiveStatistics(history, { days, now });
        expect(Object.fromEntries(Object.entries(ours).map(([name, value]) => [name, shown(value)]))).toEqual(
          Object.fromEntries(Object.entries(naive).map(([name, value]) => [name, shown(value)])),
        );
      }
    }),
    { numRuns: 3_000 },
  );
});

it('the median of 10.1% and 10.2% is exactly 10.15%, without a floating-point error', () => {
  expect(
    describeEndedCalls(
      [call('1', '1.101'), call('1', '1.102')].map((each) =>
        asCounted({ ...each, peakPrice: null, endedAt: 0, isRanked: true, doesGainCount: true }),
      ),
    ).medianReturn,
  ).toBe(10.15);
});
