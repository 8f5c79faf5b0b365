import { beforeEach, describe, expect, it } from 'vitest';
import { LIST_MAX_PAGE_SIZE } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { readAnswer } from '../../test-support/answers.ts';
import { countRowsRead } from '../../test-support/count-rows.ts';
import { query } from '../../test-support/database.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '../../test-support/test-app.ts';

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
  const DB = countRowsRead(testEnv.DB, ({ rows }) => {
    rowsRead += rows;
  });
  app = await createTestApp({ bindings: { DB } });
  follower = await app.signIn('follower');
  const now = app.clock.now();
  await run(
    `users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
     SELECT 'c' || i, i, 'c' || i, 'C', i, 1, 1 FROM n`,
  );
  await run("callers (caller_id, search_text, created_at, updated_at) SELECT 'c' || i, i, 1, 1 FROM n");
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

describe('the calls of 80 followed callers', () => {
  it('are the newest of all of them, in order', async () => {
    const listed = await readAnswer<TokenCall[]>(follower.get('/api/subscriptions/calls'));
    const isFollowed = `CAST(substr(caller_id, 2) AS INTEGER) <= ${FOLLOWED}`;
    const active = await query<{ id: string }>(
      `SELECT id FROM calls WHERE ended_at IS NULL AND ${isFollowed} ORDER BY called_at DESC, rowid DESC LIMIT ${LIST_MAX_PAGE_SIZE}`,
    );
    const ended = await query<{ id: string; ended_at: number }>(
      `SELECT id, ended_at FROM calls WHERE ended_at IS NOT NULL AND ${isFollowed}
       ORDER BY ended_at DESC, id DESC LIMIT ${LIST_MAX_PAGE_SIZE}`,
    );
    expect(active).toHaveLength(20);
    expect(listed.map(({ id }) => id)).toEqual([...active, ...ended].map(({ id }) => id));
  });

  it('are listed by reading at most 8 rows for each shown call', async () => {
    rowsRead = 0;
    const listed = await readAnswer<TokenCall[]>(follower.get('/api/subscriptions/calls'));
    expect(rowsRead).toBeLessThanOrEqual(8 * listed.length);
  });
});
