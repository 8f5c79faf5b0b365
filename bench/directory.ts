import { DatabaseSync } from 'node:sqlite';
import { CALLER_SORTS, DIRECTORY_PAGE_SIZE } from '#schema/constants.ts';
import { normalizeSearch } from '#schema/rules/search.ts';
import type { MeasuredProduct } from './support/measured-product.ts';
import { percentile, spreadOf, type Result } from './results.ts';

type Sort = (typeof CALLER_SORTS)[number];

const COLUMNS: Readonly<Record<Sort, string>> = {
  winRate: 'win_rate',
  proven: 'proven_rate',
  avgReturn: 'avg_return',
  totalCalls: 'total_calls',
  subscribers: 'subscriber_count',
  lastCall: 'last_call_at',
  fee: 'fee_lamports',
};
/** In these orders, callers with too few ranked calls come last. */
const GROUPED: ReadonlySet<string> = new Set(['winRate', 'proven', 'avgReturn']);
const LAMPORTS = 1e9;
/** 4.5 SOL is inside a fee level. The others are at the end of one. */
const MAX_FEES = [null, '0', '0.1', '0.5', '4.5'];

interface Filter {
  readonly maxFee: string | null;
  readonly isVerified: boolean;
  readonly isPaid: boolean;
}

const FILTERS: readonly Filter[] = [false, true].flatMap((isVerified) =>
  [false, true].flatMap((isPaid) => MAX_FEES.map((maxFee) => ({ isVerified, isPaid, maxFee }))),
);
const isUnfiltered = ({ maxFee, isVerified, isPaid }: Filter) => maxFee === null && !isVerified && !isPaid;

interface Page {
  readonly filter: Filter;
  /** Such as 'winRate desc middle'. */
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
}

interface Measured {
  readonly name: string;
  readonly rows: number;
  readonly shown: number;
}

export interface DirectoryWorld {
  readonly product: MeasuredProduct;
  readonly file: string;
  readonly callers: number;
}

export interface DirectoryRows {
  readonly results: readonly Result[];
  /** Rows read by each page without filters, by its name. */
  readonly rowsByPage: ReadonlyMap<string, number>;
}

/** Counts the rows that the directory's API reads for each page. */
export async function measureDirectory({ product, file, callers }: DirectoryWorld): Promise<DirectoryRows> {
  // Before the first request, because the runtime would close the connection meanwhile.
  const pages = listPages(file);
  await product.readCounts();
  const measured = new Map<Filter, Measured[]>(FILTERS.map((filter) => [filter, []]));
  for (const page of pages) {
    measured.get(page.filter)?.push(await measurePage(product, page));
  }
  const groups = [
    { id: 'unfiltered', what: 'without filters', most: 3, has: isUnfiltered },
    {
      id: 'filtered',
      what: 'with filters except a maximum fee',
      most: 10,
      has: (filter: Filter) => filter.maxFee === null && !isUnfiltered(filter),
    },
    { id: 'max-fee', what: 'with a maximum fee', most: 25, has: (filter: Filter) => filter.maxFee !== null },
  ];
  const results = groups.map(({ id, what, most, has }) => {
    const group = [...measured].flatMap(([filter, found]) => (has(filter) ? found : []));
    const ratios = group.map(({ rows, shown }) => rows / Math.max(1, shown));
    return {
      id: `directory.${id}.${callers}`,
      what: `rows per shown caller, ${what}, ${group.length} pages of ${callers.toLocaleString('en-US')} callers`,
      value: spreadOf(ratios),
      unit: 'rows read',
      floor: '1',
      goal: `≤ ${most}`,
      isMet: Math.max(...ratios) <= most,
    };
  });
  const unfiltered = [...measured].flatMap(([filter, found]) => (isUnfiltered(filter) ? found : []));
  return { results, rowsByPage: new Map(unfiltered.map(({ name, rows }) => [name, rows])) };
}

