import { beforeEach, expect, inject, it } from 'vitest';
import { LEVEL_SIGHTING_MS } from '#schema/constants/market.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { LEVEL_RECHECK_MAX_MS, MAX_HITS_PER_RUN, MAX_SINGLE_CHECKS_PER_RUN } from './call-levels.service.ts';
import type { CallDetail, TokenCall } from '#schema/contracts/calls.ts';
import { insertActiveCalls } from '#test/people/active-calls.ts';
import { knowAllMints, listTokens } from '#test/people/known-mints.ts';
import { readResponse } from '#test/responses.ts';
import { createPaidCaller, endCall, makeCall, MINTS, keepCallersActive } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { insertCallers, insertRows } from '#test/database/insert-rows.ts';
import { addDerivedRows } from '#test/derived-rows.ts';
import { pay } from '#test/payments/payments.ts';
import { connectTelegram, messagesIn, writtenTo } from '#test/messages/telegram.ts';
import { breakSource, endFaults, requestsTo, setPrice, type SourceName } from '#test/price-sources.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

const { WIF } = MINTS;
/** Tokens whose stop is reached in the same minute. */
const MANY = inject('isDeep') ? 1_000 : 120;
const LEVELS = { targetPrice: '3', stopPrice: '1.5' };
let app: TestApp;
let caller: Person;
let callerChat: number;
let follower: Person;
let followerChat: number;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'amara_calls' }));
  callerChat = await connectTelegram(app, caller);
  follower = await app.signIn('follower');
  await pay({ person: follower, callerId: caller.id });
  followerChat = await connectTelegram(app, follower);
});

const open = () => makeCall({ caller, mint: WIF, price: 2, ...LEVELS });
const passMinute = async () => {
  await app.advance(MINUTE_MS);
  await app.runJobs('calls', 'messages', 'prices');
  await app.sender.deliver();
};
const reach = async (price: number, source?: SourceName) => {
  await setPrice(WIF, price, source);
  await passMinute();
};
/** Refreshes the price, without a check of the levels. */
const reachUnchecked = async (price: number) => {
  await setPrice(WIF, price);
  await app.advance(MINUTE_MS);
  await app.services.priceRefresh.refresh();
};
const alertsIn = async (chatId: number) =>
  (await writtenTo(chatId)).filter((text) => /^(Target|Stop) hit/.test(text));
const firstWords = async (chatId: number) => (await alertsIn(chatId)).map((text) => text.split(' ', 1)[0]);
const listHits = () => query("SELECT level, price FROM call_events WHERE kind = 'level_hit' ORDER BY at");
const detailOf = ({ id }: TokenCall, person: Person) =>
  readResponse<CallDetail>(person.get(`/api/token-calls/${id}`));

it('a hit target or stop sends one message to the caller and one to each follower', async () => {
  const call = await open();
  await reach(2.9);
  expect(await listHits()).toEqual([]);

  await reach(3.25);
  await reach(4);
  await reach(2.5);
  await reach(3);
  for (const chat of [followerChat, callerChat]) {
    const [alert, ...others] = await alertsIn(chat);
    expect(others).toEqual([]);
    expect(alert?.split('\n').slice(1)).toEqual([
      '',
      'Target: $3.0000',
      'Price: $3.2500',
      'Entry: $2.0000 (+62.5%)',
      'The call is still active.',
      '',
      `https://solcallers.test/call/${call.id}`,
    ]);
  }
  const sent = (await messagesIn(followerChat)).find(({ text }) => text.startsWith('Target hit'));
  expect(sent?.buttons).toEqual([
    { text: 'Copy address', copy: call.tokenMint },
    { text: 'Open', url: `https://solcallers.test/call/${call.id}` },
  ]);

  await reach(1.4);
  expect(await firstWords(followerChat)).toEqual(['Target', 'Stop']);
  const hits = [
    { level: 'target', price: '3.25', at: expect.any(String) as string },
    { level: 'stop', price: '1.4', at: expect.any(String) as string },
  ];
  const detail = await detailOf(call, follower);
  expect(detail).toMatchObject({ isActive: true, levelHits: hits });
  await endCall({ caller, call, price: 2 });
  expect(await readResponse(app.request(`/api/token-calls/${call.id}`))).toMatchObject({
    levelHits: detail.levelHits,
  });
});

it('a hit target or stop is stored once if two cron runs overlap', async () => {
  await open();
  await reachUnchecked(3);
  const runs = await Promise.all([app.services.callLevels.check(), app.services.callLevels.check()]);
  expect(runs.toSorted()).toEqual([1, null]);
  expect(await listHits()).toHaveLength(1);
});

