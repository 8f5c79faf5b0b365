import { describe, expect, inject, it } from 'vitest';
import { CALLER_SORTS, DIRECTORY_PAGE_SIZE } from '#schema/constants/market.ts';
import type { CallerListItem } from '#schema/contracts/callers.ts';
import { feeLevelOf } from '#schema/rules/money/fee-levels.ts';
import { callerSearchText, normalizeSearch } from '#schema/rules/text/search.ts';
import { readPages, readResponse } from '#test/responses.ts';
import { createCaller } from '#test/people/callers.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query } from '#test/database/database.ts';
import { createRandom } from '#test/seeded-random.ts';
import { addDerivedRows } from '#test/derived-rows.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { runScript } from '#test/database/run-script.ts';
import { shareEnvironment } from '#test/shared-environment.ts';
import { createTestApp, testEnv } from '#test/test-app.ts';
import { createDatabase } from '../../../shared/database.ts';
import { createId } from '../../../shared/ids.ts';
import type { KeysetCursor } from '../../../shared/keyset.ts';
import { createDirectoryRepository, type DirectoryQuery } from './directory.repository.ts';

const SOL = 1_000_000_000;
const FIRST_PAGE: DirectoryQuery = {
  sort: 'avgReturn',
  order: 'desc',
  search: null,
  maxFeeLamports: null,
  isVerifiedOnly: false,
  isPaidOnly: false,
  isMicroCapsOnly: false,
  cursor: null,
  limit: DIRECTORY_PAGE_SIZE + 1,
};

