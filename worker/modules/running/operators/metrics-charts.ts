import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type {
  MetricsChart,
  MetricsChartId,
  MetricsHours,
  OperatorsMetrics,
} from '#schema/contracts/operators.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { MetricsQuery, MetricsReader, MetricsRow } from '../../../ports/metrics.ts';

interface ChartRule extends Pick<MetricsQuery, 'kind' | 'figure' | 'outcome'> {
  readonly id: MetricsChartId;
  readonly partOf: (row: MetricsRow) => string;
}

const CHARTS: readonly ChartRule[] = [
  { id: 'requests', kind: 'request', figure: 'points', partOf: ({ outcome }) => `${outcome.slice(0, 1)}xx` },
  { id: 'latency', kind: 'request', figure: 'p99', partOf: ({ name }) => name },
  { id: 'cron_lag', kind: 'cron', figure: 'max', partOf: ({ name }) => name },
  { id: 'failed_jobs', kind: 'job', outcome: 'failed', figure: 'points', partOf: ({ name }) => name },
  {
    id: 'source_failures',
    kind: 'source',
    figure: 'sum',
    partOf: ({ name, outcome }) => `${name} ${outcome}`,
  },
  { id: 'payments', kind: 'payment', figure: 'sum', partOf: ({ name }) => name },
  { id: 'send_lag', kind: 'message', outcome: 'sent', figure: 'max', partOf: ({ outcome }) => outcome },
];

const STEPS: Readonly<Record<MetricsHours, number>> = {
  1: MINUTE_MS,
  24: 15 * MINUTE_MS,
  168: 2 * HOUR_MS,
};
const SHOWN_PARTS = 8;

export function createReadMetrics({ reader, clock }: { reader: MetricsReader; clock: Clock }) {
  return async (hours: MetricsHours): Promise<OperatorsMetrics> => {
    const { missing } = reader;
    if (missing.length > 0) return { missing, charts: [] };
    const span = { spanMs: Number(hours) * HOUR_MS, stepMs: STEPS[hours], now: clock.now() };
    const charts = await Promise.all(
      CHARTS.map(async (rule) => {
        const { kind, figure, outcome, id, partOf } = rule;
        const { spanMs, stepMs } = span;
        const query = { kind, figure, spanMs, stepMs, ...(outcome !== undefined && { outcome }) };
        return describeChart(id, { ...span, rows: await reader.read(query), figure, partOf });
      }),
    );
    return { missing, charts };
  };
}

interface ChartData extends Pick<ChartRule, 'figure' | 'partOf'> {
  readonly rows: readonly MetricsRow[];
  readonly spanMs: number;
  readonly stepMs: number;
  readonly now: number;
}

function describeChart(id: MetricsChartId, { rows, figure, partOf, ...span }: ChartData): MetricsChart {
  const isCount = figure === 'points' || figure === 'sum';
  const combine = isCount ? (one: number, other: number) => one + other : Math.max;
  const steps = groupBy(rows, ({ at }) => at, combine);
  const parts = groupBy(rows, partOf, combine);
  return {
    id,
    unit: isCount ? 'count' : 'ms',
    points: timesOf(span, isCount ? null : steps).map((at) => {
      return { at: new Date(at).toISOString(), value: steps.get(at) ?? 0 };
    }),
    parts: [...parts]
      .map(([name, value]) => ({ name, value }))
      .toSorted((one, other) => other.value - one.value)
      .slice(0, SHOWN_PARTS),
  };
}

function groupBy<Key>(
  rows: readonly MetricsRow[],
  keyOf: (row: MetricsRow) => Key,
  combine: (one: number, other: number) => number,
): ReadonlyMap<Key, number> {
  const groups = new Map<Key, number>();
  for (const row of rows) {
    const key = keyOf(row);
    const known = groups.get(key);
    groups.set(key, known === undefined ? row.value : combine(known, row.value));
  }
  return groups;
}

/** In a step without measurements, a count is 0 and a duration has no value. */
function timesOf(
  { spanMs, stepMs, now }: Pick<ChartData, 'spanMs' | 'stepMs' | 'now'>,
  measured: ReadonlyMap<number, number> | null,
): readonly number[] {
  if (measured !== null) return [...measured.keys()].toSorted((one, other) => one - other);
  const last = Math.floor(now / stepMs) * stepMs;
  return Array.from({ length: spanMs / stepMs + 1 }, (_, index) => last - spanMs + index * stepMs);
}
