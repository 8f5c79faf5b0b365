import { beforeEach, describe, expect, it } from 'vitest';
import { SHOWN_PRICE_WINDOW_MS } from '#schema/constants.ts';
import type { CallerListItem, CallerProfile } from '#schema/contracts/callers.ts';
import { callerSearchText } from '#schema/rules/text/search.ts';
import { expectRefusal, readResponse } from '../../../test-support/responses.ts';
import {
  createCaller,
  createPaidCaller,
  makeCall,
  MINTS,
  makeEndedCall,
} from '../../../test-support/people/callers.ts';
import { shareEnvironment } from '../../../test-support/shared-environment.ts';
import { addDerivedRows } from '../../../test-support/derived-rows.ts';
import { insertRows } from '../../../test-support/database/insert-rows.ts';
import { control, createTestApp, type TestApp } from '../../../test-support/test-app.ts';

const CALLERS = 157;
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

/** Many of these callers have the same value in each sort order. */
const crowd = Array.from({ length: CALLERS }, (_, index) => ({
  id: `caller-${String((index * 61) % CALLERS).padStart(3, '0')}`,
  firstName: ['Ada', 'Bo', 'Cy'][index % 3] ?? '',
  lastName: `Number${index}`,
  handle: `crowd_${index}`,
  isVerified: index % 4 === 0,
  fee: [0, 100_000_000, 150_000_000, 2_000_000_000][index % 4] ?? 0,
  winRate: [-1, 100 / 3, 0, 100][index % 4] ?? 0,
  provenRate: [-1, 20.654329147389294, -1, 0][index % 4] ?? 0,
  avgReturn: [-100, 12.345678901234567, 0][index % 3] ?? 0,
  totalCalls: (index % 5) + 9,
  endedCalls: (index % 9) + (index % 2),
  rankedCalls: index % 9,
  subscribers: index % 7,
  lastCallAt: (index % 6) * 1_000,
}));

async function insertCrowd(): Promise<void> {
  await insertRows(
    'users',
    crowd.map(({ id, handle, firstName, lastName, isVerified }) => ({
      id,
      twitter_handle: handle,
      first_name: firstName,
      last_name: lastName,
      email: `${handle}@secret.example`,
      is_verified: Number(isVerified),
    })),
  );
  await insertRows(
    'callers',
    crowd.map((each) => ({
      caller_id: each.id,
      fee_lamports: each.fee,
      search_text: callerSearchText(each),
      win_rate: each.winRate,
      avg_return: each.avgReturn,
      proven_rate: each.provenRate,
      total_calls: each.totalCalls,
      ended_calls: each.endedCalls,
      ranked_calls: each.rankedCalls,
      last_call_at: each.lastCallAt,
      subscriber_count: each.subscribers,
    })),
  );
  await addDerivedRows();
}

/** Reads all pages by following the Link headers. */
async function readAll(search: string): Promise<CallerListItem[]> {
  const rows: CallerListItem[] = [];
  for (let path: string | undefined = `/api/callers?${search}`; path !== undefined;) {
    const response = await app.request(path);
    path = /^<(.+)>; rel="next"$/.exec(response.headers.get('Link') ?? '')?.[1];
    const page = await readResponse<CallerListItem[]>(response);
    if (path !== undefined) expect(page.length).toBeGreaterThan(0);
    rows.push(...page);
    if (rows.length > CALLERS) throw new Error('There are more rows than callers');
  }
  return rows;
}

const sortValues = {
  winRate: (each: (typeof crowd)[number]) => each.winRate,
  proven: (each: (typeof crowd)[number]) => each.provenRate,
  avgReturn: (each: (typeof crowd)[number]) => each.avgReturn,
  subscribers: (each: (typeof crowd)[number]) => each.subscribers,
  totalCalls: (each: (typeof crowd)[number]) => each.totalCalls,
  lastCall: (each: (typeof crowd)[number]) => each.lastCallAt,
  fee: (each: (typeof crowd)[number]) => each.fee,
};

const recordSorts = new Set(['winRate', 'proven', 'avgReturn']);