const nameOf = (page: object) =>
  JSON.stringify(page, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

const FILTERS = [false, true].flatMap((isVerifiedOnly) =>
  [false, true].flatMap((isPaidOnly) =>
    [null, 0, 0.1, 0.5, 4.5, 60].map((fee) => ({
      isVerifiedOnly,
      isPaidOnly,
      isMicroCapsOnly: false,
      maxFeeLamports: fee === null ? null : BigInt(fee * SOL),
    })),
  ),
);
/** Each order is tested with every sixth filter, and in `npm run test:deep` with all. */
const FILTER_STEP = inject('isDeep') ? 1 : 6;
const ORDERS = CALLER_SORTS.flatMap((sort) => (['asc', 'desc'] as const).map((order) => ({ sort, order })));

describe('with a crowd of 160 callers', () => {
  const { pick, share } = createRandom(25);
  const crowd = Array.from({ length: 160 }, (_, index) => ({
    id: `caller-${String((index * 61) % 160).padStart(3, '0')}`,
    firstName: pick(['Ada', 'Bo', 'Zoé', '100%', 'a_b', `"Q" O'Hara`, '🪁 Kite', '田中', 'AND']),
    lastName: pick(['Lanternby', 'Inkpen', 'Adams', '*', '']),
    handle: `crowd_${index}`,
    isVerified: share() < 0.3,
    fee: pick([0, 0, 1, 0.1 * SOL, 0.5 * SOL, 4.2 * SOL, 4.7 * SOL, 55 * SOL]),
    values: {
      winRate: pick([-1, 0, 100 / 3, 100]),
      proven: pick([-1_000, -3.5, 0, 20.654329147389294, 20.654329147389294]),
      avgReturn: pick([-100, 0, 12.345678901234567]),
      followerReturn: pick([-100, 0, 7.5]),
      afterFee: pick([-1e9, -12.5, 0.75]),
      totalCalls: pick([0, 4, 5, 6]),
      subscribers: pick([0, 1, 2]),
      lastCall: pick([0, 1_000]),
    },
    isActive: pick([0, 1]),
    followerCalls: pick([0, 4, 5, 6]),
    microCapCalls: pick([0, 9, 10, 30]),
  }));
  const terms = (
    'a|ad|ada|ada adams|inkpen @crowd_1|@crowd_15|crowd_|%|_|"|\'|*|and|é|zoé lan|🪁|🪁 kite|田|田中|zz|nobody|tokens:61|' +
    'a or b|@c|crowd_77 ada'
  )
    .split('|')
    .map(normalizeSearch);
  const matches = (each: (typeof crowd)[number], filter: (typeof FILTERS)[number], search: string | null) =>
    (!filter.isVerifiedOnly || each.isVerified) &&
    (!filter.isPaidOnly || each.fee > 0) &&
    (!filter.isMicroCapsOnly || each.microCapCalls >= 10) &&
    (filter.maxFeeLamports === null || each.fee <= filter.maxFeeLamports) &&
    (search === null || callerSearchText(each).includes(search));

  const listExpected = (
    { sort, order }: (typeof ORDERS)[number],
    filter: (typeof FILTERS)[number],
    search: string | null,
  ) => {
    const direction = order === 'asc' ? 1 : -1;
    const valueOf = (each: (typeof crowd)[number]) => (sort === 'fee' ? each.fee : each.values[sort]);
    const placeOf = (each: (typeof crowd)[number]) => crowd.indexOf(each);
    const compareEqual = (a: (typeof crowd)[number], b: (typeof crowd)[number]) => {
      const isInOrderOfIndex = search !== null && sort === 'avgReturn';
      return isInOrderOfIndex ? placeOf(b) - placeOf(a) : Number(a.id > b.id) - Number(a.id < b.id);
    };
    const isRate = ['winRate', 'proven', 'avgReturn', 'followerReturn', 'afterFee'].includes(sort);
    const isLast = ({ values, isActive }: (typeof crowd)[number]) =>
      Number(isRate && (values.proven <= 0 || isActive === 0));
    return crowd
      .filter((each) => matches(each, filter, search))
      .toSorted(
        (a, b) => isLast(a) - isLast(b) || direction * (valueOf(a) - valueOf(b) || compareEqual(a, b)),
      )
      .map(({ id }) => id);
  };

  shareEnvironment(async () => {
    await insertRows(
      'users',
      crowd.map(({ id, handle, firstName, lastName, isVerified }) => ({
        id,
        email: `${handle}@secret.example`,
        first_name: firstName,
        last_name: lastName,
        is_verified: Number(isVerified),
      })),
    );
    await insertRows(
      'callers',
      crowd.map(({ values, ...each }) => ({
        caller_id: each.id,
        fee_lamports: each.fee,
        search_text: callerSearchText(each),
        win_rate: values.winRate,
        proven: values.proven,
        avg_return: values.avgReturn,
        follower_return: values.followerReturn,
        after_fee: values.afterFee,
        is_active: each.isActive,
        total_calls: 9,
        ranked_calls: values.totalCalls,
        follower_calls: each.followerCalls,
        micro_cap_calls: each.microCapCalls,
        last_call_at: 2_000,
        last_ranked_at: values.lastCall,
        subscriber_count: 9,
        paying_count: values.subscribers,
      })),
    );
    await addDerivedRows();
  });

  it.each([
    ['all rows', { hits: 1_000, scannedRows: 1_000 }],
    ['a limited number of rows per page', { hits: 20, scannedRows: 30 }],
  ])(
    'the directory lists the same callers in the same order as a plain filter when the directory reads %s',
    async (_, limits) => {
      const directory = createDirectoryRepository(createDatabase(testEnv.DB), limits);
      const readAll = async (page: Omit<DirectoryQuery, 'cursor' | 'limit'>) => {
        const found: string[] = [];
        const limit = 35;
        let cursor: KeysetCursor | null = null;
        for (let pages = 0; pages === 0 || cursor !== null; pages++) {
          const { rows, scannedTo } = await directory.list({ ...page, cursor, limit });
          found.push(...rows.map(({ id }) => id));
          const last = rows.length === limit ? rows.at(-1) : undefined;
          cursor = last ? { value: last.sort_value, id: last.id, group: last.sort_group } : scannedTo;
          if (pages > crowd.length) throw new Error('The pages do not end');
        }
        return found;
      };
      for (const [place, order] of ORDERS.entries()) {
        for (const filter of FILTERS.filter((_each, index) => index % FILTER_STEP === place % FILTER_STEP)) {
          const search = order.sort !== 'avgReturn' || share() < 0.3 ? null : pick(terms);
          expect(await readAll({ ...order, ...filter, search }), nameOf([order, filter, search])).toEqual(
            listExpected(order, filter, search),
          );
        }
      }
      const order = { sort: 'avgReturn', order: 'desc' } as const;
      for (const each of FILTERS) {
        const filter = { ...each, isMicroCapsOnly: true };
        const search = share() < 0.5 ? null : pick(terms);
        expect(await readAll({ ...order, ...filter, search }), nameOf([filter, search])).toEqual(
          listExpected(order, filter, search),
        );
      }
    },
  );

  const NONE = FILTERS[0] as (typeof FILTERS)[number];

  const requestAll = async (parameters: string) => {
    const app = await createTestApp();
    return (
      await readPages<CallerListItem>((path) => app.request(path), `/api/callers?${parameters}`)
    ).flat();
  };
  const requestIds = async (parameters: string) => (await requestAll(parameters)).map(({ id }) => id);

  // Specification 2.41, 2.47-2.52
  it('the directory’s API lists every caller once over all pages, in each order', async () => {
    for (const order of ORDERS) {
      const parameters = `sort=${order.sort}&order=${order.order}`;
      const expected = listExpected(order, NONE, null);
      expect(await requestIds(`${parameters}&limit=47`), parameters).toEqual(expected);
    }
    expect(await requestIds('')).toEqual(listExpected({ sort: 'avgReturn', order: 'desc' }, NONE, null));
  });

  // Specification 2.40, 2.42-2.44
  it.each([
    ['verified=true', { isVerifiedOnly: true }, null],
    ['paid=true', { isPaidOnly: true }, null],
    ['maxFee=0', { maxFeeLamports: 0n }, null],
    ['maxFee=0.1', { maxFeeLamports: 100_000_000n }, null],
    ['maxFee=1.9&paid=true', { maxFeeLamports: 1_900_000_000n, isPaidOnly: true }, null],
    ['search=ADA', {}, 'ada'],
    ['search=%40crowd_15', {}, '@crowd_15'],
    ['search=bo%20%20inkpen', {}, 'bo inkpen'],
    ['search=ada&verified=true&paid=true', { isVerifiedOnly: true, isPaidOnly: true }, 'ada'],
    ['search=%25', {}, '%'],
    ['search=secret.example', {}, 'secret.example'],
    ['search=%20', {}, null],
  ] as const)(
    'the directory’s API lists exactly the callers that match %s',
    async (parameters, filter, search) => {
      expect(await requestIds(`${parameters}&limit=10&order=asc`)).toEqual(
        listExpected({ sort: 'avgReturn', order: 'asc' }, { ...NONE, ...filter }, search),
      );
    },
  );

  it('the directory’s filter of micro-caps shows callers with ten and more, in the default order only', async () => {
    const expected = listExpected(
      { sort: 'avgReturn', order: 'desc' },
      { ...NONE, isMicroCapsOnly: true },
      null,
    );
    expect(await requestIds('microCaps=true&limit=7')).toEqual(expected);
    const app = await createTestApp();
    for (const other of ['sort=proven', 'order=asc']) {
      const response = await app.request(`/api/callers?microCaps=true&${other}`);
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining('have only the default order: leave out sort and order.'),
      ]);
    }
  });

  it('the directory’s API refuses searches in another order than the index has', async () => {
    const app = await createTestApp();
    const response = await app.request('/api/callers?search=ada&sort=proven');
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('Searches have only the order by average return: leave out sort.'),
    ]);
    expect((await app.request('/api/callers?search=%20&sort=proven')).status).toBe(200);
  });

  // Specification 2.50
  it('the directory’s API returns 60 callers per page by default, and null rates without a ranked call', async () => {
    const response = await (await createTestApp()).request('/api/callers');
    expect(response.headers.get('Link')).toMatch(/^<\/api\/callers\?cursor=[\w-]+>; rel="next"$/);
    expect(await readResponse<CallerListItem[]>(response)).toHaveLength(60);
    for (const { id, winRate, avgReturn, proven } of await requestAll('limit=100')) {
      const { values } = crowd.find((each) => each.id === id) ?? expect.unreachable();
      expect([winRate, avgReturn]).toEqual(
        values.totalCalls === 0 ? [null, null] : [values.winRate, values.avgReturn],
      );
      expect(proven).toBe(values.proven === -1_000 ? null : values.proven);
    }
  });

  it('the directory’s API accepts a cursor whose id does not exist', async () => {
    const cursor = btoa(JSON.stringify([4_200_000_000, "' OR 1=1 --"])).replace(/=+$/, '');
    const rows = await requestAll(`sort=fee&order=asc&cursor=${cursor}`);
    expect(new Set(rows.map(({ monthlyFee }) => monthlyFee))).toEqual(new Set(['4.2', '4.7', '55']));
  });

  it('the stored fee level of each caller equals the result of feeLevelOf', async () => {
    const rows = await query<{ fee_lamports: number; fee_level: number }>(
      'SELECT fee_lamports, fee_level FROM callers',
    );
    expect(rows.map(({ fee_level }) => fee_level)).toEqual(
      rows.map(({ fee_lamports }) => feeLevelOf(BigInt(fee_lamports))),
    );
  });
});