/** Compares the pages of a large world with those of a small one. */
export function compareWorlds(
  small: DirectoryRows['rowsByPage'],
  large: DirectoryRows['rowsByPage'],
): Result {
  const ratios = [...large].flatMap(([name, rows]) => {
    const few = small.get(name);
    return few === undefined ? [] : [rows / few];
  });
  const value = spreadOf(ratios);
  return {
    id: 'directory.growth',
    what: 'rows that a page without filters reads in the large world, compared with the small one',
    value,
    unit: '× rows',
    floor: '1',
    goal: '0.9–1.1',
    isMet: value.min >= 0.9 && value.max <= 1.1,
  };
}

export async function measureSearch({ product, file, callers }: DirectoryWorld): Promise<Result[]> {
  const terms = listTerms(file);
  await product.readCounts();
  const rows: { term: string; rows: number }[] = [];
  for (const term of terms) {
    const page = { name: term, query: { search: term } };
    rows.push({ term, rows: (await measurePage(product, page)).rows });
  }
  const values = rows.map((each) => each.rows);
  const p99 = percentile(values, 0.99);
  const slowest = rows.find((each) => each.rows === Math.max(...values));
  const common = { unit: 'rows read', floor: '' };
  return [
    {
      ...common,
      id: `search.p99.${callers}`,
      what: `99th percentile of ${rows.length} searches among ${callers.toLocaleString('en-US')} callers`,
      value: { min: p99, median: p99, max: p99 },
      goal: '≤ 1,000',
      isMet: p99 <= 1_000,
    },
    {
      ...common,
      id: `search.all.${callers}`,
      what: `the same searches; the most rows for “${slowest?.term}”`,
      value: spreadOf(values),
      goal: '≤ 20,000',
      isMet: Math.max(...values) <= 20_000,
    },
  ];
}

async function measurePage(
  product: MeasuredProduct,
  { name, query }: Pick<Page, 'name' | 'query'>,
): Promise<Measured> {
  const response = await fetch(`${product.url}/api/callers?${new URLSearchParams(query)}`);
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  const shown = ((await response.json()) as unknown[]).length;
  return { name, shown, rows: (await product.readCounts()).rowsRead };
}

/** The callers' columns, in the order of their ids. */
interface Columns {
  readonly ids: readonly string[];
  readonly values: Readonly<Record<Sort, Float64Array>>;
  readonly hasRecord: Uint8Array;
  readonly isVerified: Uint8Array;
}

/** The first, a middle and the last page of every order, for every combination of filters. */
function listPages(file: string): Page[] {
  const columns = readColumns(file);
  const masks = FILTERS.map((filter) => ({ filter, ...selectCallers(columns, filter) }));
  return CALLER_SORTS.flatMap((sort) =>
    (['asc', 'desc'] as const).flatMap((order) => {
      const sorted = sortCallers(columns, { sort, order });
      return masks.flatMap(({ filter, mask, count }) => {
        const lastOfPages = { middle: Math.floor(count / 2), last: count - DIRECTORY_PAGE_SIZE - 1 };
        const found = findPositions(sorted, mask, Object.values(lastOfPages));
        const cursors = Object.keys(lastOfPages).map((place, index) => {
          const caller = found[index];
          const position = caller === undefined ? {} : { cursor: cursorAt(columns, sort, caller) };
          return { place, position };
        });
        return [{ place: 'first', position: {} }, ...cursors].map(({ place, position }) => ({
          filter,
          name: `${sort} ${order} ${place}`,
          query: { ...queryOf(filter), sort, order, ...position },
        }));
      });
    }),
  );
}

function readColumns(file: string): Columns {
  const database = new DatabaseSync(file, { readOnly: true });
  const select = database.prepare(
    `SELECT caller_id AS id, has_record, is_verified, ${Object.values(COLUMNS).join(', ')}
       FROM callers ORDER BY caller_id`,
  );
  select.setReturnArrays(true);
  const rows = select.all() as unknown as [
    id: string,
    hasRecord: number,
    isVerified: number,
    ...values: number[],
  ][];
  database.close();
  const values = Object.keys(COLUMNS).map((sort, index) => [
    sort,
    Float64Array.from(rows, (row) => row[index + 3] as number),
  ]);
  return {
    ids: rows.map(([id]) => id),
    hasRecord: Uint8Array.from(rows, (row) => row[1]),
    isVerified: Uint8Array.from(rows, (row) => row[2]),
    values: Object.fromEntries(values) as Columns['values'],
  };
}

