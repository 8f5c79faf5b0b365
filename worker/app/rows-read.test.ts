import { expect, inject, it } from 'vitest';
import { LOG_CHECKPOINT_MAX_ENTRIES } from '#schema/constants/log.ts';
import { STATISTICS_MAX_CALLS } from '#schema/constants/market.ts';
import { EXPORT_PAGE_SIZE } from '#schema/constants/people.ts';
import { PRICE_BATCH_SIZE } from '#schema/constants/prices.ts';
import { SITEMAP_MAX_URLS } from '#schema/constants/public.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import {
  STATISTICS_CALLERS_PER_SLICE,
  STATISTICS_ROWS_PER_SLICE,
} from '../modules/market/calls/statistics-repair.service.ts';
import { ROWS_PER_PAGE } from '../modules/running/backup/backup.service.ts';
import { MAX_BATCHES_PER_RUN } from '../modules/market/prices/price-refresh.service.ts';
import { followersOf } from '../modules/messages/facts/recipients.repository.ts';
import { callEvent } from '#test/messages/call-event.ts';
import { ACCESS_RULES } from '#test/access/access-rules.ts';
import {
  createAccessEnvironment,
  type AccessEnvironment,
  type Viewer,
} from '#test/access/access-environment.ts';
import { readResponse } from '#test/responses.ts';
import { endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query } from '#test/database/database.ts';
import { insertBigRows } from '#test/database/big-rows.ts';
import { insertManyRows } from '#test/database/many-rows.ts';
import { pay } from '#test/payments/payments.ts';
import { postUpdate } from '#test/messages/telegram.ts';
import { listRoutes } from '#test/access/routes.ts';
import { resetStorage } from '#test/database/storage.ts';
import { createTestApp, testEnv, type TestApp } from '#test/test-app.ts';
import { NO_LIMITS } from '#test/test-limits.ts';

/** Rows per table. `few` fills the largest page. `npm run test:deep` compares more rows. */
const ROWS = { few: 1_000, many: inject('isDeep') ? 10_000 : 2_000 };

/** One big caller, chat, fan and token. The smaller ones also fill the largest page. */
const SIZES = {
  few: { callerCalls: 1_000, chatMembers: 1_000, followedCalls: 100, tokenCalls: 500 },
  many: { callerCalls: 20_000, chatMembers: 10_000, followedCalls: 400, tokenCalls: 2_000 },
};

interface Exception {
  /** A substring of the statement. */
  readonly sql: string;
  /** The maximum number of rows that the statement may read. Null if the number grows with the table. */
  readonly bound: number | null;
  readonly why: string;
}

