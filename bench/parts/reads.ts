import { setTimeout as pause } from 'node:timers/promises';
import { CALLER_SORTS, SHOWN_PRICE_WINDOW_MS } from '#schema/constants.ts';
import type { CallerListItem } from '#schema/contracts/callers.ts';
import type { Part } from '../context.ts';
import { startMeasuredProduct, type MeasuredProduct } from '../product/measured-product.ts';
import { spreadOf, type Result } from '../results.ts';

const LEAST_ROWS = 20;
const MAX_ROWS_PER_SHOWN = 3;
/** Followed pages of each list. Later ones read as many rows, because lists page by keyset. */
const PAGES = 3;
const MAX_SEARCH_ROWS = 20_000;

/** Filters of the directory, and how many rows a page may read per caller that it shows. */
const FILTERS = [
  { query: '', most: 3 },
  { query: 'verified=true', most: 10 },
  { query: 'paid=true', most: 10 },
  { query: 'maxFee=0.5', most: 25 },
  // Inside a fee level. The other maximum is at the end of one.
  { query: 'maxFee=4.5&verified=true', most: 25 },
];
const SEARCH_OPERATORS = ['a AND b', 'NOT a', 'a*', '"a', "'; --", '%_"\'*', 'tokens: a'];

interface Read {
  readonly what: string;
  readonly paths: readonly string[];
  readonly cookie?: string;
  /** Sends the request again with the response's ETag, and measures only the second response. */
  readonly isRepeated?: boolean;
  readonly status?: number;
  /** Rows that a response shows. Default: the length of its JSON array, or 1. */
  readonly shown?: number;
}

/** Counts the rows that D1 reads for each kind of request, compared with the rows that the response shows. */
export const measureReads: Part = async ({ openWorld }) => {
  const { dataDir, cookie } = await openWorld();
  const product = await startMeasuredProduct({ dataDir, isCounting: true });
  try {
    const callers = await listCallers(product);
    const results: Result[] = [];
    for (const read of listReads(callers, cookie)) results.push(await measureRead(product, read));
    for (const filter of FILTERS) results.push(await measureDirectory(product, filter));
    results.push(await measureSearch(product, callers));
    return results;
  } finally {
    await product.close();
  }
};

/** Callers with the most and with the fewest calls. */
async function listCallers({ url }: MeasuredProduct): Promise<CallerListItem[]> {
  const lists = ['desc', 'asc'].map(async (order) => {
    const response = await fetch(`${url}/api/callers?sort=totalCalls&order=${order}&limit=5`);
    return (await response.json()) as CallerListItem[];
  });
  return (await Promise.all(lists)).flat();
}

function listReads(callers: readonly CallerListItem[], cookie: string): readonly Read[] {
  const of = (path: string) => callers.map(({ id }) => path.replace(':id', id));
  return [
    { what: 'the directory', paths: ['/api/callers'] },
    { what: 'the directory’s page', paths: ['/'], shown: 60 },
    { what: 'a profile', paths: of('/api/callers/:id') },
    { what: 'statistics', paths: of('/api/callers/:id/statistics') },
    { what: 'a profile’s page', paths: of('/caller/:id'), shown: 50 },
    { what: 'a profile that doesn’t exist', paths: ['/api/callers/nobody-here'], status: 404 },
    { what: 'a caller’s calls', paths: of('/api/token-calls/caller/:id/history') },
    { what: 'recent calls', paths: ['/api/token-calls/ended'] },
    { what: 'the page of recent calls', paths: ['/recent-calls'], shown: 50 },
    { what: 'calls of followed callers', paths: ['/api/subscriptions/calls'], cookie },
    {
      what: 'the same again, if nothing has changed (304)',
      paths: ['/api/subscriptions/calls'],
      cookie,
      isRepeated: true,
      status: 304,
      shown: 80,
    },
    { what: 'the session', paths: ['/api/auth/user'], cookie },
  ];
}

interface Counted {
  readonly rows: number;
  readonly shown: number;
  readonly next: string | undefined;
}

async function request(product: MeasuredProduct, path: string, read: Partial<Read> = {}): Promise<Counted> {
  const headers: Record<string, string> = read.cookie === undefined ? {} : { Cookie: read.cookie };
  if (read.isRepeated) {
    // Shown prices, and with them the ETag, change when the next window begins.
    await pause(SHOWN_PRICE_WINDOW_MS - (Date.now() % SHOWN_PRICE_WINDOW_MS));
    const before = await fetch(`${product.url}${path}`, { headers });
    await before.arrayBuffer();
    headers['If-None-Match'] = before.headers.get('ETag') ?? '';
  }
  await product.readCounts();
  const response = await fetch(`${product.url}${path}`, { headers });
  const text = await response.text();
  if (response.status !== (read.status ?? 200)) {
    throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`);
  }
  const { rowsRead: rows } = await product.readCounts();
  const body: unknown = response.headers.get('Content-Type')?.includes('json') ? JSON.parse(text) : null;
  const [, next] = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '') ?? [];
  return { rows, shown: read.shown ?? (Array.isArray(body) ? body.length : 1), next };
}

async function measureRead(product: MeasuredProduct, read: Read): Promise<Result> {
  const counted: Counted[] = [];
  for (const path of read.paths) counted.push(await request(product, path, read));
  return {
    what: `${read.what} (shows ${counted.map(({ shown }) => shown).join(', ')})`,
    value: spreadOf(counted.map(({ rows }) => rows)),
    unit: 'rows',
    goal: `≤ ${MAX_ROWS_PER_SHOWN} × shown or ≤ ${LEAST_ROWS}`,
    isMet: counted.every(({ rows, shown }) => rows <= Math.max(LEAST_ROWS, MAX_ROWS_PER_SHOWN * shown)),
  };
}

/** Follows the first pages of each order. The ascending orders begin with thousands of equal figures. */
async function measureDirectory(
  product: MeasuredProduct,
  { query, most }: (typeof FILTERS)[number],
): Promise<Result> {
  const ratios: number[] = [];
  for (const sort of CALLER_SORTS) {
    for (const order of ['asc', 'desc']) {
      let path: string | undefined = `/api/callers?sort=${sort}&order=${order}&${query}`;
      for (let page = 0; page < PAGES && path !== undefined; page += 1) {
        const { rows, shown, next } = await request(product, path);
        ratios.push(rows / Math.max(1, shown));
        path = next?.replace(/^https?:\/\/[^/]+/, '');
      }
    }
  }
  const value = spreadOf(ratios);
  return {
    what: `the directory ${query === '' ? 'without filters' : `with ${query}`}, ${ratios.length} pages`,
    value,
    unit: 'rows per caller',
    goal: `≤ ${most}`,
    isMet: value.max <= most,
  };
}

async function measureSearch(product: MeasuredProduct, callers: readonly CallerListItem[]): Promise<Result> {
  const terms = callers.flatMap(({ twitterHandle, firstName, lastName }) => [
    twitterHandle,
    twitterHandle.slice(0, 4),
    `${firstName} ${lastName}`,
    firstName,
    firstName.slice(0, 2),
    lastName.slice(0, 1),
    `${firstName}q${lastName}`,
  ]);
  const rows: number[] = [];
  for (const term of new Set([...terms, ...SEARCH_OPERATORS])) {
    rows.push((await request(product, `/api/callers?search=${encodeURIComponent(term)}`)).rows);
  }
  const value = spreadOf(rows);
  return {
    what: `${rows.length} searches`,
    value,
    unit: 'rows',
    goal: `≤ ${MAX_SEARCH_ROWS}`,
    isMet: value.max <= MAX_SEARCH_ROWS,
  };
}