/**
 * Inserts callers. Three of them are verified and have the worst figures. Callers with higher figures have
 * higher fees.
 */
const insertMany = (count: number) => {
  const rate = `(i * 1000.0 / ${count})`;
  return runScript(
    `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, is_verified, created_at, updated_at)
     SELECT 'user-' || i, i, 'handle_' || i, 'Ada', 'Lanternby', i < 3, 1, 1 FROM n;
     INSERT INTO callers (caller_id, search_text, fee_lamports, win_rate, avg_return, proven, follower_return, after_fee,
       is_active, ranked_calls, follower_calls, paying_count, last_ranked_at, created_at, updated_at)
     SELECT 'user-' || i, iif(i % 3, 'ada', 'bo') || ' lanternby @handle_' || i, CAST(${rate} AS integer) * 10000000,
       ${rate}, ${rate}, iif(i % 2, ${rate} + 1, -${rate}), ${rate}, ${rate}, i % 4 > 0, ${rate} / 10, 4, ${rate}, ${rate}, 1, 1 FROM n;`,
    { from: 0, count },
  );
};

/** A hit, a caller, a user and a sorted row for each caller of the page, and for the next one, and SOL’s price. */
const MAX_SEARCH_ROWS = 4 * (DIRECTORY_PAGE_SIZE + 1) + 1;

