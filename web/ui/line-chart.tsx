import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { formatMinute, type UTC } from '#web/lib/dates.ts';
import { useIsDark } from '#web/lib/theme.ts';
import type { createLineDrawing } from './line-chart-drawing.ts';
import { joinLine, type LineChartMark, type LineChartPoint } from './line-chart-layout.ts';
import { useHasBeenSeen } from './use-has-been-seen.ts';
import { useTimeZone } from './use-time-zone.ts';

export interface LineChartProps {
  label: string;
  points: readonly LineChartPoint[];
  formatValue: (value: number) => string;
  /** The line is a gain if it ends at or above this value. Default: its first value. */
  baseline?: number | undefined;
  marks?: readonly LineChartMark[] | undefined;
}

const NO_MARKS: readonly LineChartMark[] = [];

/** A line chart with a text alternative. The chart library loads when the chart scrolls into view. */
export function LineChart({ label, points, formatValue, baseline, marks = NO_MARKS }: LineChartProps) {
  const line = useMemo(() => joinLine(points, marks), [points, marks]);
  const [hasFailed, setHasFailed] = useState(false);
  const handleFailed = useCallback(() => setHasFailed(true), []);
  const timeZone = useTimeZone();
  const describeLine = () => describe({ line, marks, formatValue, timeZone });
  const first = line[0];
  if (first === undefined || line.length < 2) {
    return (
      <figure
        aria-label={label}
        className="flex h-64 items-center justify-center px-4 text-center text-sm text-text-muted"
      >
        <p>Not enough data for a chart yet.</p>
      </figure>
    );
  }
  return (
    <figure aria-label={label}>
      {hasFailed ? (
        <p className="flex h-64 items-center justify-center px-4 text-center text-sm text-text-muted">
          The chart failed to load. {describeLine()}
        </p>
      ) : (
        <>
          <Canvas
            line={line}
            marks={marks}
            baseline={baseline ?? first.value}
            formatValue={formatValue}
            onFailed={handleFailed}
          />
          <figcaption className="sr-only">{describeLine()}</figcaption>
        </>
      )}
      <p className="text-right text-xs text-text-muted">
        Chart by{' '}
        <a
          href="https://www.tradingview.com/"
          target="_blank"
          rel="noopener noreferrer"
          className="underline-offset-4 hover:underline"
        >
          TradingView Lightweight Charts
        </a>
      </p>
    </figure>
  );
}

interface CanvasProps {
  line: readonly LineChartPoint[];
  marks: readonly LineChartMark[];
  baseline: number;
  formatValue: (value: number) => string;
  onFailed: () => void;
}

function Canvas({ line, marks, baseline, formatValue, onFailed }: CanvasProps) {
  const ref = useRef<HTMLDivElement>(null);
  const hasBeenSeen = useHasBeenSeen(ref);
  const isDark = useIsDark();
  const [drawing, setDrawing] = useState<ReturnType<typeof createLineDrawing> | null>(null);
  useEffect(() => {
    const container = ref.current;
    if (!hasBeenSeen || container === null) return undefined;
    let isGone = false;
    let created: ReturnType<typeof createLineDrawing> | undefined;
    const draw = async () => {
      const { createLineDrawing } = await import('./line-chart-drawing.ts');
      if (isGone) return;
      created = createLineDrawing(container);
      setDrawing(created);
    };
    draw().catch(onFailed);
    return () => {
      isGone = true;
      created?.remove();
      setDrawing(null);
    };
  }, [hasBeenSeen, onFailed]);
  useEffect(
    () => drawing?.show({ line, marks, baseline, formatValue, isDark }),
    [drawing, line, marks, baseline, formatValue, isDark],
  );
  return <div ref={ref} aria-hidden="true" className="h-64 overflow-clip" />;
}

interface Described {
  line: readonly LineChartPoint[];
  marks: readonly LineChartMark[];
  formatValue: (value: number) => string;
  timeZone: typeof UTC | undefined;
}

function describe({ line, marks, formatValue, timeZone }: Described): string {
  const format = ({ at, value }: LineChartPoint) => `${formatValue(value)} on ${formatMinute(at, timeZone)}`;
  const ends = [line[0], line.at(-1)].flatMap((point) => (point === undefined ? [] : [format(point)]));
  const values = line.map(({ value }) => value);
  return [
    `From ${ends.join(' to ')}.`,
    `Lowest ${formatValue(Math.min(...values))}, highest ${formatValue(Math.max(...values))}.`,
    ...marks.map((mark) => `${mark.label}: ${format(mark)}.`),
  ].join(' ');
}
