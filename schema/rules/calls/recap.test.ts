import { expect, it } from 'vitest';
import { recapOf, weekStart, type RecapCall } from './recap.ts';

const call = (symbol: string, countedChange: number | null): RecapCall => ({ symbol, countedChange });

it('a recap counts all ended calls, but computes its figures from ranked calls only', () => {
  expect(recapOf([call('A', 50), call('B', null), call('C', -20), call('D', 0)])).toEqual({
    endedCalls: 4,
    rankedCalls: 3,
    winRate: (1 / 3) * 100,
    avgReturn: 10,
    best: { symbol: 'A', countedChange: 50 },
    worst: { symbol: 'C', countedChange: -20 },
  });
});

it('a recap of a single ranked call names no worst call, and a recap without ranked calls has no figures', () => {
  expect(recapOf([call('A', 50)])).toMatchObject({ best: { symbol: 'A' }, worst: null });
  expect(recapOf([call('B', null)])).toEqual({
    endedCalls: 1,
    rankedCalls: 0,
    winRate: null,
    avgReturn: null,
    best: null,
    worst: null,
  });
});

it.each([
  ['2026-11-23T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
  ['2026-11-29T23:59:59.999Z', '2026-11-23T00:00:00.000Z'],
  ['2026-11-27T16:00:00.000Z', '2026-11-23T00:00:00.000Z'],
  ['2027-01-01T12:00:00.000Z', '2026-12-28T00:00:00.000Z'],
])('the week of %s begins on Monday, %s', (at, monday) => {
  expect(new Date(weekStart(Date.parse(at))).toISOString()).toBe(monday);
});