let rowsRead = 0;
const database = countRows(testEnv.DB, ({ rows }) => {
  rowsRead += rows;
});
const directory = createDirectoryRepository(createDatabase(database));
const measure = async (page: Partial<DirectoryQuery>) => {
  rowsRead = 0;
  const { rows, scannedTo } = await directory.list({ ...FIRST_PAGE, ...page });
  const shown = rows.slice(0, DIRECTORY_PAGE_SIZE);
  const last = shown.at(-1);
  const lastShown = last ? { value: last.sort_value, id: last.id, group: last.sort_group } : null;
  return { rowsRead, scannedTo, shown: shown.length, lastShown };
};

it('the directory reads few rows per shown caller, even if a filter removes almost all callers', async () => {
  await insertMany(4_000);
  const filters = FILTERS.filter(({ maxFeeLamports }) => maxFeeLamports !== 60n * BigInt(SOL));
  for (const [place, order] of ORDERS.entries()) {
    for (const filter of filters.filter((_each, index) => (index + place) % FILTER_STEP === 0)) {
      const { rowsRead: rows, shown } = await measure({ ...order, ...filter });
      const perFiltered = filter.maxFeeLamports === null ? 10 : 25;
      expect(rows, nameOf([order, filter])).toBeLessThanOrEqual(
        (filter === FILTERS[0] ? 3 : perFiltered) * Math.max(1, shown),
      );
    }
    const midpoint = await measure({ ...order, cursor: { value: 500, id: 'user-5', group: 1 } });
    expect(midpoint.rowsRead, nameOf(order)).toBeLessThanOrEqual(3 * DIRECTORY_PAGE_SIZE);
  }
});

it.each([1_000, inject('isDeep') ? 10_000 : 3_000])(
  'a search among %i callers in the default order reads few rows for a full page',
  async (count) => {
    await insertMany(count);
    await query("UPDATE callers SET search_text = 'some ' || search_text WHERE rowid % 8 = 0");
    for (const search of ['some', 'handle_7', 'lanternby', 'b']) {
      for (const filter of [{}, { isPaidOnly: true, maxFeeLamports: 5_000_000_000n }]) {
        const first = await measure({ ...filter, search });
        const later = await measure({ ...filter, search, cursor: first.lastShown });
        expect([first.scannedTo, later.scannedTo]).toEqual([null, null]);
        expect(Math.max(first.rowsRead, later.rowsRead), search).toBeLessThanOrEqual(MAX_SEARCH_ROWS);
      }
    }
  },
);

it('the directory’s filter of micro-caps reads only callers whom it shows, and at most 2,100 rows with other filters', async () => {
  await insertMany(4_000);
  await query('UPDATE callers SET micro_cap_calls = iif(rowid % 3, 9, 10)');
  const micro = { isMicroCapsOnly: true };
  const first = await measure(micro);
  const later = await measure({ ...micro, cursor: first.lastShown });
  expect([first.shown, later.shown]).toEqual([DIRECTORY_PAGE_SIZE, DIRECTORY_PAGE_SIZE]);
  expect(Math.max(first.rowsRead, later.rowsRead)).toBeLessThanOrEqual(3 * (DIRECTORY_PAGE_SIZE + 1) + 1);
  expect((await measure({ ...micro, isVerifiedOnly: true })).rowsRead).toBeLessThanOrEqual(2_100);
});

