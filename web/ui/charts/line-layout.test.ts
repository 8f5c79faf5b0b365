import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { mergePointsAndMarks } from './line-chart.tsx';
import {
  axisTimes,
  layoutLine,
  nearestPoint,
  PLOT_HEIGHT,
  type LayoutInput,
  type LineChartMark,
  type LineChartPoint,
} from './line-layout.ts';

const DAY = 86_400;
const at = (seconds: number) => new Date(1_795_000_000_000 + seconds * 1_000).toISOString();
const point = (seconds: number, value: number): LineChartPoint => ({ at: at(seconds), value });
const mark = (seconds: number, value: number, tone: LineChartMark['tone'] = 'peak'): LineChartMark => ({
  ...point(seconds, value),
  label: tone,
  tone,
});
const history = fc.array(
  fc.record({
    seconds: fc.integer({ min: 0, max: 3_000_000 }),
    value: fc.double({ min: 1e-12, max: 1e6, noNaN: true }),
  }),
  { maxLength: 400 },
);
const layout = (line: readonly LineChartPoint[], more: Partial<LayoutInput> = {}) =>
  layoutLine({
    line,
    marks: [],
    levels: [],
    baseline: line[0]?.value ?? 0,
    formatValue: String,
    timeZone: 'UTC',
    ...more,
  });

it('mergePointsAndMarks returns one value per second, oldest first, and prefers a mark to a point', () => {
  expect(mergePointsAndMarks([point(60, 3), point(0, 1), point(60.4, 4)], [mark(0, 2), mark(30, 9)])).toEqual(
    [mark(0, 2), mark(30, 9), point(60.4, 4)].map(({ at, value }) => ({ at, value })),
  );
});

it('mergePointsAndMarks drops invalid values and times', () => {
  const points = [point(0, Number.NaN), { at: 'never', value: 1 }, point(1, 2)];
  expect(mergePointsAndMarks(points, [])).toEqual([point(1, 2)]);
});

it('a line chart gives each day the same width, whatever its number of values', () => {
  const hourly = Array.from({ length: 24 }, (_, hour) => point(hour * 3_600, 1));
  const dense = Array.from({ length: 288 }, (_, interval) => point(DAY + interval * 300, 2));
  const { points } = layout([...hourly, ...dense, point(2 * DAY, 2)]);
  expect(points.find((each) => each.at === at(DAY))?.x).toBe(50);
});

it('a line chart draws all points within its area, and draws the highest value highest', () => {
  fc.assert(
    fc.property(history, (some) => {
      const line = mergePointsAndMarks(
        some.map(({ seconds, value }) => point(seconds, value)),
        [],
      );
      if (line.length < 2) return true;
      const { points, values, times } = layout(line);
      const [lowest, highest] = [...points].sort((one, other) => one.value - other.value);
      return (
        points.every(({ x, y }) => x >= 0 && x <= 100 && y >= 0 && y <= PLOT_HEIGHT) &&
        values.every(([, y]) => y >= 0 && y <= PLOT_HEIGHT) &&
        times.every(([x]) => x >= 0 && x <= 100) &&
        points[0]?.x === 0 &&
        points.at(-1)?.x === 100 &&
        (lowest?.y ?? 0) >= (highest?.y ?? 0)
      );
    }),
  );
});

it('a line of prices has a gap across days without prices', () => {
  const line = [point(0, 1), point(DAY, 2), point(6 * DAY, 3), point(7 * DAY, 2)];
  expect(layout(line).path.match(/M/g)).toHaveLength(2);
  expect(layout([...line.slice(0, 2), point(2 * DAY, 3)]).path.match(/M/g)).toHaveLength(1);
});

it('a stepped line stays at a value until the next point', () => {
  const { path, points } = layout([point(0, 1), point(50 * DAY, 3), point(100 * DAY, 3)], {
    isStepped: true,
  });
  const [first, second] = points.map(({ y }) => y);
  expect(path).toBe(`M0,${first}h0H50V${second}H100V${second}`);
});

it('both lines of a comparison have the same axes', () => {
  const { comparedPoints, points } = layout([point(0, 0), point(100, 10)], {
    compared: { names: ['One', 'Other'], points: [point(0, 0), point(50, 10), point(100, -20)] },
  });
  expect(comparedPoints[1]).toMatchObject({ x: 50, y: points[1]?.y });
  expect(comparedPoints[2]?.y).toBeLessThanOrEqual(PLOT_HEIGHT);
});

