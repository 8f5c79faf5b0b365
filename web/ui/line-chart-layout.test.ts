import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  joinLine,
  placeInTime,
  toUnixSeconds,
  type LineChartMark,
  type LineChartPoint,
} from './line-chart-layout.ts';

const at = (seconds: number) => new Date(1_795_000_000_000 + seconds * 1_000).toISOString();
const point = (seconds: number, value: number): LineChartPoint => ({ at: at(seconds), value });
const mark = (seconds: number, value: number): LineChartMark => ({
  ...point(seconds, value),
  label: 'Peak',
  tone: 'peak',
});

describe('joinLine', () => {
  it('returns one value per second, oldest first, and prefers a mark to a point', () => {
    expect(joinLine([point(60, 3), point(0, 1), point(60.4, 4)], [mark(0, 2), mark(30, 9)])).toEqual(
      [mark(0, 2), mark(30, 9), point(60.4, 4)].map(({ at, value }) => ({ at, value })),
    );
  });

  it('leaves out invalid values and times', () => {
    expect(joinLine([point(0, Number.NaN), { at: 'never', value: 1 }, point(1, 2)])).toEqual([point(1, 2)]);
  });
});

describe('placeInTime', () => {
  it('gives each day the same width, however many values it has', () => {
    const day = 86_400;
    const hourly = Array.from({ length: 24 }, (_, hour) => point(hour * 3_600, 1));
    const dense = Array.from({ length: 288 }, (_, interval) => point(day + interval * 300, 2));
    const { places, margin } = placeInTime({
      line: joinLine([...hourly, ...dense]),
      marks: [],
      margin: 0.05,
    });
    const half = toUnixSeconds(at(day));
    const [before, after] = [
      places.filter(({ time }) => time < half).length - margin,
      places.filter(({ time }) => time >= half).length,
    ];
    expect(Math.abs(before - after)).toBeLessThan(5);
  });

  it('returns a limited number of places in ascending order, with both ends and every mark', () => {
    const moments = fc.array(
      fc.record({
        seconds: fc.integer({ min: 0, max: 3_000_000 }),
        value: fc.double({ min: 1e-12, max: 1e6, noNaN: true }),
      }),
      { maxLength: 400 },
    );
    fc.assert(
      fc.property(moments, moments, (some, others) => {
        const marks = others.slice(0, 3).map(({ seconds, value }) => mark(seconds, value));
        const line = joinLine(
          some.map(({ seconds, value }) => point(seconds, value)),
          marks,
        );
        const { places, margin } = placeInTime({ line, marks, margin: 0.1 });
        if (line.length < 2) return places.length === 0;
        const values = new Map(places.map(({ time, value }) => [time, value]));
        return (
          places.every(
            ({ time }, index) =>
              Number.isInteger(time) && (index === 0 || time > (places[index - 1]?.time ?? 0)),
          ) &&
          places.length <= 335 &&
          places.slice(0, margin).every(({ value }) => value === undefined) &&
          places[margin]?.value !== undefined &&
          [line[0], line.at(-1), ...line.filter((point) => marks.some(({ at }) => at === point.at))].every(
            (kept) => kept !== undefined && values.get(toUnixSeconds(kept.at)) === kept.value,
          )
        );
      }),
    );
  });
});
