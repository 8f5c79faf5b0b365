import { beforeEach, expect, it, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { MetricsChart, MetricsChartId, OperatorsMetrics } from '#schema/contracts/operators.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createOperatedApp } from '#test/people/operators.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let operator: Person;
let operatorXId: string;

beforeEach(async () => {
  ({ app, operator, operatorXId } = await createOperatedApp());
});

const readMetrics = (hours = '1') =>
  readResponse<OperatorsMetrics>(operator.get(`/api/operators/metrics?hours=${hours}`));
const metricsWith = async (token: string | undefined) => {
  const bindings = { OPERATOR_X_IDS: operatorXId, ANALYTICS_API_TOKEN: token };
  return (await createTestApp({ bindings })).browser(operator).get('/api/operators/metrics');
};
const chartOf = async (id: MetricsChartId, hours?: string): Promise<MetricsChart | undefined> =>
  (await readMetrics(hours)).charts.find((chart) => chart.id === id);
const minute = (ago: number) => Math.floor(app.clock.now() / MINUTE_MS - ago) * MINUTE_MS;
/** Stores points as the product's binding would. */
const write = (points: readonly (readonly [string, string, string, number, ago?: number])[]) =>
  control(
    'POST',
    '/analytics/points',
    points.map(([kind, name, outcome, value, ago = 1]) => {
      return { indexes: [kind], blobs: [kind, name, outcome], doubles: [value, 1], at: minute(ago) };
    }),
  );
const valueAt = (chart: MetricsChart | undefined, ago: number) =>
  chart?.points.find(({ at }) => at === new Date(minute(ago)).toISOString())?.value;

it('the metrics count requests per minute and per status class', async () => {
  await write([
    ['request', 'GET /api/callers', '200', 5],
    ['request', 'GET /api/callers', '204', 5],
    ['request', 'GET /api/prices', '502', 5],
    ['request', 'GET /api/prices', '200', 5, 3],
    ['request', 'GET /api/prices', '200', 5, 61],
  ]);
  const chart = await chartOf('requests');
  expect(chart?.parts).toEqual([
    { name: '2xx', value: 3 },
    { name: '5xx', value: 1 },
  ]);
  expect([1, 2, 3].map((ago) => valueAt(chart, ago))).toEqual([3, 0, 1]);
  expect(chart?.points).toHaveLength(61);
});

it('the latency metrics have the 99th percentile of each route, and of the slowest route in each minute', async () => {
  const many = Array.from({ length: 200 }, (_, index) => ['request', 'GET /slow', '200', index] as const);
  await write([...many, ['request', 'GET /fast', '200', 1], ['request', 'GET /fast', '200', 7, 2]]);
  const chart = await chartOf('latency');
  expect(chart).toMatchObject({
    unit: 'ms',
    parts: [
      { name: 'GET /slow', value: 198 },
      { name: 'GET /fast', value: 7 },
    ],
  });
  expect(chart?.points.map(({ value }) => value)).toEqual([7, 198]);
});

it('the metrics have charts for failed jobs, failed sources, payments, cron lag and message lag', async () => {
  await write([
    ['cron', 'lag', '', 900],
    ['cron', 'lag', '', 400],
    ['job', 'prices.refresh', 'failed', 30],
    ['job', 'prices.refresh', 'done', 30],
    ['source', 'jupiter', 'http_503', 1],
    ['source', 'jupiter', 'http_503', 1, 2],
    ['source', 'dexscreener', 'timeout', 1],
    ['payment', 'granted', '', 3],
    ['payment', 'revoked', '', 1],
    ['message', 'telegram', 'sent', 4_000],
    ['message', 'telegram', 'no_response', 90_000],
  ]);
  const { charts, missing } = await readMetrics('24');
  expect(missing).toEqual([]);
  expect(Object.fromEntries(charts.map(({ id, parts }) => [id, parts]))).toEqual({
    requests: [],
    latency: [],
    cron_lag: [{ name: 'lag', value: 900 }],
    failed_jobs: [{ name: 'prices.refresh', value: 1 }],
    source_failures: [
      { name: 'jupiter http_503', value: 2 },
      { name: 'dexscreener timeout', value: 1 },
    ],
    payments: [
      { name: 'granted', value: 3 },
      { name: 'revoked', value: 1 },
    ],
    send_lag: [{ name: 'sent', value: 4_000 }],
  });
});

it('a recorded request counts as 20 in the metrics, because one in 20 is recorded at random', async () => {
  const METRICS = {
    writeDataPoint: (point?: AnalyticsEngineDataPoint) => void points.push(point ?? {}),
  };
  const points: AnalyticsEngineDataPoint[] = [];
  const recording = await createTestApp({ bindings: { METRICS }, random: () => random });
  let random = 0.05;
  await recording.request('/api/callers');
  random = 0.049;
  await recording.request('/api/callers');
  await recording.runCron();
  await control('POST', '/analytics/points', points);
  expect((await chartOf('requests'))?.parts).toEqual([{ name: '2xx', value: 20 }]);
  expect((await chartOf('cron_lag'))?.parts).toEqual([{ name: 'lag', value: 0 }]);
});

it('the metrics cover the last hour, day or week in at most 100 points', async () => {
  await write([['request', 'GET /', '200', 1, (30 * HOUR_MS) / MINUTE_MS]]);
  for (const [hours, isCovered] of [
    ['1', false],
    ['24', false],
    ['168', true],
  ] as const) {
    const chart = await chartOf('requests', hours);
    expect(chart?.parts).toEqual(isCovered ? [{ name: '2xx', value: 1 }] : []);
    expect(chart?.points.length).toBeLessThanOrEqual(100);
    const [first, second] = chart?.points.map(({ at }) => Date.parse(at)) ?? [];
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(60 * SECOND_MS);
  }
  await expectRefusal(operator.get('/api/operators/metrics?hours=2'), 'request.invalid');
});

it('the metrics name missing settings instead of querying Analytics Engine', async () => {
  await control('POST', '/faults', { service: 'cloudflare', status: 500 });
  expect(await readResponse(metricsWith(undefined))).toEqual({
    missing: ['ANALYTICS_API_TOKEN'],
    charts: [],
  });
});

it('the metrics show an error if Analytics Engine fails or refuses the token', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await control('POST', '/faults', { service: 'cloudflare', status: 503, count: 1 });
  await expectRefusal(operator.get('/api/operators/metrics'), 'operators.metrics_unavailable');
  await expectRefusal(metricsWith('wrong'), 'operators.metrics_unavailable');
});
