import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averageReturn, changePercent, isWin, winRate } from './performance.ts';

describe('changePercent', () => {
  it.each([
    ['1', '2', 100],
    ['2', '1', -50],
    ['0.00000001', '0.00000002', 100],
    ['98765.4321', '98765.4321', 0],
  ])('from %s to %s', (entry, end, change) => {
    expect(changePercent(entry, end)).toBeCloseTo(change, 9);
  });
});

describe('isWin', () => {
  it.each([
    [0.0000001, true],
    [0, false],
    [-0, false],
    [-1, false],
  ])('of %s is %s', (change, isWon) => {
    expect(isWin(change)).toBe(isWon);
  });
});

describe('winRate and averageReturn', () => {
  it.each([
    [[], null, null],
    [[10], 100, 10],
    [[0], 0, 0],
    [[10, -10], 50, 0],
    [[50, 0, -20, 30], 50, 15],
  ])('of %j', (changes, rate, average) => {
    expect(winRate(changes)).toBe(rate);
    expect(averageReturn(changes)).toBe(average);
  });

  it('lie between what the calls were', () => {
    const changes = fc.array(fc.double({ min: -100, max: 1e6, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(changes, (all) => {
        const rate = winRate(all) ?? -1;
        const average = averageReturn(all) ?? Number.NaN;
        return rate >= 0 && rate <= 100 && average >= Math.min(...all) - 1e-6 && average <= Math.max(...all) + 1e-6;
      }),
    );
  });
});