it('a search doesn’t read callers who match only parts of the term', async () => {
  await insertMany(4_000);
  await query("UPDATE callers SET search_text = iif(rowid % 16, 'abc bcd', 'abcd')");
  const page = await measure({ search: 'abcd' });
  expect(page).toMatchObject({ scannedTo: null, shown: DIRECTORY_PAGE_SIZE });
  expect(page.rowsRead).toBeLessThanOrEqual(MAX_SEARCH_ROWS);
});

it('the first page of a search is full if enough callers match, and reads few rows, also with filters and lowest first', async () => {
  await insertMany(4_000);
  const terms =
    'ada,bo,a,@,an,handle_77,handle_4321,qq,q,%,"*,ada 9,99,999,nobody at all,o,handle,1,12,1234,l b'.split(
      ',',
    );
  const filters = [
    {},
    { isVerifiedOnly: true, sql: 'is_verified = 1' },
    { maxFeeLamports: 100_000_000n, isPaidOnly: true, sql: 'fee_lamports BETWEEN 1 AND 100000000' },
  ];
  for (const search of terms) {
    for (const { sql = '1', ...filter } of filters) {
      const [found] = await query<{ count: number }>(
        `SELECT COUNT(*) AS count FROM callers WHERE instr(search_text, ?) > 0 AND ${sql}`,
        search,
      );
      for (const order of ['desc', 'asc'] as const) {
        const { rowsRead: rows, shown, scannedTo } = await measure({ search, order, ...filter });
        const name = `${search} ${sql} ${order}`;
        expect([shown, scannedTo], name).toEqual([Math.min(found?.count ?? 0, DIRECTORY_PAGE_SIZE), null]);
        expect(rows, name).toBeLessThanOrEqual(MAX_SEARCH_ROWS);
      }
    }
  }
  expect((await measure({ search: 'handle_4321' })).rowsRead).toBeLessThan(20);
  expect((await measure({ search: 'nobody at all' })).rowsRead).toBeLessThan(20);
});

it.each([
  [false, 10],
  [true, 14],
])(
  'an update of a caller’s counts and rates writes few rows, despite the directory’s indexes (verified caller: %j)',
  async (isVerified, most) => {
    const app = await createTestApp();
    const caller = await createCaller(app, 'caller');
    await query('UPDATE users SET is_verified = ? WHERE id = ?', Number(isVerified), caller.id);
    await query('UPDATE callers SET is_active = 1, active_until = 1');
    const updates = [
      'ended_calls = 0, last_call_at = 5, last_ranked_at = 5, active_until = 6',
      'ranked_calls = 6, win_rate = 1, avg_return = 2',
    ];
    const results = await testEnv.DB.batch(
      updates.map((set) => testEnv.DB.prepare(`UPDATE callers SET ${set}`)),
    );
    const written = results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
    expect(written).toBeGreaterThan(2);
    expect(written).toBeLessThanOrEqual(most);
  },
);

const listVerified = async () => {
  const app = await createTestApp();
  const rows = await readResponse<CallerListItem[]>(app.request('/api/callers?verified=true'));
  return rows.map(({ id }) => id);
};

it('the directory’s verified filter finds users who were verified before or after they became callers', async () => {
  const app = await createTestApp();
  const early = await app.signIn('early');
  await query('UPDATE users SET is_verified = 1 WHERE id = ?', early.id);
  await query(
    "INSERT INTO callers (caller_id, search_text, created_at, updated_at) VALUES (?, '', 1, 1)",
    early.id,
  );
  const late = await createCaller(app, 'late');
  expect(await listVerified()).toEqual([early.id]);
  await query('UPDATE users SET is_verified = 1 - is_verified');
  expect(await listVerified()).toEqual([late.id]);
});

it('a search for a caller’s id, which profiles’ addresses have, finds only that caller', async () => {
  const app = await createTestApp();
  const { id } = await createCaller(app, 'amara_calls');
  await createCaller(app, 'kenji_charts');
  const search = async (text: string) => {
    const found = await readResponse<CallerListItem[]>(app.request(`/api/callers?search=${text}`));
    return found.map((caller) => caller.id);
  };
  expect(await search(id)).toEqual([id]);
  expect(await search(createId())).toEqual([]);
});
