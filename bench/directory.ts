import { DatabaseSync } from 'node:sqlite';
import { CALLER_SORTS, DIRECTORY_PAGE_SIZE } from '#schema/constants.ts';
import { normalizeSearch } from '#schema/rules/search.ts';
import { createRandom } from './names.ts';
import type { MeasuredProduct } from './support/measured-product.ts';
import { percentile, spreadOf, type Result } from './results.ts';

type Sort = (typeof CALLER_SORTS)[number];

const COLUMNS: Readonly<Record<Sort, string>> = {
  winRate: 'win_rate',
  proven: 'proven_rate',
  avgReturn: 'avg_return',
  followerReturn: 'follower_return',
  totalCalls: 'total_calls',
  subscribers: 'subscriber_count',
  lastCall: 'last_call_at',
  fee: 'fee_lamports',
};
/** In these orders, callers with too few ranked calls come last. */
const GROUPED: ReadonlySet<string> = new Set(['winRate', 'proven', 'avgReturn', 'followerReturn']);
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
  readonly hasFollowerRecord: Uint8Array;
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
    `SELECT caller_id AS id, has_record, has_follower_record, is_verified, ${Object.values(COLUMNS).join(', ')}
       FROM callers ORDER BY caller_id`,
  );
  select.setReturnArrays(true);
  const rows = select.all() as unknown as [
    id: string,
    hasRecord: number,
    hasFollowerRecord: number,
    isVerified: number,
    ...values: number[],
  ][];
  database.close();
  const values = Object.keys(COLUMNS).map((sort, index) => [
    sort,
    Float64Array.from(rows, (row) => row[index + 4] as number),
  ]);
  return {
    ids: rows.map(([id]) => id),
    hasRecord: Uint8Array.from(rows, (row) => row[1]),
    hasFollowerRecord: Uint8Array.from(rows, (row) => row[2]),
    isVerified: Uint8Array.from(rows, (row) => row[3]),
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

const groupOf = ({ hasRecord, hasFollowerRecord }: Columns, sort: Sort) =>
  sort === 'followerReturn' ? hasFollowerRecord : hasRecord;

function sortCallers(columns: Columns, { sort, order }: Order): Uint32Array {
  const { ids, values } = columns;
  const group = groupOf(columns, sort);
  const column = values[sort];
  const isGrouped = GROUPED.has(sort);
  const sign = order === 'asc' ? 1 : -1;
  return Uint32Array.from(ids.keys()).sort(
    (one, other) =>
      (isGrouped ? (group[other] ?? 0) - (group[one] ?? 0) : 0) ||
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

const cursorAt = (columns: Columns, sort: Sort, caller: number) =>
  Buffer.from(
    JSON.stringify([columns.values[sort][caller], columns.ids[caller], groupOf(columns, sort)[caller]]),
  ).toString('base64url');

function queryOf({ maxFee, isVerified, isPaid }: Filter): Record<string, string> {
  return {
    ...(maxFee !== null && { maxFee }),
    ...(isVerified && { verified: 'true' }),
    ...(isPaid && { paid: 'true' }),
  };
}

const TERMS = 1_000;
const SEED = 1;
const OPERATORS = [
  'a AND b',
  'NOT a',
  'a OR b',
  'NEAR(a b)',
  'a*',
  '"a',
  "'; --",
  '%_"\'*',
  '^a',
  'tokens: a',
];

interface Searched {
  readonly first: string;
  readonly last: string;
  readonly handle: string;
}

type MakeTerm = (person: Searched, random: () => number) => string;

/**
 * Kinds of terms, and how many of a hundred searches are of this kind. Nobody has published how people search such a
 * list, so this is a guess: most look for somebody whose handle or name they know, and type it whole or in part. Each
 * term is about a caller drawn at random, so a common name is searched as often as it is borne.
 */
const KINDS: readonly { readonly percent: number; readonly make: MakeTerm }[] = [
  { percent: 25, make: ({ handle }) => handle },
  { percent: 5, make: ({ handle }) => `@${handle}` },
  { percent: 15, make: ({ handle }, random) => handle.slice(0, 4 + Math.floor(random() * 5)) },
  { percent: 20, make: ({ first, last }) => `${first} ${last}` },
  { percent: 8, make: ({ first }) => first },
  { percent: 10, make: ({ last }) => last },
  { percent: 7, make: (person, random) => partOf(`${person.first} ${person.last}`, 3, random) },
  { percent: 3, make: (person, random) => partOf(`${person.first} ${person.last}`, 2, random) },
  { percent: 1, make: (person, random) => partOf(person.first, 1, random) },
  // A mistyped name, and a text that nobody has.
  { percent: 4, make: ({ first, last }) => `${first}${last.slice(0, 2)}q${last.slice(3)}` },
  { percent: 1, make: (_person, random) => OPERATORS[Math.floor(random() * OPERATORS.length)] ?? '' },
  { percent: 1, make: ({ first }) => `qz${first}` },
];

function partOf(text: string, length: number, random: () => number): string {
  const start = Math.floor(random() * Math.max(1, text.length - length + 1));
  return text.slice(start, start + length);
}

/** Some terms occur several times, as they do if people search. */
function listTerms(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const { last } = database.prepare('SELECT MAX(rowid) AS last FROM users').get() as { last: number };
  const find = database.prepare(
    `SELECT first_name AS first, last_name AS last, twitter_handle AS handle FROM users
     WHERE rowid >= ? LIMIT 1`,
  );
  const random = createRandom(SEED);
  const kinds = KINDS.flatMap(({ percent, make }) => Array.from({ length: percent }, () => make));
  const terms = Array.from({ length: TERMS }, (_, index) => {
    const person = find.get(1 + Math.floor(random() * last)) as unknown as Searched;
    const make = kinds[index % kinds.length] as MakeTerm;
    return normalizeSearch(make(person, random)) || normalizeSearch(person.handle);
  });
  database.close();
  return terms;
}