it('a stored hit of a target or stop can’t be changed or deleted', async () => {
  await open();
  await reach(3);
  for (const statement of [
    "UPDATE call_events SET price = '9' WHERE kind = 'level_hit'",
    "UPDATE call_events SET at = 1 WHERE kind = 'level_hit'",
    "UPDATE call_events SET kind = 'level_hit', level = 'stop', price = '1' WHERE kind = 'call_opened'",
    "DELETE FROM call_events WHERE kind = 'level_hit'",
  ]) {
    await expect(query(statement)).rejects.toThrow(/a hit level is never/);
  }
  await expect(
    query(
      "INSERT INTO call_events (id, kind, call_id, caller_id, at) SELECT 'x', 'level_hit', call_id, caller_id, 1 FROM call_events LIMIT 1",
    ),
  ).rejects.toThrow(/CHECK constraint failed/);
});

it('a hit target or stop sends no message if the call ends before the message is sent', async () => {
  const call = await open();
  await reachUnchecked(3);
  await app.services.callLevels.check();
  await endCall({ caller, call, price: 3 });
  await passMinute();
  expect(await alertsIn(followerChat)).toEqual([]);
  expect(await detailOf(call, follower)).toMatchObject({ levelHits: [{ level: 'target' }] });
});

it('a hit target or stop is not stored after the call has ended', async () => {
  const call = await open();
  await reachUnchecked(3);
  await endCall({ caller, call, price: 3 });
  await passMinute();
  expect(await listHits()).toEqual([]);
});

it.each<SourceName>(['jupiter', 'dexscreener'])(
  'a target that only %s reports as reached is not hit until the other source agrees',
  async (source) => {
    await open();
    await reach(30, source);
    await passMinute();
    expect(await listHits()).toEqual([]);
    await setPrice(WIF, 3.1);
    await passMinute();
    await passMinute();
    expect(await listHits()).toEqual([{ level: 'target', price: '3.1' }]);
  },
);

it('a price from one source hits no target while the other source has no price or is down', async () => {
  await open();
  await setPrice(WIF, null, 'dexscreener');
  await reach(3, 'jupiter');
  expect(await listHits()).toEqual([]);
  await setPrice(WIF, 3, 'dexscreener');
  await breakSource('dexscreener');
  await passMinute();
  await passMinute();
  expect(await listHits()).toEqual([]);
  await endFaults();
  for (let minute = 0; minute < 5; minute++) await passMinute();
  expect(await listHits()).toEqual([{ level: 'target', price: '3' }]);
});

it('a target is not hit if one source’s price is above it and the other source’s price is just below it', async () => {
  await open();
  await setPrice(WIF, 3.01, 'jupiter');
  await reach(2.99, 'dexscreener');
  expect(await listHits()).toEqual([]);
});

it('the cron stops checking a target that no recent refresh has reached', async () => {
  await open();
  await reach(30, 'jupiter');
  expect(await query('SELECT mint FROM level_checks')).toEqual([{ mint: WIF }]);
  await setPrice(WIF, 2);
  await app.advance(LEVEL_SIGHTING_MS);
  await passMinute();
  expect(await query('SELECT mint FROM level_checks')).toEqual([]);
});

it('many tokens with only one price source do not delay the level check of another token', async () => {
  const stuck = await insertActiveCalls({
    count: 3 * MAX_SINGLE_CHECKS_PER_RUN,
    calledAt: app.clock.now(),
    targetPrice: '2',
  });
  await control(
    'POST',
    '/prices',
    stuck.flatMap((mint) => [
      { mint, price: 30, source: 'jupiter' },
      { mint, price: null, source: 'dexscreener' },
    ]),
  );
  await passMinute();
  await open();
  await setPrice(WIF, 3);
  let minutes = 0;
  for (; (await listHits()).length === 0 && minutes < 10; minutes++) await passMinute();
  expect(minutes).toBeLessThanOrEqual(4);
  const checks = await query<{ wait: number }>('SELECT due_at - seen_at AS wait FROM level_checks');
  expect(Math.max(...checks.map(({ wait }) => wait))).toBeLessThanOrEqual(LEVEL_RECHECK_MAX_MS);
});

it(`the stops of ${MANY} tokens that are reached in the same minute are stored and handed over within that minute`, async () => {
  knowAllMints('0.4');
  const mints = await insertActiveCalls({ count: MANY, calledAt: app.clock.now(), stopPrice: '0.5' });
  await listTokens(mints);
  await app.advance(MINUTE_MS);
  await control(
    'POST',
    '/prices',
    mints.map((mint) => ({ mint, price: 0.4 })),
  );
  const requests = async () => (await requestsTo('jupiter')).length;
  const before = await requests();
  const startedAt = app.clock.now();
  await app.runJobs('prices', 'calls');
  expect(await listHits()).toHaveLength(MANY);
  expect(await query('SELECT mint FROM level_checks')).toEqual([]);
  expect(await query("SELECT subject FROM facts WHERE kind LIKE '%level_hit'")).toEqual([]);
  const events = (await app.sender.events()).filter((id) => id.startsWith('level_hit:'));
  expect(events).toHaveLength(MANY);
  expect(app.clock.now() - startedAt).toBeLessThan(MINUTE_MS);
  // Marks, refresh and check ask Jupiter about 50 mints at a time.
  expect((await requests()) - before).toBeLessThanOrEqual(3 * (1 + MANY / 50));
});

