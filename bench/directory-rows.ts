// Counts the rows that pages of the directory read, in D1 inside workerd. `nice node bench/directory-rows.ts
// 10000 1000000` measures with 10,000 and with 1,000,000 callers. There are two worlds. In the first, fees and
// verified callers are spread evenly. In the second, three callers are verified and have the worst figures, and
// callers with higher figures have higher fees.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
interface Cursor {
  readonly value: number;
  readonly id: string;
  readonly group: number;
}
interface Row {
  readonly id: string;
  readonly sort_value: number;
  readonly sort_group: number;
}
interface Directory {
  list(query: object): Promise<{ rows: readonly Row[]; scannedTo: Cursor | null }>;
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
const PER_STATEMENT = 20_000;

async function seed(
  db: Database,
  { callers, isSkewed }: { callers: number; isSkewed: boolean },
): Promise<void> {
  const rate = isSkewed ? `(i * 1000.0 / ${callers})` : '((i * 7919) % 1000)';
  const fee = isSkewed ? `CAST(${rate} * 10000000 AS integer)` : '((i * 31) % 23) * 100000000';
  const verified = isSkewed ? 'i < 3' : 'i % 50 = 0';
  const pick = (names: readonly string[], number: string) =>
    `json_extract('${JSON.stringify(names)}', '$[' || (${number} % ${names.length}) || ']')`;
  for (let from = 0; from < callers; from += PER_STATEMENT) {
    const to = Math.min(callers, from + PER_STATEMENT) - 1;
    const numbers = `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;
    const id = `printf('%08x%024d', (i * 2654435761) % 4294967296, i)`;
    await db
      .prepare(
        `${numbers} INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, is_verified, created_at, updated_at)
         SELECT ${id}, i, 'handle_' || i, ${pick(FIRST, 'i')}, ${pick(LAST, 'i / 13')}, ${verified}, 1, 1 FROM n`,
      )
      .run();
    await db
      .prepare(
        `${numbers} INSERT INTO callers (caller_id, search_text, fee_lamports, win_rate, avg_return, proven_rate, total_calls,
           ended_calls, ranked_calls, subscriber_count, last_call_at, created_at, updated_at)
         SELECT ${id}, lower(${pick(FIRST, 'i')} || ' ' || ${pick(LAST, 'i / 13')} || ' @handle_' || i), ${fee},
           ${rate} / 10, ${rate}, ${rate} / 11, CAST(${rate} AS integer), 0, i % 10, CAST(${rate} AS integer),
           CAST(${rate} * 1e6 AS integer), 1, 1
         FROM n`,
      )
      .run();
  }
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

/** The first, a middle and the last page in each order. */
async function listPositions(db: Database, callers: number): Promise<object[]> {
  const positions: object[] = [];
  for (const sort of CALLER_SORTS) {
    const column = COLUMNS[sort];
    const group = ['winRate', 'proven', 'avgReturn'].includes(sort) ? 'has_record DESC,' : '';
    for (const order of ['asc', 'desc'] as const) {
      positions.push({ sort, order, cursor: null });
      for (const offset of [Math.floor(callers / 2), callers - DIRECTORY_PAGE_SIZE - 1]) {
        const { results } = await db
          .prepare(
            `SELECT ${column} AS value, caller_id AS id, has_record AS "group" FROM callers
             ORDER BY ${group} ${column} ${order}, caller_id ${order} LIMIT 1 OFFSET ${offset}`,
          )
          .all<Cursor>();
        positions.push({ sort, order, cursor: results[0] });
      }
    }
  }
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

async function measureWorld(db: Database, callers: number): Promise<void> {
  const filters = [false, true].flatMap((isVerifiedOnly) =>
    [false, true].flatMap((isPaidOnly) =>
      FEES.map((maxFeeLamports) => ({ isVerifiedOnly, isPaidOnly, maxFeeLamports })),
    ),
  );
  const measure = createMeter(db);
  const positions = await listPositions(db, callers);
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

for (const callers of process.argv.slice(2).map(Number)) {
  for (const isSkewed of [false, true]) {
    const folder = mkdtempSync(join(tmpdir(), 'directory-rows-'));
    const configPath = join(folder, 'wrangler.json');
    const binding = { binding: 'DB', database_name: 'rows', database_id: 'rows' };
    writeFileSync(
      configPath,
      JSON.stringify({ name: 'rows', compatibility_date: '2026-01-01', d1_databases: [binding] }),
    );
    const { env, dispose } = await getPlatformProxy<{ DB: Database }>({
      configPath,
      persist: false,
      remoteBindings: false,
    });
    try {
      for (const file of readdirSync('schema/migrations')
        .filter((name) => name.endsWith('.sql'))
        .toSorted()) {
        const statements = readFileSync(join('schema/migrations', file), 'utf8').split(
          '--> statement-breakpoint',
        );
        for (const statement of statements) await env.DB.prepare(statement).run();
      }
      const startedAt = Date.now();
      await seed(env.DB, { callers, isSkewed });
      console.log(
        `${callers} callers, ${isSkewed ? 'skewed' : 'even'}, seeded in ${Date.now() - startedAt} ms`,
      );
      await measureWorld(env.DB, callers);
    } finally {
      await dispose();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
