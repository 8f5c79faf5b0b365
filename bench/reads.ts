import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { SHOWN_PRICE_WINDOW_MS } from '#schema/constants.ts';
import type { CallerStatistics } from '#schema/contracts/callers.ts';
import type { MeasuredProduct } from './support/measured-product.ts';
import { FOLLOWED, type People } from './support/people.ts';
import { spreadOf, type Result } from './results.ts';

const SAMPLED_CALLERS = 20;
const LEAST_FLOOR = 20;
const MAX_RATIO = 3;

interface Read {
  readonly id: string;
  readonly what: string;
  readonly paths: readonly string[];
  readonly cookie?: string;
  /** Sends the request again with the answer's ETag, and measures only the second answer. */
  readonly isRepeated?: boolean;
  readonly status?: number;
  /** Counts the rows that an answer's JSON shows. */
  readonly shown: (answer: unknown, path: string) => number;
}

export interface ReadsWorld {
  readonly product: MeasuredProduct;
  readonly file: string;
  readonly people: People;
}

const rowsOf = (answer: unknown) => (Array.isArray(answer) ? answer.length : 1);

/** Counts the rows that each kind of read needs: at most 3 per shown row, or 20. */
export async function measureReads({ product, file, people }: ReadsWorld): Promise<Result[]> {
  const callers = sampleCallers(file);
  const of = (path: string) => callers.map(({ id }) => path.replace(':id', id));
  const shownCalls = new Map<string, number>();
  for (const { id } of callers) {
    const response = await fetch(`${product.url}/api/token-calls/caller/${id}/history`);
    shownCalls.set(`/caller/${id}`, rowsOf(await response.json()));
  }
  const reads: readonly Read[] = [
    { id: 'directory-list', what: 'the directory', paths: ['/api/callers'], shown: rowsOf },
    { id: 'directory-page', what: 'the directory’s page', paths: ['/'], shown: () => 60 },
    { id: 'profile', what: 'a profile', paths: of('/api/callers/:id'), shown: () => 1 },
    {
      id: 'statistics-first',
      what: 'statistics, first request after an end',
      paths: of('/api/callers/:id/statistics'),
      shown: countedOf,
    },
    {
      id: 'profile-page',
      what: 'a profile’s page',
      paths: of('/caller/:id'),
      shown: (_page, path) => 1 + (shownCalls.get(path) ?? 0),
    },
    {
      id: 'profile-404',
      what: 'a profile that doesn’t exist',
      paths: ['/api/callers/nobody-here', '/caller/nobody-here'],
      status: 404,
      shown: () => 1,
    },
    { id: 'statistics', what: 'statistics', paths: of('/api/callers/:id/statistics'), shown: () => 1 },
    {
      id: 'history',
      what: 'a caller’s calls',
      paths: of('/api/token-calls/caller/:id/history'),
      shown: rowsOf,
    },
    { id: 'recent-calls', what: 'recent calls', paths: ['/api/token-calls/ended'], shown: rowsOf },
    { id: 'recent-calls-page', what: 'the page of recent calls', paths: ['/recent-calls'], shown: () => 50 },
    {
      id: 'followed-calls',
      what: `calls of ${FOLLOWED} followed callers`,
      paths: ['/api/subscriptions/calls'],
      cookie: people.follower.cookie,
      shown: rowsOf,
    },
    {
      id: 'followed-calls-unchanged',
      what: 'the same again, if nothing has changed (304)',
      paths: ['/api/subscriptions/calls'],
      cookie: people.follower.cookie,
      isRepeated: true,
      status: 304,
      shown: () => FOLLOWED,
    },
    {
      id: 'session',
      what: 'the session',
      paths: ['/api/auth/user'],
      cookie: people.follower.cookie,
      shown: () => 1,
    },
  ];
  await product.readCounts();
  const results: Result[] = [];
  for (const read of reads) results.push(await measureRead(product, read));
  return results;
}

/** The number of calls in the statistics. */
function countedOf(answer: unknown): number {
  const { returns, unrankedCalls } = answer as CallerStatistics;
  return returns.length + unrankedCalls;
}

async function measureRead(product: MeasuredProduct, read: Read): Promise<Result> {
  const { id, what, paths, cookie, isRepeated, status = 200, shown } = read;
  const rows: number[] = [];
  const floors: number[] = [];
  const written: number[] = [];
  const kvReads: number[] = [];
  const queries: number[] = [];
  let isMet = true;
  for (const path of paths) {
    const headers: Record<string, string> = cookie === undefined ? {} : { Cookie: cookie };
    if (isRepeated) {
      // Shown prices, and with them the ETag, change when the next window begins.
      await pause(SHOWN_PRICE_WINDOW_MS - (Date.now() % SHOWN_PRICE_WINDOW_MS));
      const before = await fetch(`${product.url}${path}`, { headers });
      await before.arrayBuffer();
      headers['If-None-Match'] = before.headers.get('ETag') ?? '';
      await product.readCounts();
    }
    const response = await fetch(`${product.url}${path}`, { headers });
    const text = await response.text();
    if (response.status !== status) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`);
    const isJson = response.headers.get('Content-Type')?.includes('json') === true;
    const floor = shown(isJson ? JSON.parse(text) : null, path);
    const counts = await product.readCounts();
    rows.push(counts.rowsRead);
    written.push(counts.rowsWritten);
    kvReads.push(counts.kvReads);
    queries.push(counts.queries);
    floors.push(floor);
    isMet &&= counts.rowsRead <= Math.max(LEAST_FLOOR, MAX_RATIO * floor);
  }
  return {
    id: `reads.${id}`,
    what,
    value: spreadOf(rows),
    unit: 'rows read',
    floor: describeFloor(floors),
    goal: `≤ ${MAX_RATIO} × shown or ≤ ${LEAST_FLOOR}`,
    isMet,
    work: {
      queries: spreadOf(queries).median,
      rowsRead: spreadOf(rows).median,
      rowsWritten: spreadOf(written).median,
      kvReads: spreadOf(kvReads).median,
    },
  };
}

function describeFloor(shown: readonly number[]): string {
  const { min, max } = spreadOf(shown);
  return min === max ? `${min} shown` : `${min}–${max} shown`;
}

interface SampledCaller {
  readonly id: string;
}

/** Callers with few, some and many calls. */
function sampleCallers(file: string): SampledCaller[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const { callers } = database.prepare('SELECT COUNT(*) AS callers FROM callers').get() as {
    callers: number;
  };
  const find = database.prepare(
    'SELECT caller_id AS id FROM callers ORDER BY total_calls DESC, caller_id DESC LIMIT 1 OFFSET ?',
  );
  const positions = Array.from({ length: SAMPLED_CALLERS }, (_, index) =>
    Math.floor((index / SAMPLED_CALLERS) ** 3 * callers),
  );
  const found = positions.map((position) => find.get(position) as unknown as SampledCaller);
  database.close();
  return found;
}
