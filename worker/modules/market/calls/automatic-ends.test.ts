import { beforeEach, expect, it, vi } from 'vitest';
import { CALL_AUTO_END_MS, SECOND_SOURCE_WAIT_MS, UNPRICED_END_MS } from '#schema/constants/market.ts';
import { MAX_QUOTE_AGE_MS } from '#schema/constants/prices.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { CallChart, CallDetail, TokenCall } from '#schema/contracts/calls.ts';
import { insertActiveCalls } from '#test/people/active-calls.ts';
import { knowAllMints, listTokens } from '#test/people/known-mints.ts';
import { readResponse } from '#test/responses.ts';
import { createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query } from '#test/database/database.ts';
import { breakSource, breakSources, endFaults, requestsTo, setPrice } from '#test/price-sources.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { runDueJobs, runJob } from '../../../jobs/every-minute.cron.ts';
import { MAX_CONFIRMED_ENDS_PER_RUN } from './automatic-ends.service.ts';

const { WIF, JUP } = MINTS;
let app: TestApp;
let caller: Person;

beforeEach(async () => {
  vi.restoreAllMocks();
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
});

const runJobs = () => app.runJobs('calls', 'messages', 'prices');
const pass = async (milliseconds: number) => {
  await app.advance(milliseconds);
  await runJobs();
};
const endDue = () => app.services.automaticEnds.endDue();
const listEnded = () => readResponse<TokenCall[]>(app.request('/api/token-calls/ended'));
const profileOf = () => readResponse<CallerProfile>(app.request(`/api/callers/${caller.id}`));
const detailOf = ({ id }: TokenCall) => readResponse<CallDetail>(app.request(`/api/token-calls/${id}`));
const isEnded = async ({ id }: TokenCall) => (await listEnded()).some((ended) => ended.id === id);

it('the cron ends a call after 30 days at the market price, flags it as ended automatically, and announces it', async () => {
  const call = await makeCall({ caller, mint: WIF, price: 2 });
  await app.advance(CALL_AUTO_END_MS - 1);
  await setPrice(WIF, 1);
  await runJobs();
  expect(await listEnded()).toEqual([]);

  await pass(1);
  const [ended] = await listEnded();
  expect(ended).toMatchObject({
    id: call.id,
    endPrice: '1',
    changePercent: -50,
    automaticEnd: 'time_limit',
    uncountedGainReason: null,
  });
  expect(await profileOf()).toMatchObject({ rankedCalls: 1, winRate: 0, avgReturn: -50 });
  expect((await detailOf(call)).quotes.filter(({ side }) => side === 'end')).toHaveLength(2);
  expect(await query("SELECT id FROM call_events WHERE kind = 'call_ended'")).toHaveLength(1);
  expect(await query("SELECT * FROM facts WHERE kind = 'call_ended'")).toEqual([]);
  expect(await endDue()).toEqual({ overdue: 0, unpriced: 0, hasMore: false });
});

it('a call older than 30 days stays open while the price sources are down or disagree', async () => {
  const call = await makeCall({ caller, mint: WIF, price: 2 });
  await app.advance(CALL_AUTO_END_MS);
  for (const states of [() => breakSources(), () => setPrice(WIF, 3, 'dexscreener')]) {
    await endFaults();
    await states();
    expect(await endDue()).toEqual({ overdue: 0, unpriced: 0, hasMore: false });
  }
  await setPrice(WIF, 3);
  await app.advance(MINUTE_MS);
  expect(await endDue()).toEqual({ overdue: 1, unpriced: 0, hasMore: true });
  expect(await isEnded(call)).toBe(true);
});

it('the end of a call after 30 days waits a day for a second price source if only one reports a gain', async () => {
  await makeCall({ caller, mint: WIF, price: 2 });
  await app.advance(CALL_AUTO_END_MS);
  await setPrice(WIF, 3);
  await setPrice(WIF, null, 'dexscreener');
  expect(await endDue()).toMatchObject({ overdue: 0 });
  await app.advance(SECOND_SOURCE_WAIT_MS);
  expect(await endDue()).toMatchObject({ overdue: 1 });
  expect(await listEnded()).toMatchObject([
    { endPrice: '3', automaticEnd: 'time_limit', uncountedGainReason: 'one_source' },
  ]);
});

it('a call older than 30 days is ended even if many other calls have no price', async () => {
  const stuck = MAX_CONFIRMED_ENDS_PER_RUN + 5;
  await insertActiveCalls({ count: stuck, callers: 5, calledAt: app.clock.now() });
  await app.advance(1);
  const call = await makeCall({ caller, mint: WIF, price: 2 });
  await app.advance(CALL_AUTO_END_MS);
  const ended: (number | null)[] = [];
  for (let run = 0; run < 3; run++) ended.push((await endDue()).overdue);
  expect(ended).toEqual([0, 1, 0]);
  expect(await isEnded(call)).toBe(true);
});

