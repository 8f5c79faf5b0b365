import { beforeEach, describe, expect, inject, it } from 'vitest';
import { FOLLOWER_RECORD_DELAY_MS } from '#schema/constants/market.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { CallDetail } from '#schema/contracts/calls.ts';
import type { CallerProfile, CallerResults } from '#schema/contracts/callers.ts';
import { calculate } from '#schema/rules/calls/calculator.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import {
  naiveCopied,
  naiveFigures,
  naiveResult,
  naiveSolResult,
  naiveSums,
} from '#schema/rules/calls/follower-return.test-model.ts';
import { createCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query } from '#test/database/database.ts';
import { insertCallers, insertRows } from '#test/database/insert-rows.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { addDerivedRows } from '#test/derived-rows.ts';
import { readResponse } from '#test/responses.ts';
import { appendEvents, endOf, eventOf } from '#test/log.ts';
import { createRandom } from '#test/seeded-random.ts';
import { breakSources, endFaults, setPrice } from '#test/price-sources.ts';
import { createDatabase } from '../../../shared/database.ts';
import { createCallsRepository } from './calls.repository.ts';
import { control, createTestApp, testEnv, type TestApp } from '#test/test-app.ts';

const CALLERS = inject('isDeep') ? 60 : 3;
/** Calls that end in the same minute. */
const MANY = inject('isDeep') ? 1_000 : 120;
const { share, between, pick } = createRandom(12);
const decimal = (value: number) => value.toFixed(18).replace(/\.?0+$/, '');

/** Inserts a caller's random past calls and their marks, some of them missing. Some calls are still open. */
async function insertHistory(callerId: string, now: number): Promise<void> {
  const days = pick([5, 30, 120, 500]);
  const calls = Array.from({ length: pick([0, 4, 40, 230, 530]) }, (_, index) => {
    const entryPrice = decimal(between(1, 99_999) / 10 ** between(0, 9));
    const calledAt = now - HOUR_MS - between(1, days * DAY_MS);
    const isEnded = share() < 0.97;
    const endPrice = share() < 0.03 ? '0' : decimal((Number(entryPrice) * between(40, 260)) / 100);
    const change = changePercent(entryPrice, endPrice);
    return {
      id: `${callerId}-${index}`,
      caller_id: callerId,
      token_mint: `mint-${isEnded ? between(1, 40) : `open-${index}`}`,
      entry_price: entryPrice,
      called_at: calledAt,
      unranked_reason: share() < 0.15 ? 'micro_cap' : null,
      end_price: isEnded ? endPrice : null,
      ended_at: isEnded ? Math.min(now - 10 * MINUTE_MS, calledAt + between(1, 3 * DAY_MS)) : null,
      change_percent: isEnded ? change : null,
      uncounted_gain_reason: isEnded && change > 0 && share() < 0.1 ? 'one_source' : null,
      automatic_end: isEnded && endPrice === '0' ? 'no_price' : null,
    };
  });
  await insertRows('calls', calls);
  const marks = calls.flatMap(({ id, entry_price: entry, called_at: at, ended_at: endedAt }) =>
    (endedAt === null ? (['open'] as const) : (['open', 'end'] as const)).flatMap((side) => {
      const kind = share();
      if (kind < 0.05) return [];
      const isPriced = kind > 0.1;
      return {
        id,
        side,
        price: isPriced ? decimal((Number(entry) * between(40, 260)) / 100) : null,
        liquidity: isPriced ? pick([null, 0, between(10_000, 9_999_999), 123_456.78]) : null,
        source: isPriced ? 'jupiter' : null,
        solPrice: share() < 0.05 && isPriced ? null : String(between(10_000, 20_000) / 100),
        seenAt: (side === 'open' ? at : (endedAt ?? 0)) + MINUTE_MS,
      };
    }),
  );
  await query(
    `INSERT INTO price_marks (call_id, side, price, liquidity_usd, sol_price_usd, source, seen_at)
     SELECT value ->> 'id', value ->> 'side', value ->> 'price', value ->> 'liquidity', value ->> 'solPrice', value ->> 'source',
       value ->> 'seenAt'
     FROM json_each(?)`,
    JSON.stringify(marks),
  );
}