describe('a large directory', () => {
  shareEnvironment(insertCrowd);

  const orders = (Object.keys(sortValues) as (keyof typeof sortValues)[]).flatMap((sort) =>
    (['asc', 'desc'] as const).map((order) => [sort, order] as const),
  );

  // Specification 2.41, 2.47-2.52
  it.each(orders)(
    'the directory sorted by %s %s lists every caller once, in order, over all pages',
    async (sort, order) => {
      const direction = order === 'asc' ? 1 : -1;
      const value = sortValues[sort];
      const isLast = (each: (typeof crowd)[number]) => Number(recordSorts.has(sort) && each.rankedCalls < 5);
      const expected = crowd
        .toSorted(
          (a, b) => isLast(a) - isLast(b) || direction * (value(a) - value(b) || (a.id < b.id ? -1 : 1)),
        )
        .map(({ id }) => id);
      for (const limit of [7, 100]) {
        expect((await readAll(`sort=${sort}&order=${order}&limit=${limit}`)).map(({ id }) => id)).toEqual(
          expected,
        );
      }
    },
  );

  // Specification 2.50
  it('the directory is sorted by average return by default, best first, sixty callers a page', async () => {
    const response = await app.request('/api/callers');
    expect(response.headers.get('Link')).toMatch(/^<\/api\/callers\?cursor=[\w-]+>; rel="next"$/);
    const rows = await readResponse<CallerListItem[]>(response);
    expect(rows).toHaveLength(60);
    expect(rows[0]?.avgReturn === null || rows[0]?.avgReturn === 12.345678901234567).toBe(true);
    expect((await readAll('')).length).toBe(CALLERS);
  });

  // Specification 2.40, 2.42-2.44
  it.each([
    ['verified=true', (each: (typeof crowd)[number]) => each.isVerified],
    ['paid=true', (each: (typeof crowd)[number]) => each.fee > 0],
    ['maxFee=0', (each: (typeof crowd)[number]) => each.fee === 0],
    ['maxFee=0.1', (each: (typeof crowd)[number]) => each.fee <= 100_000_000],
    ['maxFee=1.9&paid=true', (each: (typeof crowd)[number]) => each.fee > 0 && each.fee <= 1_900_000_000],
    ['search=ADA', (each: (typeof crowd)[number]) => each.firstName === 'Ada'],
    ['search=%40crowd_15', (each: (typeof crowd)[number]) => each.handle.startsWith('crowd_15')],
    [
      'search=bo%20%20number1',
      (each: (typeof crowd)[number]) => each.firstName === 'Bo' && each.lastName.startsWith('Number1'),
    ],
    ['search=ada&verified=true&paid=true', () => false],
    ['search=%25', () => false],
    ['search=secret.example', () => false],
    ['search=%20', () => true],
  ])(
    'the directory filtered by %s lists exactly the matching callers over several pages',
    async (search, isWanted) => {
      const rows = await readAll(`${search}&limit=10&sort=fee`);
      expect(rows.map(({ id }) => id).toSorted()).toEqual(
        crowd
          .filter(isWanted)
          .map(({ id }) => id)
          .toSorted(),
      );
    },
  );

  it('the directory shows rates only for callers with an ended ranked call', async () => {
    for (const row of await readAll('limit=100')) {
      const source = crowd.find(({ id }) => id === row.id);
      expect([row.winRate, row.avgReturn, row.provenRate]).toEqual(
        source?.rankedCalls === 0
          ? [null, null, null]
          : [source?.winRate, source?.avgReturn, source?.provenRate],
      );
    }
  });

  it('the directory accepts a cursor whose id does not exist', async () => {
    const rows = await readResponse<CallerListItem[]>(
      app.request(
        `/api/callers?sort=fee&order=asc&cursor=${btoa(JSON.stringify([150_000_000, "' OR 1=1 --"])).replace(/=+$/, '')}`,
      ),
    );
    expect(rows.every(({ monthlyFee }) => monthlyFee === '0.15' || monthlyFee === '2')).toBe(true);
  });
});

const searches = [
  'unknown=1',
  'sort=email',
  'sort=',
  'order=up',
  'maxFee=-1',
  'maxFee=0.15',
  'maxFee=1e3',
  'maxFee=abc',
  'maxFee=007',
  'maxFee=00.5',
  'verified=false',
  'verified=1',
  'paid=yes',
  'limit=0',
  'limit=101',
  'limit=1.5',
  'limit=abc',
  'cursor=',
  'cursor=nonsense',
  `cursor=${'A'.repeat(300)}`,
  `cursor=${btoa('[1]')}`,
  `cursor=${btoa('["1","x"]')}`,
  `cursor=${btoa('[1e999,"x"]')}`,
  `search=${'x'.repeat(61)}`,
];