/** Statements that may read more rows when tables have more rows, by their sender: a route or `cron`. */
const EXCEPTIONS: Readonly<Record<string, readonly Exception[]>> = {
  'GET /api/callers/:usernameOrId/statistics': [
    {
      sql: 'FROM calls k WHERE k.caller_id = ? AND k.ended_at IS NOT NULL',
      bound: STATISTICS_MAX_CALLS,
      why: 'the figures need every ended call, up to this number',
    },
  ],
  'GET /:part{sitemap-[a-z0-9-]+\\.xml}': [
    {
      sql: '',
      bound: 2 * SITEMAP_MAX_URLS,
      why: 'a sitemap lists all pages of its part, up to the protocol’s limit',
    },
  ],
  'DELETE /api/user/telegram-chats/:id': [
    {
      sql: 'DELETE FROM telegram_chats WHERE chat_id = ?',
      bound: 3 * SIZES.many.chatMembers + 10,
      why: 'the members are deleted with their chat, once: each row, its foreign key, and its place in the key',
    },
  ],
  cron: [
    {
      sql: 'FROM log_entries e WHERE e.id > ? ORDER BY e.id LIMIT ?',
      bound: LOG_CHECKPOINT_MAX_ENTRIES,
      why: 'a checkpoint adds the entries since the last one: with more active calls, one run writes more marks',
    },
    {
      sql: 'CROSS JOIN log_tiles t ON t.level = p.value ->> 0',
      bound: 64,
      why: 'a checkpoint reads the tiles above each entry that it adds: their number grows with the logarithm of the log',
    },
    {
      sql: 'AS isWrong FROM callers WHERE caller_id > ?',
      bound: null,
      why: 'the daily check sums the payments of callers who were paid since the last one',
    },
    {
      sql: 'FROM callers WHERE ( total_calls',
      bound: 10 * STATISTICS_ROWS_PER_SLICE,
      why: 'the repair recomputes a slice of the callers per run',
    },
    {
      sql: 'UPDATE callers SET ( total_calls',
      bound: 20 * STATISTICS_ROWS_PER_SLICE,
      why: 'the repair corrects the wrong callers of the slice',
    },
    {
      sql: 'INSERT INTO active_mints (mint) SELECT token_mint FROM calls WHERE caller_id IN',
      bound: 2 * STATISTICS_ROWS_PER_SLICE,
      why: 'the repair adds missing mints of the slice’s active calls',
    },
    {
      sql: 'INSERT INTO called_tokens (mint, symbol, name, call_id) SELECT token_mint, token_symbol, token_name, id FROM calls WHERE caller_id IN',
      bound: 2 * STATISTICS_ROWS_PER_SLICE,
      why: 'the repair adds missing tokens of the slice’s ended calls',
    },
    {
      sql: 'measured_calls AS measuredCalls',
      bound: STATISTICS_ROWS_PER_SLICE,
      why: 'the repair recomputes the follower results of the slice’s callers',
    },
    {
      sql: 'UPDATE callers SET is_active = 1',
      bound: 2 * STATISTICS_CALLERS_PER_SLICE,
      why: 'the repair activates callers of the slice',
    },
    {
      sql: 'UPDATE callers SET (is_verified',
      bound: 5 * STATISTICS_CALLERS_PER_SLICE,
      why: 'the repair corrects the copies of accounts of the slice’s callers',
    },
    {
      sql: 'select "caller_id", "total_calls", "subscriber_count" from "callers"',
      bound: STATISTICS_ROWS_PER_SLICE,
      why: 'the repair’s slice',
    },
    {
      sql: 'UPDATE callers SET (subscriber_count, paying_count) = ( SELECT COUNT(DISTINCT',
      bound: null,
      why: 'the repair counts the subscribers of a slice of the callers per run; one caller may have more than a slice',
    },
    {
      sql: 'from "active_mints"',
      bound: MAX_BATCHES_PER_RUN * PRICE_BATCH_SIZE + 1,
      why: 'the refresh asks for the prices of a part of the tokens with active calls per run',
    },
    {
      sql: 'FROM level_checks WHERE due_at <= ?',
      bound: 2_000,
      why: 'rows that the purge deletes in the next runs may come first',
    },
    {
      sql: 'unpriced_mints (mint, since)',
      bound: null,
      why: 'one row per token of a shard that has no price',
    },
    {
      sql: 'SELECT rowid AS _rowid, *',
      bound: ROWS_PER_PAGE,
      why: 'a page of the nightly export',
    },
    {
      sql: 'SELECT * FROM "',
      bound: ROWS_PER_PAGE + 1,
      why: 'a page of the nightly export, of a table without rowids',
    },
  ],
  'GET /api/user/export': [
    {
      sql: '',
      bound: 2 * EXPORT_PAGE_SIZE,
      why: 'an export reads one page of a long list per request',
    },
  ],
};

/** Removes times, and the numbers of parameters, which depend on the day: equal values share a number. */
const normalise = (sql: string) =>
  sql
    .replace(/\s+/g, ' ')
    .replace(/\b\d{13}\b/g, '?')
    .replace(/\?\d+/g, '?')
    .trim();

/** The maximum number of rows that each statement has read, by `{where} | {statement}`. */
type Reads = Map<string, number>;

const WEEK_MS = 7 * DAY_MS;

/**
 * The cron's jobs depend on the weekday and the time of day, so both measurements start on the same weekday at noon.
 */
async function goToNoon(): Promise<void> {
  const { advance, clock } = await createTestApp();
  await advance(WEEK_MS - (clock.now() % WEEK_MS) + DAY_MS / 2);
}

async function readsWith(amount: keyof typeof ROWS): Promise<Reads> {
  await resetStorage();
  await goToNoon();
  const environment = await createAccessEnvironment();
  await insertManyRows({ environment, count: ROWS[amount] });
  await insertBigRows(environment, SIZES[amount]);
  await query("UPDATE calls SET follower_rule = 'gain_without_mark' WHERE ended_at IS NOT NULL");
  const reads: Reads = new Map();
  while ((await environment.app.services.logSequencer.sequence()) > 0);
  let where = '';
  const DB = countRows(testEnv.DB, ({ sql, rows }) => {
    const key = `${where} | ${normalise(sql)}`;
    reads.set(key, Math.max(reads.get(key) ?? 0, rows));
  });
  const [operator] = await query<{ id: string }>(
    "SELECT x_user_id AS id FROM users WHERE twitter_handle = 'operator'",
  );
  const app = await createTestApp({ bindings: { ...NO_LIMITS, DB, OPERATOR_X_IDS: operator?.id ?? '' } });
  await runJourneys({ app, environment }, (name) => {
    where = name;
  });
  for (const route of listRoutes()) {
    where = route;
    await requestRoute({ app, environment }, route);
  }
  where = 'cron';
  await app.runCron();
  return reads;
}

