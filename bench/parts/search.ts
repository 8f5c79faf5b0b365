import { join } from 'node:path';
import type { AnyD1Database } from 'drizzle-orm/d1';
import { withLocalDatabase } from '#dev/local/local-database.ts';
import { createRandom } from '#test/seeded-random.ts';
import type { Part } from '../context.ts';
import { nameOf, WORDS } from '../environment/build-environment.ts';
import { percentile, summarize, type Result } from '../results.ts';

const DIRECTORY = '#worker/modules/market/callers/directory.repository.ts';
const DATABASE = '#worker/shared/database.ts';
const COUNT_ROWS = '../../worker/test-support/database/count-rows.ts';
const TERMS = 1_000;
const PAGE_SIZE = 60;
const MAX_P99 = 1_000;
const MAX_ROWS = 5_000;

interface Cursor {
  readonly value: number;
  readonly id: string;
  readonly group: number;
}

interface Directory {
  list(query: object): Promise<{
    readonly rows: readonly { sort_value: number; id: string; sort_group: number }[];
    readonly scannedTo: Cursor | null;
  }>;
}

interface Modules {
  createDirectoryRepository(db: unknown): Directory;
  createDatabase(d1: unknown): unknown;
  countRows(d1: unknown, report: (counted: { readonly rows: number }) => void): unknown;
}

/**
 * Searches the directory for 1,000 terms: names, words, handles, their beginnings, and two of them. Counts the rows
 * read for the first and the second page, and the pages that aren't full although there are more callers.
 */
export const measureSearch: Part = async ({ openEnvironment, options: { seed, callers } }) => {
  const { dataDir } = await openEnvironment();
  const modules = Object.assign(
    {},
    ...(await Promise.all([DIRECTORY, DATABASE, COUNT_ROWS].map((path) => import(path)))),
  ) as Modules;
  return withLocalDatabase(join(dataDir, 'state'), async (d1: AnyD1Database) => {
    let rowsRead = 0;
    const counted = modules.countRows(d1, ({ rows }) => {
      rowsRead += rows;
    });
    const directory = modules.createDirectoryRepository(modules.createDatabase(counted));
    const pages: { readonly term: string; readonly rows: number; readonly isShort: boolean }[] = [];
    for (const term of listTerms(seed, callers)) {
      let cursor: Cursor | null = null;
      for (let page = 0; page < 2 && (page === 0 || cursor !== null); page += 1) {
        rowsRead = 0;
        const { rows, scannedTo } = await directory.list({ ...FIRST_PAGE, search: term, cursor });
        pages.push({ term, rows: rowsRead, isShort: scannedTo !== null });
        const last = rows.length > PAGE_SIZE ? rows[PAGE_SIZE - 1] : undefined;
        cursor = last ? { value: last.sort_value, id: last.id, group: last.sort_group } : scannedTo;
      }
    }
    return describe(
      pages.map(({ rows }) => rows),
      pages.filter(({ isShort }) => isShort).length,
    );
  });
};

const FIRST_PAGE = {
  sort: 'avgReturn',
  order: 'desc',
  maxFeeLamports: null,
  isVerifiedOnly: false,
  isPaidOnly: false,
  limit: PAGE_SIZE + 1,
};

function listTerms(seed: number, callers: number): string[] {
  const { pick, share } = createRandom(seed);
  const numberBelow = (limit: number) => Math.floor(share() * limit);
  const surname = () => nameOf(numberBelow(10_000));
  const word = () => pick(WORDS);
  const beginning = (text: string) => text.slice(0, 1 + numberBelow(text.length));
  const kinds = [
    surname,
    word,
    () => nameOf(10_000 + numberBelow(2_000)),
    () => beginning(surname()),
    () => beginning(surname()),
    () => beginning(word()),
    () => `@${word()}_${numberBelow(callers)}`,
    () => `${surname()} @${beginning(word())}`,
    () => `${beginning(surname())}${pick(['q', 'x', '_'])}`,
    () => String(numberBelow(1_000)),
  ];
  return Array.from({ length: TERMS }, (_, number) => (kinds[number % kinds.length] ?? surname)());
}

function describe(rows: readonly number[], short: number): Result[] {
  const p99 = percentile(rows, 0.99);
  const all = summarize(rows);
  return [
    {
      what: 'a page of a search',
      value: all,
      unit: 'rows read',
      goal: `≤ ${MAX_ROWS}`,
      isMet: all.max <= MAX_ROWS,
    },
    {
      what: 'a page of a search, p99',
      value: summarize([p99]),
      unit: 'rows read',
      goal: `≤ ${MAX_P99}`,
      isMet: p99 <= MAX_P99,
    },
    {
      what: 'pages of a search over 1,000 rows',
      value: summarize([(100 * rows.filter((each) => each > MAX_P99).length) / rows.length]),
      unit: '%',
    },
    {
      what: 'pages of a search that are not full',
      value: summarize([short]),
      unit: 'pages',
      goal: '0',
      isMet: short === 0,
    },
  ];
}