it('a level far from the line is drawn at the chart’s edge with an arrow, and a near level has no arrow', () => {
  const levels = [
    { label: 'Target', value: 50 },
    { label: 'Near', value: 3 },
    { label: 'Stop', value: 0 },
  ];
  const placed = layout([point(0, 1), point(100, 2)], { levels }).levels;
  expect(placed.map(({ label }) => label)).toEqual(['Target ↑', 'Near', 'Stop']);
  expect(placed[0]?.y).toBe(0);
});

it('a mark’s label is on the side where the line isn’t, but below the mark beside the peak', () => {
  const sidesOf = (...marks: readonly LineChartMark[]) =>
    layout(mergePointsAndMarks([point(10, 5), point(90, 6)], marks), { marks }).marks.map(
      ({ label, isLabelAbove }) => `${label} ${isLabelAbove ? 'above' : 'below'}`,
    );
  expect(sidesOf(mark(0, 1, 'entry'), mark(100, 8, 'end'))).toEqual(['entry below', 'end above']);
  expect(sidesOf(mark(0, 7, 'entry'), mark(100, 2, 'end'))).toEqual(['entry above', 'end below']);
  expect(sidesOf(mark(95, 9, 'peak'), mark(100, 8.8, 'end'))).toEqual(['peak above', 'end below']);
});

it('the axis of a flat line has room above and below, and an axis of prices has no value below 0', () => {
  expect(layout([point(0, 3), point(60, 3)]).points.map(({ y }) => y)).toEqual([114, 114]);
  const labels = layout([point(0, 0.1), point(60, 10)]).values.map(([label]) => Number(label));
  expect(labels).toEqual([0, 2, 4, 6, 8, 10]);
});

it('a line chart repeats no axis label if rounding makes several values equal', () => {
  const formatValue = (value: number) => value.toFixed(2);
  const { values } = layout([point(0, 2), point(60, 2.004)], { formatValue });
  expect(values.map(([label]) => label)).toEqual(['2.00']);
});

it('nearestPoint returns the point that is nearest in time', () => {
  const { points } = layout([point(0, 1), point(40, 2), point(100, 3)]);
  expect([-5, 19, 21, 69, 71, 140].map((x) => nearestPoint(points, x)?.value)).toEqual([1, 1, 2, 2, 3, 3]);
});

describe('the time axis', () => {
  const start = Date.UTC(2026, 8, 20, 15, 27, 10);
  const labels = (length: number) =>
    axisTimes({ start, end: start + length, timeZone: 'UTC' }).map(([, label]) => label);

  it.each([
    [30 * SECOND_MS, ['3:27:15 PM', '3:27:20 PM', '3:27:25 PM']],
    [25 * MINUTE_MS, ['3:30 PM', '3:35 PM', '3:40 PM']],
    [15 * HOUR_MS, ['6:00 PM', '9:00 PM', 'Sep 21', '3:00 AM']],
    [5 * DAY_MS, ['Sep 21', 'Sep 22', 'Sep 23']],
    [150 * DAY_MS, ['Oct', 'Nov', 'Dec', '2027', 'Feb']],
    [9 * 365 * DAY_MS, ['2028', '2030', '2032', '2034']],
  ])('the time axis of a line of %i ms has the labels %o', (length, expected) => {
    expect(labels(length)).toEqual(expect.arrayContaining(expected));
  });

  it('the time axis begins days at midnight in the viewer’s time zone', () => {
    vi.stubEnv('TZ', 'America/New_York');
    const ticks = axisTimes({ start, end: start + 3 * DAY_MS, timeZone: undefined });
    const days = ticks.filter(([, label]) => label.startsWith('Sep'));
    expect(days.map(([time]) => new Date(time).getHours())).toEqual(days.map(() => 0));
    expect(days.length).toBeGreaterThan(2);
  });

  it('the time axis has no duplicate time on the day on which the viewer’s clock is set forward', () => {
    vi.stubEnv('TZ', 'America/New_York');
    const ticks = axisTimes({
      start: Date.UTC(2026, 2, 8, 4, 30),
      end: Date.UTC(2026, 2, 8, 9, 30),
      timeZone: undefined,
    });
    expect(ticks.map(([, label]) => label)).toEqual(['Mar 8', '1:00 AM', '3:00 AM', '4:00 AM', '5:00 AM']);
  });

  it('the time axis has at most 14 times, all between the start and the end of the chart', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 15 * 365 * DAY_MS }), (length) => {
        const ticks = axisTimes({ start, end: start + length, timeZone: 'UTC' });
        return ticks.length <= 14 && ticks.every(([time]) => time >= start && time <= start + length);
      }),
    );
  });
});
