import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants.ts';
import { timeTicks, valueTicks } from './line-chart-ticks.ts';

const start = Date.UTC(2026, 8, 20, 15, 27, 10);
const labels = (length: number, timeZone?: 'UTC') =>
  timeTicks({ start, end: start + length, timeZone }).map(({ label }) => label);

describe('valueTicks', () => {
  it.each([
    [{ low: 0, high: 10 }, [0, 2, 4, 6, 8, 10]],
    [{ low: -0.2, high: 0.31 }, [-0.2, -0.1, 0, 0.1, 0.2, 0.3]],
    [{ low: 0.0000021, high: 0.0000029 }, [0.0000022, 0.0000024, 0.0000026, 0.0000028]],
  ])('the value axis of %o has round values', (range, expected) => {
    const ticks = valueTicks(range);
    expect(ticks).toHaveLength(expected.length);
    ticks.forEach((tick, index) => expect(tick).toBeCloseTo(expected[index] ?? 0, 12));
  });

  it('the value axis has zero without a rounding error or a minus', () => {
    expect(valueTicks({ low: -0.00013, high: 0.0007 }).filter((tick) => Object.is(tick, 0))).toHaveLength(1);
  });

  it('the value axis has two to eight values for any range', () => {
    const numbers = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    const spans = fc.double({ min: 1e-6, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(numbers, spans, (low, span) => {
        const { length } = valueTicks({ low, high: low + span });
        return length >= 2 && length <= 8;
      }),
    );
  });
});

describe('timeTicks', () => {
  it.each([
    [30 * SECOND_MS, ['3:27:10 PM', '3:27:15 PM', '3:27:20 PM', '3:27:25 PM', '3:27:30 PM']],
    [25 * MINUTE_MS, ['3:30 PM', '3:35 PM', '3:40 PM', '3:45 PM', '3:50 PM']],
    [15 * HOUR_MS, ['6:00 PM', '9:00 PM', 'Sep 21', '3:00 AM', '6:00 AM']],
    [5 * DAY_MS, ['Sep 21', 'Sep 22', 'Sep 23', 'Sep 24', 'Sep 25']],
    [150 * DAY_MS, ['Oct', 'Nov', 'Dec', '2027', 'Feb']],
    [2.5 * 365 * DAY_MS, ['2027', 'Jul', '2028', 'Jul', '2029']],
    [9 * 365 * DAY_MS, ['2028', '2030', '2032', '2034']],
  ])('the time axis of a line of %i ms has the labels %o', (length, expected) => {
    expect(labels(length, 'UTC')).toEqual(expect.arrayContaining(expected));
    expect(labels(length, 'UTC').length).toBeLessThanOrEqual(7);
  });

  it('the time axis begins days at midnight in the viewer’s time zone, also after the clocks change', () => {
    const change = start + 3 * DAY_MS;
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockImplementation(function (this: Date) {
      return this.getTime() < change ? -120 : -60;
    });
    const ticks = timeTicks({ start, end: start + 5 * DAY_MS, timeZone: undefined });
    expect(ticks.map(({ at, label }) => [label, new Date(at).toISOString().slice(5, 16)])).toEqual([
      ['Sep 21', '09-20T22:00'],
      ['Sep 22', '09-21T22:00'],
      ['Sep 23', '09-22T22:00'],
      ['Sep 24', '09-23T23:00'],
      ['Sep 25', '09-24T23:00'],
    ]);
  });

  it('the time axis has at most seven times, all within the line', () => {
    const lengths = fc.integer({ min: 1_000, max: 15 * 365 * DAY_MS });
    fc.assert(
      fc.property(lengths, (length) => {
        const ticks = timeTicks({ start, end: start + length, timeZone: 'UTC' });
        return ticks.length <= 7 && ticks.every(({ at }) => at >= start && at <= start + length);
      }),
    );
  });
});
