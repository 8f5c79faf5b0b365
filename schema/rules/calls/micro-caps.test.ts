import { expect, it } from 'vitest';
import { microCapRecord, type MicroCapResult } from './micro-caps.ts';

const result = (calledAt: number, percent: number | null): MicroCapResult => ({
  calledAt,
  ppm: percent === null ? null : percent * 10_000,
});
const results = [result(9, 50), result(8, -100), result(7, 10), result(6, 30), result(5, null)];

it('a record of micro-caps needs five ended calls', () => {
  expect(microCapRecord(results.slice(1), null)).toBeNull();
  expect(microCapRecord(results, null)).toEqual({
    calls: 5,
    callsWithoutResult: 1,
    waitingGains: 0,
    wonShare: 75,
    averageResult: -2.5,
    worstResult: -100,
  });
});

it('a gain counts in a record of micro-caps if it was opened before the oldest open call, and a loss at once', () => {
  expect(microCapRecord(results, 6)).toMatchObject({
    calls: 5,
    waitingGains: 3,
    wonShare: 0,
    averageResult: -100,
  });
  expect(microCapRecord(results, 9)).toMatchObject({ waitingGains: 1 });
  const gains = results.map((each) => ({ ...each, ppm: 1 }));
  expect(microCapRecord(gains, 0)).toMatchObject({ waitingGains: 5, wonShare: null, worstResult: null });
});
