import { expect, inject, it } from 'vitest';
import { LIVE_HUBS, LIVE_PRICES_MS } from '#schema/constants/messages.ts';
import { DAY_MS, HOUR_MS } from '#schema/constants/time.ts';
import { POLL_MS } from '#schema/constants/web.ts';
import { readResponse } from '#test/responses.ts';
import { createPaidCaller, makeCall, MINTS, makeEndedCall } from '#test/people/callers.ts';
import { countRows } from '#test/database/count-rows.ts';
import { gatherFollowers } from '#test/people/crowd.ts';
import { query } from '#test/database/database.ts';
import { createDatabase } from '../../../shared/database.ts';
import { createLiveRepository } from './live.repository.ts';
import { createTestApp, testEnv } from '#test/test-app.ts';
import { pay } from '#test/payments/payments.ts';
import { hashToken } from '../../../shared/secrets.ts';
import { NO_LIMITS } from '#test/test-limits.ts';
import { createSessionToken } from '#test/people/sessions.ts';
import { openPage, type OpenPage } from '#test/messages/open-page.ts';

const FOLLOWERS = inject('isDeep') ? 1_000 : 100;
const DASHBOARDS = 24;
const NAME_OF_COOKIE = /^[^=]+/;

async function createCountedApp() {
  const counted = { rows: 0, queries: 0 };
  const DB = countRows(testEnv.DB, ({ rows }) => {
    counted.rows += rows;
    counted.queries += 1;
  });
  const app = await createTestApp({ bindings: { DB, ...NO_LIMITS } });
  const measure = async <Result>(work: () => Promise<Result>) => {
    const before = { ...counted };
    const result = await work();
    return { result, rows: counted.rows - before.rows, queries: counted.queries - before.queries };
  };
  return { app, DB, measure };
}

it('24 open dashboards get the prices of three active calls without requests and with few SQL statements', async () => {
  const { app, measure } = await createCountedApp();
  const { caller } = await createPaidCaller(app, { handle: 'keeper_of_calls' });
  for (const mint of [MINTS.JUP, MINTS.WIF, MINTS.BONK]) await makeCall({ caller, mint, price: 2 });
  const pages: OpenPage[] = [];
  const measureTick = async () => {
    for (const page of pages) await page.heard();
    await app.advance(LIVE_PRICES_MS);
    return measure(() => app.live.sendPrices());
  };
  const open = async (handle: string) => {
    const follower = await app.signIn(handle);
    await pay({ person: follower, callerId: caller.id });
    const page = await openPage(app, follower);
    page.send(' prices');
    pages.push(page);
    return follower;
  };
  const follower = await open('follower');
  await app.advance(POLL_MS.subscriptionCalls);
  const poll = await measure(() => readResponse(follower.get('/api/subscriptions/calls')));
  const one = await measureTick();
  for (let number = 1; number < DASHBOARDS; number += 1) await open(`follower_${number}`);
  const all = await measureTick();
  for (const page of pages) await page.heard();
  expect(new Set(pages.map((page) => Object.keys(page.prices().at(-1) ?? {}).length))).toEqual(new Set([3]));
  console.log(JSON.stringify({ perHour: HOUR_MS / LIVE_PRICES_MS, polledRows: poll.rows, one, all }));
  expect(one.queries).toBe(4);
  expect(all.queries).toBeLessThanOrEqual(4 * LIVE_HUBS);
  // Access is checked as often as with polling.
  expect(one.rows).toBeLessThanOrEqual(17);
  // Random ids decide over how many hubs the pages are spread, and each hub reads some rows for all.
  expect(all.rows / DASHBOARDS).toBeLessThanOrEqual(12.5);
});

it('all connected followers get an event with far fewer requests and rows than polling', async () => {
  const { app, DB, measure } = await createCountedApp();
  const { caller } = await createPaidCaller(app, { handle: 'keeper_of_calls' });
  // A first call, so that the followers' lists aren't empty.
  await makeEndedCall({ caller, mint: MINTS.JUP });
  await gatherFollowers({ callerId: caller.id, count: FOLLOWERS });
  const people = await query<{ id: string }>("SELECT id FROM users WHERE x_user_id LIKE 'x%'");
  const tokens = await Promise.all(people.map(() => createSessionToken()));
  await query(
    `INSERT INTO sessions (token_hash, user_id, created_at, expires_at, last_used_at, device_hash)
     SELECT value ->> 0, value ->> 1, ?1, ?2, ?1, '' FROM json_each(?3)`,
    app.clock.now(),
    app.clock.now() + DAY_MS,
    JSON.stringify(people.map(({ id }, index) => [hashToken(tokens[index] ?? ''), id])),
  );
  const [cookieName = ''] = NAME_OF_COOKIE.exec(caller.cookie) ?? [];
  const cookieOf = (token: string) => `${cookieName}=${token}`;

  const pages: OpenPage[] = [];
  const joining = await measure(async () => {
    for (const [index, token] of tokens.entries()) {
      pages.push(await openPage(app, { cookie: cookieOf(token) }, `192.0.2.${index % 250}`));
    }
  });
  const follows = await measure(() =>
    createLiveRepository(createDatabase(DB)).listFollowed([people[0]?.id ?? '']),
  );
  expect([...follows.result.values()]).toEqual([[caller.id]]);
  const poll = async (token: string, etag?: string) => {
    const headers: Record<string, string> = etag === undefined ? {} : { 'If-None-Match': etag };
    const response = await app.request('/api/subscriptions/calls', { cookie: cookieOf(token), headers });
    await response.body?.cancel();
    return { status: response.status, etag: response.headers.get('ETag') ?? '' };
  };
  const first = await poll(tokens[0] ?? '');
  const unchanged = await measure(() => poll(tokens[0] ?? '', first.etag));
  expect(unchanged.result.status).toBe(304);

  const hubRequests = app.live.requests();
  const calledAt = Date.now();
  const made = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  const heard = await Promise.all(pages.map((page) => page.heard()));
  const heardMs = Date.now() - calledAt;
  expect(heard.filter((topics) => topics.join() === 'calls')).toHaveLength(FOLLOWERS);
  expect(app.live.requests() - hubRequests).toBe(LIVE_HUBS);
  const telling = await measure(async () => {
    app.services.live.callsChanged([{ callerId: caller.id, callId: made.id }]);
    await app.live.idle();
  });
  const refetch = await measure(() => poll(tokens[0] ?? '', first.etag));
  expect(refetch.result.status).toBe(200);

  // In an hour with one event, each page fetches once, after connecting.
  const polls = HOUR_MS / POLL_MS.subscriptionCalls;
  const polling = { requests: polls * FOLLOWERS, rows: (polls * unchanged.rows + refetch.rows) * FOLLOWERS };
  const live = {
    requests: (1 + 1) * FOLLOWERS + LIVE_HUBS,
    rows: joining.rows + telling.rows + (follows.rows + unchanged.rows) * FOLLOWERS,
  };
  console.log(JSON.stringify({ heardMs, telling, refetch, polling, live }));
  expect(polling.requests / live.requests).toBeGreaterThan(100);
  expect(polling.rows / live.rows).toBeGreaterThan(50);
  // Rows: a session and a period per follower, the caller's terms per hub, and the call once.
  expect(telling.rows).toBeLessThan(6 * FOLLOWERS + 30);
  expect(telling.queries).toBe(2 * LIVE_HUBS + 9);
});
