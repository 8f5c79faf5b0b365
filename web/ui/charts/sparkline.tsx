import { classNames } from '../class-names.ts';

const WIDTH = 96;
const HEIGHT = 32;
const INSET = 5;

export interface SparklineProps {
  /** At least two values, oldest first. */
  values: readonly number[];
  label: string;
}

export function Sparkline({ values, label }: SparklineProps) {
  const first = values[0];
  const last = values.at(-1);
  if (first === undefined || last === undefined || values.length < 2) return null;
  const points = toPoints(values);
  const [endX, endY] = points.at(-1) ?? [0, 0];
  const line = points.map(([x, y]) => `${x},${y}`).join(' ');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={classNames('drawing h-8 w-24', last >= first ? 'text-gain' : 'text-loss')}
    >
      <polyline points={line} />
      <circle cx={endX} cy={endY} r="3.5" fill="currentColor" />
    </svg>
  );
}

function toPoints(values: readonly number[]): [number, number][] {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const step = (WIDTH - 2 * INSET) / (values.length - 1);
  return values.map((value, index) => {
    const height = span === 0 ? 0.5 : (value - low) / span;
    return [round(INSET + index * step), round(HEIGHT - INSET - height * (HEIGHT - 2 * INSET))];
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