async function recordAll(app: TestApp): Promise<void> {
  while (((await app.services.followerResults.record()) ?? 0) > 0);
}

/** Recomputes a caller's figures from the details of the ended calls. */
async function recompute(app: TestApp, id: string) {
  const ended = await query<{ id: string }>(
    'SELECT id FROM calls WHERE caller_id = ? AND ended_at IS NOT NULL',
    id,
  );
  const details: CallDetail[] = [];
  for (const call of ended) {
    details.push(await app.services.callDetails.get({ id: call.id, viewerId: null }));
  }
  const records = details
    .filter(({ unrankedReason, follower }) => unrankedReason === null && follower !== null)
    .toSorted(
      (one, other) =>
        (other.endTimestamp ?? '').localeCompare(one.endTimestamp ?? '') || (other.id > one.id ? 1 : -1),
    )
    .map((call) => {
      const markOf = (side: 'open' | 'end') => {
        return call.marks.find((each) => each.side === side) ?? null;
      };
      const times = {
        calledAt: Date.parse(call.callTimestamp),
        endedAt: Date.parse(call.endTimestamp ?? ''),
      };
      const naive = {
        ...times,
        entryPrice: call.entryPrice,
        endPrice: call.endPrice ?? '',
        isUncounted: call.uncountedGainReason !== null,
        open: markOf('open'),
        end: markOf('end'),
      };
      const ppm = naiveResult(naive);
      expect(call.follower?.percent ?? null, call.id).toBe(ppm === null ? null : ppm / 10_000);
      const [solPpm, copied] = [naiveSolResult(naive), naiveCopied(naive)];
      return { mint: call.tokenMint, ...times, ppm, solPpm, copied, isLate: false };
    });
  const [open] = await query<{ at: number | null }>(
    'SELECT MIN(called_at) AS at FROM calls WHERE caller_id = ? AND ended_at IS NULL',
    id,
  );
  await expectCopiedCalls(
    app,
    id,
    records.map(({ ppm }) => ppm),
  );
  const openAt = open?.at ?? null;
  return { ...naiveFigures(records, openAt), sums: naiveSums(records, openAt) };
}

/** Asserts that the calculator gets the same sum from the route with the results. */
async function expectCopiedCalls(app: TestApp, id: string, results: readonly (number | null)[]) {
  const caller = await readResponse<CallerResults>(app.request(`/api/callers/${id}/results`));
  const copied = calculate({ callers: [caller], stakeUsd: 1_000, since: 0, until: app.clock.now() });
  const known = results.filter((ppm) => ppm !== null);
  expect(copied).toMatchObject({
    calls: known.length,
    callsWithoutResult: results.length - known.length,
    gainUsd: known.reduce((sum, ppm) => sum + ppm, 0) / 1_000,
  });
}

async function expectFigures(app: TestApp, id: string): Promise<void> {
  const profile = await readResponse<CallerProfile>(app.request(`/api/callers/${id}`));
  const { proven, sums, ...exact } = await recompute(app, id);
  const { results, days, since, mostAtOnce, stakes } = profile.afterFee;
  expect({ results, days, since, mostAtOnce }, id).toEqual({
    results: sums.results,
    days: sums.days,
    since: sums.since?.toISOString() ?? null,
    mostAtOnce: sums.mostAtOnce,
  });
  for (const [index, { stakeUsd, gainUsd, solUsd }] of stakes.entries()) {
    expect(gainUsd).toBeCloseTo(((sums.ppm[index] ?? 0) * stakeUsd) / 1e6, 9);
    expect(solUsd).toBeCloseTo((sums.sol * stakeUsd) / 1e6, 9);
  }
  expect({ ...profile, calls: profile.followerCalls }, id).toMatchObject(exact);
  if (proven === null || profile.proven === null) return expect(profile.proven, id).toBe(proven);
  expect(Math.abs(profile.proven - proven)).toBeLessThanOrEqual(1e-9);
}

it(`the follower figures of ${CALLERS} callers equal exact fractions computed from their calls’ details`, async () => {
  const app = await createTestApp();
  const ids = Array.from({ length: CALLERS }, (_, index) => `caller-${index}`);
  await insertCallers(ids);
  for (const id of ids) await insertHistory(id, app.clock.now());
  await addDerivedRows();
  await recordAll(app);
  for (const id of ids) await expectFigures(app, id);
  expect(await app.services.statisticsRepair.repair()).toBe(0);
});

