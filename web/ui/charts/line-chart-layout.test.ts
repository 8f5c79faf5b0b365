import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mergePointsAndMarks,
  layoutLine,
  nearestPoint,
  PLOT_HEIGHT,
  downsampleLine,
  type LineChartMark,
  type LineChartPoint,
} from './line-chart-layout.ts';

const at = (seconds: number) => new Date(1_795_000_000_000 + seconds * 1_000).toISOString();
const point = (seconds: number, value: number): LineChartPoint => ({ at: at(seconds), value });
const mark = (seconds: number, value: number, tone: LineChartMark['tone'] = 'peak'): LineChartMark => ({
  ...point(seconds, value),
  label: tone,
  tone,
});
const timestamps = fc.array(
  fc.record({
    seconds: fc.integer({ min: 0, max: 3_000_000 }),
    value: fc.double({ min: 1e-12, max: 1e6, noNaN: true }),
  }),
  { maxLength: 400 },
);
const layout = (line: readonly LineChartPoint[], marks: readonly LineChartMark[] = []) =>
  layoutLine({ line, marks, baseline: line[0]?.value ?? 0, formatValue: String, timeZone: 'UTC' });

describe('mergePointsAndMarks', () => {
  it('mergePointsAndMarks returns one value per second, oldest first, and prefers a mark to a point', () => {
    expect(
      mergePointsAndMarks([point(60, 3), point(0, 1), point(60.4, 4)], [mark(0, 2), mark(30, 9)]),
    ).toEqual([mark(0, 2), mark(30, 9), point(60.4, 4)].map(({ at, value }) => ({ at, value })));
  });

  it('mergePointsAndMarks leaves out invalid values and times', () => {
    expect(mergePointsAndMarks([point(0, Number.NaN), { at: 'never', value: 1 }, point(1, 2)])).toEqual([
      point(1, 2),
    ]);
  });
});

it('downsampleLine returns a limited number of points in order, with both ends and every mark', () => {
  fc.assert(
    fc.property(timestamps, timestamps, (some, others) => {
      const marks = others.slice(0, 3).map(({ seconds, value }) => mark(seconds, value));
      const line = mergePointsAndMarks(
        some.map(({ seconds, value }) => point(seconds, value)),
        marks,
      );
      const thinned = downsampleLine(line, marks);
      return (
        thinned.length <= 304 &&
        thinned.every((saved, index) => index === 0 || saved.at > (thinned[index - 1]?.at ?? '')) &&
        [line[0], line.at(-1), ...line.filter(({ at }) => marks.some((each) => each.at === at))].every(
          (saved) => saved === undefined || thinned.includes(saved),
        )
      );
    }),
  );
});

describe('layoutLine', () => {
  it('a line chart gives each day the same width, however many values it has', () => {
    const day = 86_400;
    const hourly = Array.from({ length: 24 }, (_, hour) => point(hour * 3_600, 1));
    const dense = Array.from({ length: 288 }, (_, interval) => point(day + interval * 300, 2));
    const { points } = layout([...hourly, ...dense, point(2 * day, 2)]);
    expect(points.find((each) => each.at === at(day))?.x).toBe(50);
  });

  it('a line chart draws all points within its area, a higher value higher', () => {
    fc.assert(
      fc.property(timestamps, (some) => {
        const line = mergePointsAndMarks(some.map(({ seconds, value }) => point(seconds, value)));
        if (line.length < 2) return true;
        const { points, values, times } = layout(line);
        const [lowest, highest] = [...points].sort((one, other) => one.value - other.value);
        return (
          points.every(({ x, y }) => x >= 0 && x <= 100 && y >= 0 && y <= PLOT_HEIGHT) &&
          values.every(({ y }) => y >= 0 && y <= PLOT_HEIGHT) &&
          times.every(({ x }) => x >= 0 && x <= 100) &&
          points[0]?.x === 0 &&
          points.at(-1)?.x === 100 &&
          (lowest?.y ?? 0) >= (highest?.y ?? 0)
        );
      }),
    );
  });

  it('a line chart puts a mark’s label above a rising line, but below it beside the peak', () => {
    const sidesOf = (...marks: readonly LineChartMark[]) =>
      layout(mergePointsAndMarks([point(10, 5), point(90, 6)], marks), marks).marks.map(
        ({ label, isLabelAbove }) => `${label} ${isLabelAbove ? 'above' : 'below'}`,
      );
    expect(sidesOf(mark(0, 1, 'entry'), mark(100, 8, 'end'))).toEqual(['entry below', 'end above']);
    expect(sidesOf(mark(0, 7, 'entry'), mark(100, 2, 'end'))).toEqual(['entry above', 'end below']);
    expect(sidesOf(mark(95, 9, 'peak'), mark(100, 8.8, 'end'))).toEqual(['peak above', 'end below']);
  });

  it('a line chart’s axis of prices has no value below 0', () => {
    const labels = layout([point(0, 0.1), point(60, 10)]).values.map(({ label }) => Number(label));
    expect(labels).toEqual([0, 2.5, 5, 7.5, 10]);
  });

  it('a line chart labels each axis value only once, even if rounding makes several equal', () => {
    const line = [point(0, 2), point(60, 2.004)];
    const formatValue = (value: number) => value.toFixed(2);
    const { values } = layoutLine({ line, marks: [], baseline: 2, formatValue, timeZone: 'UTC' });
    expect(values.map(({ label }) => label)).toEqual(['2.00']);
  });
});

it('nearestPoint returns the point that is nearest in time', () => {
  const { points } = layout([point(0, 1), point(40, 2), point(100, 3)]);
  expect([-5, 19, 21, 69, 71, 140].map((x) => nearestPoint(points, x)?.value)).toEqual([1, 1, 2, 2, 3, 3]);
});
