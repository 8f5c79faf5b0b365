import { beforeEach, expect, it } from 'vitest';
import { LIST_MAX_PAGE_SIZE } from '#schema/constants/app.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { readResponse } from '#test/responses.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query } from '#test/database/database.ts';
import { insertCallers } from '#test/database/insert-rows.ts';
import { runScript } from '#test/database/run-script.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';

const FOLLOWED = 80;
const CALLS = 60;

let app: TestApp;
let follower: Person;
let rowsRead = 0;

const run = (values: string) =>
  query(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${FOLLOWED + 20}),
       k(j) AS (SELECT 1 UNION ALL SELECT j + 1 FROM k WHERE j < ${CALLS})
     INSERT INTO ${values}`,
  );

/** Inserts many callers. The follower follows FOLLOWED of them. Many of their calls have equal times. */
beforeEach(async () => {
  const DB = countRows(testEnv.DB, ({ rows }) => {
    rowsRead += rows;
  });
  app = await createTestApp({ bindings: { DB } });
  follower = await app.signIn('follower');
  const now = app.clock.now();
  await insertCallers(Array.from({ length: FOLLOWED + 20 }, (_, index) => `c${index + 1}`));
  await run(
    `calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, end_price, ended_at, change_percent)
     SELECT 'e' || (i * 31 % 100) || '-' || j, 'c' || i, j, j, 'T', '1', 1, '2', ${now} - (i * j * 7) % 97 * 1000, 100
     FROM n, k`,
  );
  await run(
    `calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at)
     SELECT 'a' || i || '-' || j, 'c' || i, j, j, 'T', '1', ${now} - (i * j * 5) % 89 * 1000 FROM n, k WHERE i % 8 = 0 AND j < 3`,
  );
  await run(
    `subscriptions (id, subscriber_id, caller_id, starts_at, status, created_at)
     SELECT 's' || i, '${follower.id}', 'c' || i, 1, 'active', 1 FROM n WHERE i <= ${FOLLOWED}`,
  );
});

/** Lists the calls, and compares them with the result of one plain query of each kind. */
async function listNewest(followed: number): Promise<TokenCall[]> {
  await query(`DELETE FROM subscriptions WHERE CAST(substr(caller_id, 2) AS INTEGER) > ${followed}`);
  rowsRead = 0;
  const listed = await readResponse<TokenCall[]>(follower.get('/api/subscriptions/calls'));
  const read = rowsRead;
  const isFollowed = `CAST(substr(caller_id, 2) AS INTEGER) <= ${followed}`;
  const active = await query<{ id: string }>(
    `SELECT id FROM calls WHERE ended_at IS NULL AND ${isFollowed}
     ORDER BY called_at DESC, caller_id DESC, rowid DESC LIMIT ${LIST_MAX_PAGE_SIZE}`,
  );
  const ended = await query<{ id: string }>(
    `SELECT id FROM calls WHERE ended_at IS NOT NULL AND ${isFollowed}
     ORDER BY ended_at DESC, caller_id DESC, id DESC LIMIT ${LIST_MAX_PAGE_SIZE}`,
  );
  expect(listed.map(({ id }) => id)).toEqual([...active, ...ended].map(({ id }) => id));
  for (const { callerId, caller } of listed) {
    expect(caller).toEqual({
      id: callerId,
      firstName: 'First',
      lastName: 'Last',
      twitterHandle: callerId,
      profileImageUrl: null,
      isVerified: false,
    });
  }
  rowsRead = read;
  return listed;
}

it.each([80, 16, 15, 1])(
  'the newest calls of %i followed callers are listed in order, with one row read ahead per caller',
  async (followed) => {
    const listed = await listNewest(followed);
    expect(listed.length).toBeGreaterThanOrEqual(CALLS);
    expect(rowsRead).toBeLessThanOrEqual(2 * listed.length + 2.5 * followed);
  },
);

it('the list of followed callers’ calls has only the newest active calls if they exceed a page', async () => {
  await run(
    `calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at)
       SELECT 'b' || i || '-' || j, 'c' || i, 'b' || j, 'b' || j, 'T', '1', ${app.clock.now()} - (i * j * 3) % 83 * 1000
       FROM n, k WHERE j < 5`,
  );
  const listed = await listNewest(FOLLOWED);
  expect(listed.filter(({ isActive }) => isActive)).toHaveLength(LIST_MAX_PAGE_SIZE);
  expect(rowsRead).toBeLessThanOrEqual(3 * listed.length);
});

it('the list of followed callers’ calls reads few rows even if one caller made all the newest calls', async () => {
  await runScript(
    `INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, end_price, ended_at,
       change_percent)
     SELECT 'x' || i, 'c1', 'x' || i, 'x' || i, 'T', '1', 1, '2', ${app.clock.now()} + i, 100 FROM n;`,
    { count: 2 * LIST_MAX_PAGE_SIZE },
  );
  const listed = await listNewest(FOLLOWED);
  expect(rowsRead).toBeLessThanOrEqual(2 * listed.length + 2.5 * FOLLOWED);
});

it('the list of followed callers’ calls is empty if no followed caller has made a call', async () => {
  expect(await listNewest(0)).toEqual([]);
});

it('the list of followed callers’ calls shows a caller’s changed name, handle and badge', async () => {
  await query(
    `UPDATE users SET first_name = 'New', last_name = 'Name', twitter_handle = 'new', is_verified = 1,
         profile_image_url = 'https://pbs.twimg.com/profile_images/1/new.png'
       WHERE id = 'c1'`,
  );
  await query("DELETE FROM subscriptions WHERE caller_id <> 'c1'");
  const [call] = await readResponse<TokenCall[]>(follower.get('/api/subscriptions/calls'));
  const ofCall = await readResponse<TokenCall>(follower.get(`/api/token-calls/${call?.id}`));
  expect(call?.caller).toMatchObject({ firstName: 'New', twitterHandle: 'new', isVerified: true });
  expect(call?.caller).toEqual(ofCall.caller);
});