interface Product {
  readonly app: TestApp;
  readonly environment: AccessEnvironment;
}

/** Runs flows that need several requests or change the environment. */
async function runJourneys({ app, environment }: Product, begin: (name: string) => void): Promise<void> {
  const owner = app.browser(environment.owner);
  begin('open a call');
  const call = await makeCall({ caller: owner, mint: MINTS.BONK, price: 1 });
  begin('update a call');
  await readResponse(owner.post('/api/telegram/send-update', { callId: call.id, message: 'Still on.' }));
  begin('end a call');
  await endCall({ caller: owner, call, price: 2 });
  begin('record the marks of a call');
  for (let minute = 0; minute < 2; minute++) {
    await app.advance(MINUTE_MS);
    await app.services.priceMarks.record();
    await app.services.followerResults.record();
  }
  begin('list the followers of a message');
  const event = callEvent(`call_ended:${call.id}`, owner.id);
  await app.services.recipients.list({
    channel: 'telegram',
    people: followersOf(event, 'telegram'),
    after: '',
    until: '~',
    limit: 100,
  });
  begin('join a chat');
  await postUpdate(app, memberOf(environment.subject.chatId, { was: 'left', is: 'member' }));
  begin('leave a chat');
  await postUpdate(app, memberOf(environment.subject.chatId, { was: 'member', is: 'left' }));
  begin('sign in');
  const newcomer = await app.signIn('newcomer', { cookie: '' });
  begin('pay');
  await pay({ person: newcomer, callerId: owner.id });
  begin('follow');
  await readResponse(newcomer.post('/api/subscriptions/free', { callerId: environment.freeCaller.id }), 201);
  begin('unfollow');
  await newcomer.delete(`/api/subscriptions/free/${environment.freeCaller.id}`);
}

/** Telegram's update about a person who comes into a group or leaves it. */
function memberOf(chatId: string, status: { was: string; is: string }) {
  const user = { id: 4_242, is_bot: false, first_name: 'Guest' };
  return {
    update_id: 1,
    chat_member: {
      chat: { id: Number(chatId), type: 'supergroup', title: 'Alpha' },
      from: user,
      date: 1,
      old_chat_member: { user, status: status.was },
      new_chat_member: { user, status: status.is },
    },
  };
}

/** Skipped, because these requests end the viewer's own sessions. */
const isSignOut = (route: string) =>
  route === 'GET /api/logout' || route === 'POST /api/user/ways/end-others';

function viewersOf(route: string): readonly Viewer[] {
  if (route.includes('/api/operators')) return ['operator'];
  const isOfSubscribers = /\/api\/(subscriptions|payments|solana|user|auth)/.test(route);
  return isOfSubscribers ? ['subscriber', 'owner'] : ['owner'];
}

async function requestRoute({ app, environment }: Product, route: string): Promise<void> {
  if (isSignOut(route)) return;
  const [method = ''] = route.split(' ');
  for (const viewer of viewersOf(route)) {
    const requests = ACCESS_RULES[route]?.requests(environment.subject) ?? [];
    // Request each image for one name of the caller only: drawing is slow, and each name reads the same rows.
    for (const { path, body } of route.endsWith('.png') ? requests.slice(0, 1) : requests) {
      const headers = environment.credentials[viewer];
      const response = await app.request(path, { method, headers, body });
      await response.arrayBuffer();
    }
  }
}

/** The margin is for pages that aren't full with few rows: they read slightly more with many. */
const hasGrown = (few: number, many: number) => many > 1.5 * few + 20;

it('no SQL statement reads more rows when every table has many more rows', async () => {
  const few = await readsWith('few');
  const many = await readsWith('many');
  expect(many.size).toBeGreaterThan(200);
  const grown = [...many].filter(([key, rows]) => hasGrown(few.get(key) ?? 0, rows));
  const isAllowed = ([key, rows]: readonly [string, number]) =>
    EXCEPTIONS[key.split(' | ', 1)[0] ?? '']?.some(
      ({ sql, bound }) => key.includes(sql) && rows <= (bound ?? Number.POSITIVE_INFINITY),
    );
  const refused = grown.filter((each) => !isAllowed(each));
  expect(refused.map(([key, rows]) => `${few.get(key) ?? 0} → ${rows} rows: ${key}`)).toEqual([]);
});
