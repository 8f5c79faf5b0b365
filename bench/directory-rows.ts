// Counts the rows that pages of the directory read, in D1 inside workerd. `nice node bench/directory-rows.ts
// 10000 1000000` measures with 10,000 and with 1,000,000 callers. There are two worlds. In the first, fees and
// verified callers are spread evenly. In the second, three callers are verified and have the worst figures, and
// callers with higher figures have higher fees.

import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { getPlatformProxy } from 'wrangler';
import { CALLER_SORTS, DIRECTORY_PAGE_SIZE } from '#schema/constants.ts';
import { normalizeSearch } from '#schema/rules/search.ts';

interface Meta {
  readonly rows_read: number;
}
interface Statement {
  bind(...values: unknown[]): Statement;
  all<Row>(): Promise<{ results: Row[]; meta: Meta }>;
  run(): Promise<unknown>;
}
interface Database {
  prepare(sql: string): Statement;
}
interface Row {
  readonly id: string;
  readonly sort_value: number;
  readonly sort_group: number;
}
interface Directory {
  list(query: object): Promise<{ rows: readonly Row[]; scannedTo: object | null }>;
}

const REPOSITORY = '#worker/modules/callers/directory.repository.ts';
const DATABASE = '#worker/shared/database.ts';
const { createDirectoryRepository } = (await import(REPOSITORY)) as {
  createDirectoryRepository: (db: unknown) => Directory;
};
const { createDatabase } = (await import(DATABASE)) as { createDatabase: (binding: unknown) => unknown };

const FIRST = [
  'Ada',
  'Bo',
  'Cyrus',
  'Daniela',
  'Eve',
  'Faye',
  'Gustav',
  'Hal',
  'Ida',
  'Joanna',
  'Kim',
  'Leo',
  'Max',
];
const LAST = [
  'Lanternby',
  'Inkpen',
  'Candlemere',
  'Okafor',
  'Quill',
  'Zhang',
  'Ruiz',
  'Xu',
  'Moss',
  'Vale',
  'Trent',
];