it(`one run records the results of ${MANY} calls that ended in the same minute, with few statements`, async () => {
  const cost = { statements: 0, read: 0, written: 0 };
  const DB = countRows(testEnv.DB, ({ rows, written }) => {
    cost.statements += 1;
    cost.read += rows;
    cost.written += written;
  });
  const app = await createTestApp({ bindings: { DB } });
  const now = app.clock.now();
  const callerIds = Array.from({ length: MANY / 2 }, (_, index) => `caller-${index}`);
  await insertCallers(callerIds);
  await query(
    'INSERT INTO paper_follows (user_id, caller_id, since) SELECT ?2, value, 0 FROM json_each(?1)',
    JSON.stringify(callerIds.slice(1)),
    callerIds[0],
  );
  const calls = Array.from({ length: MANY }, (_, index) => ({
    id: `call-${index}`,
    caller_id: callerIds[index % callerIds.length] ?? '',
    called_at: now - HOUR_MS,
    end_price: '1.1',
    ended_at: now + ((index * 7) % MINUTE_MS),
    change_percent: 10,
  }));
  await insertRows('calls', calls);
  await query(
    `INSERT INTO price_marks (call_id, side, price, liquidity_usd, sol_price_usd, source, seen_at)
     SELECT c.id, s.value, iif(s.value = 'open', '1', '1.2'), 1e6, '150', 'jupiter', 1
     FROM calls c, json_each('["open", "end"]') s`,
  );
  await addDerivedRows();
  const logged = calls.map(({ id, caller_id: callerId }) => [
    eventOf(id, { callerId }),
    endOf(id, { callerId }),
  ]);
  await appendEvents(...logged.flat());

  await app.advance(MINUTE_MS + FOLLOWER_RECORD_DELAY_MS);
  const before = { ...cost };
  expect(await app.services.followerResults.record()).toBe(MANY);
  expect(cost.statements - before.statements).toBeLessThanOrEqual(40);
  expect((cost.read - before.read) / MANY).toBeLessThanOrEqual(55);
  expect((cost.written - before.written) / MANY).toBeLessThanOrEqual(16);
  expect(await query('SELECT id FROM calls WHERE follower_ppm IS NULL')).toEqual([]);
  const marked = await query("SELECT caller_id, number FROM log_entries WHERE kind = 'marked' ORDER BY id");
  expect(marked).toHaveLength(MANY);
  expect(new Set(marked.map(({ number }) => number))).toEqual(new Set([5, 6]));
  expect(await query("SELECT 1 FROM facts WHERE kind = 'paper_ended'")).toHaveLength(MANY - 2);
  expect(await app.services.statisticsRepair.repair()).toBe(0);
  expect(await app.services.followerResults.record()).toBe(0);
});

describe('after a call’s end', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await createTestApp();
  });
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      await app.advance(MINUTE_MS);
      await app.services.priceMarks.record().catch(() => null);
      await app.services.followerResults.record();
    }
  };
  const recordOf = async (id: string) =>
    (await query('SELECT follower_rule AS rule, follower_ppm AS ppm FROM calls WHERE id = ?', id))[0];

  it.each([
    ['“marks” if both marks have a price', 3, async () => undefined, 'marks'],
    [
      '“no_liquidity” if the liquidity is gone a minute after the end',
      3,
      () => control('POST', '/prices', { mint: MINTS.WIF, price: 3, liquidityUsd: 0 }),
      'no_liquidity',
    ],
    [
      '“loss_without_mark” if no source has a price after a loss',
      1,
      () => setPrice(MINTS.WIF, null),
      'loss_without_mark',
    ],
    [
      '“gain_without_mark” if no source has a price after a gain',
      3,
      () => setPrice(MINTS.WIF, null),
      'gain_without_mark',
    ],
    [
      '“loss_without_mark” if no source responds after a loss',
      1,
      async () => {
        await breakSources();
      },
      'loss_without_mark',
    ],
  ])(
    'the follower result of an ended call is recorded once, with the rule %s',
    async (_, endPrice, change, rule) => {
      const caller = await createCaller(app, 'caller');
      const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
      await pass(15);
      await endCall({ caller, call, price: endPrice });
      await change();
      await pass(1);
      expect(await recordOf(call.id)).toEqual({ rule: null, ppm: null });
      await pass(2);
      await endFaults();
      await control('DELETE', '/prices');
      const record = await recordOf(call.id);
      expect(record).toMatchObject({ rule });
      await pass(3);
      expect(await recordOf(call.id)).toEqual(record);
    },
  );

  it('a loss without any mark counts as its own change', async () => {
    const caller = await createCaller(app, 'caller');
    const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
    await app.advance(HOUR_MS);
    await endCall({ caller, call, price: 1 });
    await app.advance(FOLLOWER_RECORD_DELAY_MS);
    await app.services.followerResults.record();
    expect(await recordOf(call.id)).toEqual({ rule: 'loss_without_mark', ppm: -500_000 });
  });
});

