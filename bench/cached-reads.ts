import { createSharedCache } from '#dev/cache/shared-cache.ts';
import type { MeasuredProduct } from './support/measured-product.ts';
import { spreadOf, type Result } from './results.ts';

const ROUNDS = 3;
const CONCURRENT = 1_000;

/** Public pages and lists, which most visitors request. */
const PATHS = ['/', '/recent-calls', '/api/callers', '/api/callers?sort=winRate', '/api/token-calls/ended'];

/** Measures the local shared cache in front of the product: what a hit costs, and how many misses reach the worker. */
export async function measureCachedReads({ product }: { product: MeasuredProduct }): Promise<Result[]> {
  const hits: number[] = [];
  const runs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let originRuns = 0;
    const fetchCached = createSharedCache({
      now: () => 0,
      origin: (request) => {
        originRuns += 1;
        const { pathname, search } = new URL(request.url);
        return fetch(`${product.url}${pathname}${search}`, { headers: request.headers, redirect: 'manual' });
      },
    });
    const ask = async (path: string) => {
      const response = await fetchCached(new Request(`${product.url}${path}`));
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      await response.arrayBuffer();
    };
    for (const path of PATHS) {
      originRuns = 0;
      await Promise.all(Array.from({ length: CONCURRENT }, () => ask(path)));
      runs.push(originRuns);
      await product.readCounts();
      await ask(path);
      const { queries, kvReads, kvWrites } = await product.readCounts();
      hits.push(queries + kvReads + kvWrites);
    }
  }
  const [hit, miss] = [spreadOf(hits), spreadOf(runs)];
  return [
    {
      id: 'cache.hit-operations',
      what: 'D1 and KV operations of a cache hit',
      value: hit,
      unit: 'operations',
      floor: '0',
      goal: '0',
      isMet: hit.max === 0,
    },
    {
      id: 'cache.cold-runs',
      what: `runs of the worker for ${CONCURRENT.toLocaleString('en-US')} simultaneous cold requests`,
      value: miss,
      unit: 'runs',
      floor: '1',
      goal: '1',
      isMet: miss.max === 1,
    },
  ];
}