function selectCallers(
  { ids, values, isVerified }: Columns,
  filter: Filter,
): { mask: Uint8Array; count: number } {
  const mostLamports = filter.maxFee === null ? Infinity : Number(filter.maxFee) * LAMPORTS;
  const mask = Uint8Array.from(ids.keys(), (caller) => {
    const fee = values.fee[caller] ?? 0;
    const isSelected =
      fee <= mostLamports && (!filter.isVerified || isVerified[caller] === 1) && (!filter.isPaid || fee > 0);
    return Number(isSelected);
  });
  return { mask, count: mask.reduce((sum, each) => sum + each, 0) };
}

interface Order {
  readonly sort: Sort;
  readonly order: 'asc' | 'desc';
}

function sortCallers({ ids, values, hasRecord }: Columns, { sort, order }: Order): Uint32Array {
  const column = values[sort];
  const isGrouped = GROUPED.has(sort);
  const sign = order === 'asc' ? 1 : -1;
  return Uint32Array.from(ids.keys()).sort(
    (one, other) =>
      (isGrouped ? (hasRecord[other] ?? 0) - (hasRecord[one] ?? 0) : 0) ||
      sign * ((column[one] ?? 0) - (column[other] ?? 0) || one - other),
  );
}

/** The callers at these positions among those with a mask. */
function findPositions(
  sorted: Uint32Array,
  mask: Uint8Array,
  positions: readonly number[],
): (number | undefined)[] {
  const found = positions.map((): number | undefined => undefined);
  let passed = -1;
  for (const caller of sorted) {
    if (mask[caller] === 0) continue;
    passed += 1;
    const index = positions.indexOf(passed);
    if (index !== -1) found[index] = caller;
  }
  return found;
}

const cursorAt = ({ ids, values, hasRecord }: Columns, sort: Sort, caller: number) =>
  Buffer.from(JSON.stringify([values[sort][caller], ids[caller], hasRecord[caller]])).toString('base64url');

function queryOf({ maxFee, isVerified, isPaid }: Filter): Record<string, string> {
  return {
    ...(maxFee !== null && { maxFee }),
    ...(isVerified && { verified: 'true' }),
    ...(isPaid && { paid: 'true' }),
  };
}

const OPERATORS = [
  'a AND b',
  'NOT a',
  'a OR b',
  'NEAR(a b)',
  'tokens: a',
  'a*',
  '"a',
  "'; --",
  '%_"\'*',
  '^a',
];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789@_ %"\'*()^-:'];
const TERMS = 1_000;
const SAMPLED = 250;

/** Names, handles and parts of both, misses, short terms, and operators of query languages. */
function listTerms(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const { last } = database.prepare('SELECT MAX(rowid) AS last FROM callers').get() as { last: number };
  const find = database.prepare('SELECT search_text FROM callers WHERE rowid >= ? LIMIT 1');
  const texts = Array.from({ length: SAMPLED }, (_, index) => {
    const row = find.get(Math.floor((index * last) / SAMPLED) + 1) as { search_text: string } | undefined;
    return row?.search_text ?? '';
  });
  database.close();
  const sampled = texts.flatMap((text, index) => {
    const words = text.split(' ');
    const handle = words.at(-1) ?? '';
    const name = words.slice(0, -1).join(' ');
    const start = index % Math.max(1, name.length - 3);
    const part = name.slice(start, start + 3 + (index % 3));
    return [handle, handle.slice(1), name, words[0] ?? '', part, `${words[0]}x${index}`];
  });
  const short = LETTERS.flatMap((one, index) => [one, `${one}${LETTERS[(index * 5 + 3) % LETTERS.length]}`]);
  const terms = [...OPERATORS, ...short, ...sampled, ...texts.map((_, index) => `qz${index}`)];
  const normal = terms.map((term) => normalizeSearch(term)).filter((term) => term !== '');
  return [...new Set(normal)].slice(0, TERMS);
}
