import { lazy, Suspense } from 'react';
import { SECOND_MS } from '#schema/constants/time.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { useTimeZone } from '../figures/use-time-zone.ts';
import { useIsNear } from '../use-is-near.ts';
import type { LayoutInput, LineChartMark, LineChartPoint } from './line-layout.ts';

export interface LineChartProps extends Pick<LayoutInput, 'compared' | 'isStepped'> {
  label: string;
  points: readonly LineChartPoint[];
  formatValue: (value: number) => string;
  /** The line is coloured as a gain if it ends at or above this value. Default: its first value. */
  baseline?: number | undefined;
  marks?: readonly LineChartMark[] | undefined;
  levels?: LayoutInput['levels'] | undefined;
  isNeutral?: boolean | undefined;
}

const LineDrawing = lazy(() => import('./line-drawing.tsx').then((file) => ({ default: file.LineDrawing })));

/** A line chart with a text alternative. The drawing loads when the chart comes near the window. */
export function LineChart(props: LineChartProps) {
  const { label, points, marks = [], levels = [], isNeutral = false, baseline, ...rest } = props;
  const line = mergePointsAndMarks(points, marks);
  const drawn = { ...rest, line, marks, levels, isNeutral, timeZone: useTimeZone() };
  const { ref, isNear } = useIsNear<HTMLElement>();
  const [first] = line;
  return (
    <figure ref={ref} aria-label={label} className={rest.compared ? 'h-72' : 'h-64'}>
      {first === undefined || line.length < 2 ? (
        <p className="flex h-full items-center justify-center px-4 text-center text-sm text-text-muted">
          Not enough data for a chart yet.
        </p>
      ) : (
        <>
          {isNear && (
            <Suspense>
              <LineDrawing {...drawn} baseline={baseline ?? (isNeutral ? 0 : first.value)} />
            </Suspense>
          )}
          <figcaption className="sr-only">{describe(drawn)}</figcaption>
        </>
      )}
    </figure>
  );
}

/** Points and marks, oldest first, with one value per second: the mark, else the last point. */
export function mergePointsAndMarks(
  points: readonly LineChartPoint[],
  marks: readonly LineChartMark[],
): LineChartPoint[] {
  const bySecond = new Map<number, LineChartPoint>();
  for (const { at, value } of [...points, ...marks]) {
    const time = Math.floor(Date.parse(at) / SECOND_MS);
    if (Number.isFinite(time) && Number.isFinite(value)) bySecond.set(time, { at, value });
  }
  return [...bySecond].sort(([one], [other]) => one - other).map(([, point]) => point);
}

function describe(drawn: Omit<LayoutInput, 'baseline'>): string {
  const { line, marks, levels, compared, formatValue, timeZone } = drawn;
  const format = ({ at, value }: LineChartPoint) => `${formatValue(value)} on ${formatMinute(at, timeZone)}`;
  const ends = [line[0], line.at(-1)].flatMap((point) => (point === undefined ? [] : [format(point)]));
  const values = line.map(({ value }) => value);
  const last = compared?.points.at(-1);
  return [
    `From ${ends.join(' to ')}.`,
    `Lowest ${formatValue(Math.min(...values))}, highest ${formatValue(Math.max(...values))}.`,
    ...marks.flatMap((mark) => (mark.label === undefined ? [] : `${mark.label}: ${format(mark)}.`)),
    ...levels.map(({ label, value }) => `${label}: ${formatValue(value)}.`),
    ...(compared && last ? [`${compared.names[1]}: ${format(last)}.`] : []),
  ].join(' ');
}