it.each([
  ['an unranked call ends while a result is recorded', true],
  ['a result is recorded while an unranked call ends', false],
])('a caller’s figures are right within minutes if %s', async (_, isEndBetween) => {
  let between: (() => Promise<unknown>) | null = null;
  const DB = interceptDatabase(testEnv.DB, async ({ sql }, run) => {
    const results = await run();
    const act = sql.includes('measured_calls AS measuredCalls') ? between : null;
    if (act !== null) between = null;
    await act?.();
    return results;
  });
  const app = await createTestApp({ bindings: { DB } });
  const caller = await createCaller(app, 'caller');
  // Until the older call ends, a gain of the newer one doesn't count in Proven.
  const older = await makeCall({ caller, mint: MINTS.THIN, price: 2 });
  await app.advance(MINUTE_MS);
  const newer = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  const passMinutes = async () => {
    await app.advance(FOLLOWER_RECORD_DELAY_MS);
    await app.services.priceMarks.record();
  };
  await passMinutes();
  await app.advance(HOUR_MS);
  await endCall({ caller, call: newer, price: 3 });
  await passMinutes();
  const record = () => app.services.followerResults.record();
  const endOlder = () => endCall({ caller, call: older, price: 3 });
  between = isEndBetween ? endOlder : record;
  await (isEndBetween ? record() : endOlder());
  expect(between).toBe(null);
  await passMinutes();
  await record();
  expect(
    await query("SELECT follower_calls AS calls, copied_sums ->> 'results' AS results FROM callers"),
  ).toEqual([{ calls: 1, results: 1 }]);
  expect(await app.services.statisticsRepair.repair()).toBe(0);
});

it.each([
  [500, 560],
  [200, 260],
])('the end of a call of a caller with %d results reads at most %d rows', async (count, most) => {
  const rows: number[] = [];
  const db = createDatabase(countRows(testEnv.DB, ({ rows: read }) => rows.push(read)));
  const app = await createTestApp();
  const caller = await createCaller(app, 'caller');
  await insertRows(
    'calls',
    Array.from({ length: count }, (_, index) => ({
      id: `call-${index}`,
      caller_id: caller.id,
      token_mint: `mint-${index % 90}`,
      called_at: app.clock.now() - (index + 31) * HOUR_MS,
      end_price: '2',
      ended_at: app.clock.now() - (index + 1) * HOUR_MS,
      change_percent: 100,
      follower_rule: 'marks',
      follower_ppm: 200_000,
      sol_ppm: 100_000,
    })),
  );
  await addDerivedRows();
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await app.advance(HOUR_MS);
  const change = { endPrice: '4', changePercent: 100, uncountedGainReason: null, automaticEnd: null };
  const ids = { id: call.id, callerId: caller.id, calledAt: Date.parse(call.callTimestamp) };
  const quotes = { quotes: [], recordedSource: null };
  const isEnded = await createCallsRepository(db).end({
    call: ids,
    endedAt: app.clock.now(),
    ...change,
    ...quotes,
  });
  expect(isEnded).toBe(true);
  expect(rows.reduce((sum, read) => sum + read, 0)).toBeLessThanOrEqual(most);
});