/** Writes into the database's file, because that is several times faster than through workerd. */
function seed(file: string, { callers, isSkewed }: { callers: number; isSkewed: boolean }): void {
  const rate = isSkewed ? `(i * 1000.0 / ${callers})` : '((i * 7919) % 1000)';
  const fee = isSkewed ? `CAST(${rate} * 10000000 AS integer)` : '((i * 31) % 23) * 100000000';
  const verified = isSkewed ? 'i < 3' : 'i % 50 = 0';
  const pick = (names: readonly string[], number: string) =>
    `json_extract('${JSON.stringify(names)}', '$[' || (${number} % ${names.length}) || ']')`;
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${callers - 1})`;
  const id = `printf('%032d', i)`;
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = off; PRAGMA cache_size = -2000000; BEGIN');
  database.exec(
    `${numbers} INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, is_verified, created_at, updated_at)
     SELECT ${id}, i, 'handle_' || i, ${pick(FIRST, 'i')}, ${pick(LAST, 'i / 13')}, ${verified}, 1, 1 FROM n`,
  );
  database.exec(
    `${numbers} INSERT INTO callers (caller_id, search_text, fee_lamports, win_rate, avg_return, proven_rate, total_calls,
       ended_calls, ranked_calls, subscriber_count, last_call_at, created_at, updated_at)
     SELECT ${id}, lower(${pick(FIRST, 'i')} || ' ' || ${pick(LAST, 'i / 13')} || ' @handle_' || i), ${fee},
       ${rate} / 10, ${rate}, ${rate} / 11, CAST(${rate} AS integer), 0, i % 10, CAST(${rate} AS integer),
       CAST(${rate} * 1e6 AS integer), 1, 1
     FROM n`,
  );
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

interface Measured {
  readonly rows: number;
  readonly shown: number;
}

function createMeter(db: Database) {
  let rows = 0;
  const counting = (statement: Statement): Statement => ({
    bind: (...values) => counting(statement.bind(...values)),
    async all<Result>() {
      const result = await statement.all<Result>();
      rows += result.meta.rows_read;
      return result;
    },
    run: () => statement.run(),
  });
  const directory = createDirectoryRepository(
    createDatabase({ prepare: (sql: string) => counting(db.prepare(sql)) }),
  );
  return async (query: object): Promise<Measured> => {
    rows = 0;
    const page = await directory.list({ ...NO_FILTERS, ...query });
    return { rows, shown: Math.min(page.rows.length, DIRECTORY_PAGE_SIZE) };
  };
}

const NO_FILTERS = {
  sort: 'avgReturn',
  order: 'desc',
  search: null,
  maxFeeLamports: null,
  isVerifiedOnly: false,
  isPaidOnly: false,
  cursor: null,
  limit: DIRECTORY_PAGE_SIZE + 1,
};
const COLUMNS: Record<(typeof CALLER_SORTS)[number], string> = {
  winRate: 'win_rate',
  proven: 'proven_rate',
  avgReturn: 'avg_return',
  totalCalls: 'total_calls',
  subscribers: 'subscriber_count',
  lastCall: 'last_call_at',
  fee: 'fee_lamports',
};
const FEES = [null, 0n, 100_000_000n, 500_000_000n, 4_500_000_000n];

/** Returns the page that read the most rows. */
const worst = (pages: readonly Measured[]) => {
  const [first] = pages.toSorted((one, other) => other.rows - one.rows);
  return first ?? { rows: 0, shown: 0 };
};

/** The first, a middle and the last page in each order. Read from the file, because D1 has too little memory to sort so much. */
function listPositions(file: string, callers: number): object[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const positions = CALLER_SORTS.flatMap((sort) => {
    const column = COLUMNS[sort];
    const group = ['winRate', 'proven', 'avgReturn'].includes(sort) ? 'has_record DESC,' : '';
    return (['asc', 'desc'] as const).flatMap((order) => {
      const cursorAt = database.prepare(
        `SELECT ${column} AS value, caller_id AS id, has_record AS "group" FROM callers
         ORDER BY ${group} ${column} ${order}, caller_id ${order} LIMIT 1 OFFSET ?`,
      );
      const offsets = [Math.floor(callers / 2), callers - DIRECTORY_PAGE_SIZE - 1];
      const cursors = [null, ...offsets.map((offset) => ({ ...cursorAt.get(offset) }))];
      return cursors.map((cursor) => ({ sort, order, cursor }));
    });
  });
  database.close();
  return positions;
}

/** A thousand terms: words, parts of words, handles, misses, short terms and operators of query languages. */
function listTerms(callers: number): string[] {
  const words = [...FIRST, ...LAST];
  const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789@_ %"\'*()^-:'];
  const operators = [
    'a AND b',
    'NOT a',
    'ada OR bo',
    'NEAR(a b)',
    'tokens: ada',
    'ada*',
    '"ada',
    "'; --",
    '%_"\'*',
    '^ada',
  ];
  const made = Array.from({ length: 1000 }, (_, index) => {
    const number = (index * 7919) % (callers * 2);
    const word = words[index % words.length] ?? '';
    return [
      `@handle_${number}`,
      `handle_${number}`,
      `${word} ${words[(index * 7) % words.length]}`,
      `${word}x${index}`,
      `qz${index}`,
      String(number),
    ][index % 6];
  });
  const pairs = letters.flatMap((one, index) => [
    one,
    `${one}${letters[(index * 5 + 3) % letters.length]}`,
    `${one}a${one}`,
  ]);
  const all = [...words, ...operators, ...pairs, ...made].map((term) => normalizeSearch(term ?? ''));
  return [...new Set(all)].filter((term) => term !== '').slice(0, 1000);
}

async function measureSearch(db: Database, terms: readonly string[], filters: object) {
  const measure = createMeter(db);
  const measured: { term: string; rows: number; shown: number }[] = [];
  for (const term of terms) measured.push({ term, ...(await measure({ ...filters, search: term })) });
  const sorted = measured.toSorted((one, other) => one.rows - other.rows);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]?.rows ?? 0;
  return {
    p50: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    max: at(1),
    worst: sorted
      .slice(-3)
      .map(({ term }) => term)
      .join(' | '),
  };
}

interface World {
  readonly db: Database;
  readonly callers: number;
  readonly positions: readonly object[];
}

async function measureWorld({ db, callers, positions }: World): Promise<void> {
  const filters = [false, true].flatMap((isVerifiedOnly) =>
    [false, true].flatMap((isPaidOnly) =>
      FEES.map((maxFeeLamports) => ({ isVerifiedOnly, isPaidOnly, maxFeeLamports })),
    ),
  );
  const measure = createMeter(db);
  const pages = [];
  for (const filter of filters) {
    const measured: Measured[] = [];
    for (const position of positions) measured.push(await measure({ ...filter, ...position }));
    const { rows, shown } = worst(measured);
    pages.push({ ...filter, rows, shown, 'rows per shown': Number((rows / Math.max(1, shown)).toFixed(1)) });
  }
  console.table(pages);
  const searches = [];
  for (const filter of [{}, { isVerifiedOnly: true }, { isPaidOnly: true, maxFeeLamports: 500_000_000n }]) {
    const terms = listTerms(callers).filter(
      (_, index) => index % (Object.keys(filter).length === 0 ? 1 : 5) === 0,
    );
    searches.push({ filter: Object.keys(filter).join(' '), ...(await measureSearch(db, terms, filter)) });
  }
  console.table(searches);
}

/** Opens an empty, migrated database in `folder`, and after `fill` opens it again. */
async function openDatabase(folder: string, fill: (file: string) => void) {
  const configPath = join(folder, 'wrangler.json');
  const binding = { binding: 'DB', database_name: 'rows', database_id: 'rows' };
  const config = { name: 'rows', compatibility_date: '2026-01-01', d1_databases: [binding] };
  writeFileSync(configPath, JSON.stringify(config));
  const open = () =>
    getPlatformProxy<{ DB: Database }>({ configPath, persist: { path: folder }, remoteBindings: false });
  const empty = await open();
  const migrations = readdirSync('schema/migrations').filter((name) => name.endsWith('.sql'));
  for (const file of migrations.toSorted()) {
    const statements = readFileSync(join('schema/migrations', file), 'utf8').split(
      '--> statement-breakpoint',
    );
    for (const statement of statements) await empty.env.DB.prepare(statement).run();
  }
  await empty.dispose();
  const files = globSync(join(folder, '**/*.sqlite')).filter((file) => !file.endsWith('metadata.sqlite'));
  if (files.length !== 1 || files[0] === undefined) throw new Error(`No single database: ${files.join()}`);
  fill(files[0]);
  return open();
}

for (const callers of process.argv.slice(2).map(Number)) {
  for (const isSkewed of [false, true]) {
    const folder = mkdtempSync(join(tmpdir(), 'directory-rows-'));
    const startedAt = Date.now();
    let positions: readonly object[] = [];
    const { env, dispose } = await openDatabase(folder, (file) => {
      seed(file, { callers, isSkewed });
      positions = listPositions(file, callers);
    });
    console.log(
      `${callers} callers, ${isSkewed ? 'skewed' : 'even'}, seeded in ${Date.now() - startedAt} ms`,
    );
    await measureWorld({ db: env.DB, callers, positions });
    await dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}