it('the directory refuses invalid query parameters', async () => {
  for (const search of searches) {
    await expectRefusal(app.request(`/api/callers?${search}`), 'request.invalid');
  }
});

// Specification 9.39
it('a caller’s row in the directory has the last seven ended calls, oldest first, and no active call', async () => {
  const caller = await createCaller(app, 'caller');
  const entries = [1, 2, 3, 4, 5, 6, 7, 8];
  for (const price of entries) {
    await makeEndedCall({ caller, from: price, to: price * 2 });
    await app.advance(SHOWN_PRICE_WINDOW_MS);
  }
  await makeCall({ caller, mint: MINTS.WIF, price: 9 });
  const [row] = await readResponse<CallerListItem[]>(app.request('/api/callers'));
  expect(row).toMatchObject({
    id: caller.id,
    totalCalls: 9,
    endedCalls: 8,
    rankedCalls: 1,
    canBeSubscribed: true,
    monthlyFee: null,
  });
  expect(row?.recentCalls.map(({ entryPrice, endPrice }) => [entryPrice, endPrice])).toEqual(
    [2, 3, 4, 5, 6, 7, 8].map((price) => [String(price), String(price * 2)]),
  );
});

// Specification 2.5, 2.6
it('a caller’s profile is found by id, and by handle in upper or lower case', async () => {
  const { caller, payout } = await createPaidCaller(app, { handle: 'amara_calls' });
  const byId = await readResponse<CallerProfile>(app.request(`/api/callers/${caller.id}`));
  expect(byId).toMatchObject({
    id: caller.id,
    twitterHandle: 'amara_calls',
    monthlyFee: '0.5',
    payoutAddress: payout.publicKey.toBase58(),
    canBeSubscribed: true,
    bio: null,
    viewer: {
      isOwner: false,
      isSubscribed: false,
      canSeeActiveCalls: false,
      accessEndsAt: null,
      canUnfollow: false,
    },
  });
  expect(byId).not.toHaveProperty('earnings');
  for (const name of ['amara_calls', 'AMARA_CALLS', 'Amara_Calls']) {
    expect(await readResponse(app.request(`/api/callers/${name}`))).toEqual(byId);
  }
});

// Specification 6.19
it('a caller’s profile shows its owner the earnings and active calls', async () => {
  const caller = await createCaller(app, 'caller');
  expect(await readResponse<CallerProfile>(caller.get(`/api/callers/${caller.id}`))).toMatchObject({
    earnings: '0',
    viewer: { isOwner: true, isSubscribed: false, canSeeActiveCalls: true },
  });
});

// Specification 2.84
it.each(['nobody', 'x', '%20'])('a profile request for the unknown name %s returns 404', async (name) => {
  for (const path of [`/api/callers/${name}`, `/api/callers/${name}/statistics`]) {
    await expectRefusal(app.request(path), 'callers.not_found');
  }
});

it('a profile request for a user who is not a caller returns 404', async () => {
  const reader = await app.signIn('reader');
  for (const name of [reader.id, 'reader']) {
    await expectRefusal(app.request(`/api/callers/${name}`), 'callers.not_found');
  }
});

it('a reused handle leads to the profile of its newest owner, also in the search', async () => {
  const before = await createCaller(app, 'old_owner');
  await control('POST', '/x/rename', { handle: 'old_owner', newHandle: 'moved_away' });
  await app.advance(1_000);
  const after = await createCaller(app, 'old_owner');
  expect((await readResponse<CallerProfile>(app.request('/api/callers/old_owner'))).id).toBe(after.id);
  await app.advance(1_000);
  await app.signIn('moved_away');
  expect((await readResponse<CallerProfile>(app.request('/api/callers/moved_away'))).id).toBe(before.id);
  expect(
    (await readResponse<CallerListItem[]>(app.request('/api/callers?search=moved_away'))).map(({ id }) => id),
  ).toEqual([before.id]);
});

it('a reused handle still leads to its newest owner after the old owner edits their bio', async () => {
  const before = await createCaller(app, 'old_name');
  await control('POST', '/x/rename', { handle: 'old_name', newHandle: 'new_name' });
  await app.advance(1_000);
  const after = await createCaller(app, 'old_name');
  await app.advance(1_000);
  await readResponse(before.patch('/api/user/profile', { bio: 'It is me, subscribe here' }));
  expect((await readResponse<CallerProfile>(app.request('/api/callers/old_name'))).id).toBe(after.id);
});