it('120 calls that are open for 30 days end in one minute, in invocations that stay within D1’s limit', async () => {
  let statements = 0;
  const DB = countRows(testEnv.DB, () => {
    statements += 1;
  });
  app = await createTestApp({ bindings: { DB } });
  knowAllMints('2');
  const mints = await insertActiveCalls({ count: 121, calledAt: app.clock.now() });
  await listTokens(mints);
  await app.advance(CALL_AUTO_END_MS);
  const prices = mints.map((mint, index) => ({ mint, source: 'jupiter', price: index === 60 ? null : 2 }));
  await control('POST', '/prices', prices);
  const requests = async () => (await requestsTo('jupiter')).length;
  const before = await requests();
  const runs: number[] = [];
  await runDueJobs({
    services: app.services,
    names: ['calls.end'],
    async runJob(due) {
      statements = 0;
      const outcome = await runJob(app.services, due);
      runs.push(statements);
      return outcome;
    },
  });
  expect(await query('SELECT token_mint FROM calls WHERE ended_at IS NULL')).toEqual([
    { token_mint: mints[60] },
  ]);
  expect(
    await query(
      "SELECT COUNT(*) AS quotes, SUM(is_recorded) AS recorded FROM price_quotes WHERE side = 'end'",
    ),
  ).toEqual([{ quotes: 240, recorded: 120 }]);
  expect(runs).toHaveLength(4);
  expect(Math.max(...runs)).toBeLessThanOrEqual(900);
  // One for each invocation, and two for the call that is asked about alone.
  expect((await requests()) - before).toBeLessThanOrEqual(6);
});

it('a price of a batch that becomes stale during the run ends no call', async () => {
  knowAllMints('2');
  const mints = await insertActiveCalls({ count: 2, calledAt: app.clock.now() });
  await listTokens(mints);
  await app.advance(CALL_AUTO_END_MS);
  await control(
    'POST',
    '/prices',
    mints.map((mint) => ({ mint, source: 'jupiter', price: 2 })),
  );
  const { confirmedQuotes } = app.services.prices;
  vi.spyOn(app.services.prices, 'confirmedQuotes').mockImplementation(async (batch) => {
    const confirmed = await confirmedQuotes(batch);
    expect(confirmed?.size).toBe(2);
    await app.advance(MAX_QUOTE_AGE_MS + 1);
    return confirmed;
  });
  await endDue();
  expect(await query('SELECT id FROM calls WHERE ended_at IS NOT NULL')).toEqual([]);
});

const loseItsPrice = async (mint: string) => {
  await setPrice(mint, null);
  await pass(MINUTE_MS);
};

it('the cron ends a call as a total loss after its token has had no price for seven days', async () => {
  const call = await makeCall({ caller, mint: WIF, price: 2 });
  await app.advance(DAY_MS);
  await loseItsPrice(WIF);
  await pass(UNPRICED_END_MS - 1);
  expect(await listEnded()).toEqual([]);
  await pass(1);
  expect(await listEnded()).toMatchObject([
    { id: call.id, endPrice: '0', changePercent: -100, automaticEnd: 'no_price' },
  ]);
  expect(await profileOf()).toMatchObject({ rankedCalls: 1, winRate: 0, avgReturn: -100 });
  expect(
    await query("SELECT source, failure, is_recorded FROM price_quotes WHERE side = 'end' ORDER BY source"),
  ).toEqual([
    { source: 'dexscreener', failure: 'absent', is_recorded: 0 },
    { source: 'jupiter', failure: 'absent', is_recorded: 0 },
  ]);
  expect(await detailOf(call)).toMatchObject({ peak: { price: '2' } });
  const { points } = await readResponse<CallChart>(app.request(`/api/token-calls/${call.id}/chart`));
  expect(points.at(-1)?.price).toBe('0');
  expect((await app.request(`/api/token-calls/${call.id}/share.png`)).status).toBe(200);
  expect(await endDue()).toMatchObject({ unpriced: 0 });
  expect(await query('SELECT * FROM unpriced_mints')).toEqual([]);
});

it('a call stays open if its token has a price again within seven days after losing it', async () => {
  const call = await makeCall({ caller, mint: WIF, price: 2 });
  await app.advance(DAY_MS);
  await loseItsPrice(WIF);
  await app.advance(6 * DAY_MS);
  await setPrice(WIF, 1, 'dexscreener');
  await runJobs();
  await loseItsPrice(WIF);
  await pass(2 * DAY_MS);
  expect(await isEnded(call)).toBe(false);
});

it('a call isn’t ended for a missing price while a price source is down', async () => {
  const call = await makeCall({ caller, mint: WIF, price: 2 });
  await breakSource('dexscreener');
  await loseItsPrice(WIF);
  expect(await query('SELECT * FROM unpriced_mints')).toEqual([]);
  await endFaults();
  await pass(MINUTE_MS);
  await app.advance(UNPRICED_END_MS);
  await breakSource('dexscreener');
  await runJobs();
  expect(await isEnded(call)).toBe(false);
  await endFaults();
  await pass(MINUTE_MS);
  expect(await isEnded(call)).toBe(true);
});

it('a new call stays open for seven days even if unpriced_mints has an older row for its token', async () => {
  await query('INSERT INTO unpriced_mints VALUES (?, 1)', WIF);
  await query('INSERT INTO unpriced_mints VALUES (?, 1)', JUP);
  const call = await makeCall({ caller, mint: WIF, price: 2 });
  await setPrice(WIF, null);
  await app.advance(UNPRICED_END_MS - 1);
  await endDue();
  expect(await isEnded(call)).toBe(false);
  expect(await query('SELECT mint FROM unpriced_mints')).toEqual([{ mint: WIF }]);
  await app.advance(1);
  await endDue();
  expect(await isEnded(call)).toBe(true);
});