it(`the stops of ${MANY} tokens, half of them without a primary pool that counts, are all stored in two runs`, async () => {
  knowAllMints(null);
  const mints = await insertActiveCalls({ count: MANY, calledAt: app.clock.now(), stopPrice: '0.5' });
  await listTokens(mints);
  await app.advance(MINUTE_MS);
  await control(
    'POST',
    '/prices',
    mints.map((mint) => ({ mint, price: 0.4 })),
  );
  const stored: number[] = [];
  for (let run = 0; run < 2; run += 1) {
    await app.runJobs('prices', 'calls');
    stored.push((await listHits()).length);
    await app.advance(MINUTE_MS);
  }
  console.log(JSON.stringify({ stored, requests: (await requestsTo('dexscreener')).length }));
  expect(stored.at(-1)).toBe(MANY);
});

it('1,000 tokens without a confirmed price hold up the next token for one run', async () => {
  knowAllMints(null);
  const mints = await insertActiveCalls({ count: 1_000, calledAt: app.clock.now(), targetPrice: '2' });
  await open();
  await app.advance(MINUTE_MS);
  await setPrice(WIF, 3);
  const seenAt = app.clock.now();
  await query(
    `INSERT INTO level_checks (mint, since, seen_at, due_at)
     SELECT value, ?2, ?2, ?2 - iif(value = ?3, 0, 1) FROM json_each(?1)`,
    JSON.stringify([...mints, WIF]),
    seenAt,
    WIF,
  );
  expect(await app.services.callLevels.check()).toBe(0);
  await app.advance(MINUTE_MS);
  expect(await app.services.callLevels.check()).toBe(1);
  expect(await listHits()).toEqual([{ level: 'target', price: '3' }]);
});

it('the stop of a token that Jupiter prices but doesn’t list is hit', async () => {
  knowAllMints(null);
  const [mint = ''] = await insertActiveCalls({ count: 1, calledAt: app.clock.now(), stopPrice: '0.5' });
  await setPrice(mint, 0.4);
  await passMinute();
  expect(await listHits()).toEqual([{ level: 'stop', price: '0.4' }]);
});

it('the next run stores the hit levels that are more than one run stores', async () => {
  const mints = { popular: MINTS.BONK, newest: MINTS.JUP };
  const count = MAX_HITS_PER_RUN + 2;
  const calledAt = app.clock.now() - count;
  // The first run leaves out one call of the popular token, and the only one of the other token.
  const calls = Array.from({ length: count }, (_, index) => ({
    id: `call-${index}`,
    caller_id: `caller-${index}`,
    token_mint: index === count - 1 ? mints.newest : mints.popular,
    called_at: calledAt + index,
    target_price: '3',
  }));
  await insertCallers(calls.map((call) => call.caller_id));
  await insertRows('calls', calls);
  await addDerivedRows();
  for (const mint of Object.values(mints)) await setPrice(mint, 3);
  await app.services.priceRefresh.refresh();
  // A token that was seen long ago is postponed for long.
  await query('UPDATE level_checks SET since = 0');
  expect(await app.services.callLevels.check()).toBe(MAX_HITS_PER_RUN);
  await app.advance(MINUTE_MS);
  expect(await app.services.callLevels.check()).toBe(2);
  expect(await listHits()).toHaveLength(count);
  expect(await query('SELECT mint FROM level_checks')).toEqual([]);
});

it.each(
  Object.entries<() => Promise<unknown>>({
    'has no access any more': async () => {
      await keepCallersActive();
      await app.advance(29.5 * DAY_MS);
    },
    'muted the caller': () =>
      query(
        'INSERT INTO notification_mutes (user_id, caller_id, at) VALUES (?, ?, 0)',
        follower.id,
        caller.id,
      ),
    'switched targets and stops off': () =>
      query("INSERT INTO notification_opt_outs (user_id, kind) VALUES (?, 'level_hit')", follower.id),
  }),
)('the message about a hit level is not sent to a follower who %s', async (_who, change) => {
  await app.advance(DAY_MS);
  await open();
  await change();
  await reach(3);
  expect(await alertsIn(followerChat)).toEqual([]);
  expect(await firstWords(callerChat)).toEqual(['Target']);
});

it('the message about a hit level is not sent to a caller who switched targets and stops off', async () => {
  await open();
  await query("INSERT INTO notification_opt_outs (user_id, kind) VALUES (?, 'level_hit')", caller.id);
  await reach(3);
  expect([await alertsIn(callerChat), await firstWords(followerChat)]).toEqual([[], ['Target']]);
});
