import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { listRuntimes, sendLoad, type Load, type Measured } from './support/load.ts';
import { startMeasuredCache, startMeasuredProduct } from './support/measured-product.ts';
import { spreadOf, type Result } from './results.ts';

const ROUNDS = 5;
const ROUND_MS = 2_000;
const WARM_UP_MS = 3_000;
const FILE = 'same-bytes.json';

interface LoadPlan extends Load {
  readonly id: string;
  readonly what: string;
  /** Requests per second, as a multiple of the static file's. Null if there is no goal. */
  readonly atLeast: number | null;
}

/**
 * Measures how many requests a second workerd answers, with all middleware. The floor is the directory's answer as a
 * static file, in the same runtime. workerd has no shared cache, so the local one runs there as a worker of its own.
 */
export async function measureThroughput({ dataDir }: { dataDir: string }): Promise<Result[]> {
  const first = await startMeasuredProduct({ dataDir, isCounting: false });
  const answer = await fetch(`${first.url}/api/callers`);
  const body = await answer.text();
  const tag = answer.headers.get('ETag') ?? '';
  const [caller] = JSON.parse(body) as { id: string }[];
  await first.close();

  const product = await startMeasuredProduct({ dataDir, isCounting: false, files: { [FILE]: body } });
  const cache = await startMeasuredCache(product.url);
  // In a folder of its own, because starting a product replaces the folder's files. It needs no database.
  const unlimited = await startMeasuredProduct({ dataDir: join(dataDir, 'unlimited'), isCounting: true });
  try {
    const runtimes = listRuntimes();
    const inProduct = (path: string) => ({ url: product.url, path });
    const inCache = (path: string) => ({ url: cache.url, path });
    const plans: readonly LoadPlan[] = [
      { id: 'static-file', what: 'the same bytes as a static file', ...inProduct(`/${FILE}`), atLeast: null },
      { id: 'hit', what: 'a list from the shared cache', ...inCache('/api/callers'), atLeast: 1.5 },
      {
        id: 'not-modified',
        what: 'a list that the browser already has (304)',
        ...inCache('/api/callers'),
        headers: { 'If-None-Match': tag },
        atLeast: 2,
      },
      { id: 'directory-miss', what: 'the directory, not cached', ...inProduct('/api/callers'), atLeast: 0.6 },
      {
        id: 'profile-miss',
        what: 'a profile, not cached',
        ...inProduct(`/api/callers/${caller?.id}`),
        atLeast: 0.6,
      },
      {
        id: 'no-query',
        what: 'all middleware, no query (404)',
        ...inProduct('/api/nothing-here'),
        status: 404,
        atLeast: null,
      },
      {
        id: 'no-limits',
        what: 'the same without the rate limits',
        url: unlimited.url,
        path: '/api/nothing-here',
        status: 404,
        atLeast: null,
      },
      {
        id: 'one-query',
        what: 'all middleware, one query (one recent call)',
        ...inProduct('/api/token-calls/ended?limit=1'),
        atLeast: null,
      },
      { id: 'page-miss', what: 'the directory’s page, rendered', ...inProduct('/'), atLeast: null },
    ];
    return await measurePlans(plans, runtimes);
  } finally {
    await unlimited.close();
    await cache.close();
    await product.close();
  }
}

async function measurePlans(plans: readonly LoadPlan[], runtimes: readonly number[]): Promise<Result[]> {
  const rounds = new Map<LoadPlan, Measured[]>(plans.map((plan) => [plan, []]));
  for (const plan of plans) await sendLoad(plan, WARM_UP_MS, runtimes);
  // The loads take turns, so that other work on this machine slows all of them.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [plan, measured] of rounds) measured.push(await sendLoad(plan, ROUND_MS, runtimes));
    await pause(0);
  }
  const [files = []] = rounds.values();
  const floor = spreadOf(files.map(({ perSecond }) => perSecond)).median;
  return [...rounds].flatMap(([plan, measured]) => describe(plan, measured, floor));
}

function describe({ id, what, atLeast }: LoadPlan, measured: readonly Measured[], floor: number): Result[] {
  const rate = spreadOf(measured.map(({ perSecond }) => perSecond));
  const ratio = { min: rate.min / floor, median: rate.median / floor, max: rate.max / floor };
  const cpu = measured.flatMap(({ cpuMs }) => (cpuMs === null ? [] : [cpuMs]));
  const common = { what, goal: null, isMet: null };
  const results: Result[] = [
    { ...common, id: `throughput.${id}`, value: rate, unit: 'requests/s', floor: '' },
    {
      ...common,
      id: `throughput.${id}.ratio`,
      value: ratio,
      unit: '× static file',
      floor: `${Math.round(floor)} requests/s`,
      goal: atLeast === null ? null : `≥ ${atLeast}`,
      isMet: atLeast === null ? null : ratio.median >= atLeast,
    },
  ];
  if (cpu.length === 0) return results;
  return [
    ...results,
    { ...common, id: `throughput.${id}.cpu`, value: spreadOf(cpu), unit: 'CPU ms', floor: '' },
  ];
}
