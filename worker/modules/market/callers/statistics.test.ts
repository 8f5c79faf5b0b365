import fc from 'fast-check';
import { beforeEach, expect, inject, it } from 'vitest';
import { MIN_COUNTED_HOLD_MS } from '#schema/constants/market.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { CallerProfile, CallerStatistics, WindowStatistics } from '#schema/contracts/callers.ts';
import { formatChange } from '#schema/rules/text/format.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { NO_AVG_RETURN, NO_WIN_RATE } from '#schema/tables/callers.ts';
import {
  naiveHistory,
  naiveSpecFigures,
  naiveStatistics,
  type NaiveCall,
} from '#schema/rules/calls/performance.test-model.ts';
import { readResponse } from '#test/responses.ts';
import { createCaller, createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { runScript } from '#test/database/run-script.ts';
import { pay } from '#test/payments/payments.ts';
import { insertCallers, insertRows } from '#test/database/insert-rows.ts';
import { control, createTestApp, testEnv, type TestApp } from '#test/test-app.ts';
import { STATISTICS_CALLERS_PER_SLICE } from '../calls/statistics-repair.service.ts';
import { createDatabase, runBatch } from '../../../shared/database.ts';
import { addEnd, addOpening } from '../calls/call-statistics.repository.ts';
import { createId } from '#worker/shared/ids.ts';

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

/** Inserts callers with these ended calls into the database, and counts the calls. Leaves the rates unset. */
async function insertHistories(histories: readonly (readonly NaiveCall[])[]): Promise<string[]> {
  const callers = histories.map((calls) => ({
    id: createId(),
    calls: calls.map((call) => ({ ...call, id: createId() })),
  }));
  await insertCallers(callers.map(({ id }) => id));
  await insertRows(
    'calls',
    callers.flatMap(({ id, calls }) =>
      calls.map(({ id: callId, entryPrice, endPrice, peakPrice, endedAt, isRanked, doesGainCount }) => {
        const change = changePercent(entryPrice, endPrice);
        return {
          id: callId,
          caller_id: id,
          token_mint: 'mint',
          entry_price: entryPrice,
          unranked_reason: isRanked ? null : 'micro_cap',
          peak_price: peakPrice,
          peak_at: peakPrice === null ? null : 1,
          end_price: endPrice,
          ended_at: endedAt,
          change_percent: change,
          uncounted_gain_reason: doesGainCount || change <= 0 ? null : 'short_hold',
          automatic_end: endPrice === '0' ? 'no_price' : null,
        };
      }),
    ),
  );
  const counts = callers.flatMap(({ id: callerId, calls }) =>
    calls.flatMap(({ id }) => [addOpening({ id, callerId }), addEnd({ id, callerId })]),
  );
  if (counts.length > 0) await runBatch(createDatabase(testEnv.DB), counts);
  return callers.map(({ id }) => id);
}

/** The columns that opening and ending a call change. The repair computes them again from the calls. */
const SUMS = `
  SELECT caller_id, total_calls, ended_calls, unranked_calls, micro_cap_calls, won_calls, change_sum, last_call_at, last_ranked_at, active_until,
    recent_calls
  FROM callers
  ORDER BY caller_id`;

const statisticsOf = (id: string) =>
  readResponse<CallerStatistics>(app.request(`/api/callers/${id}/statistics`));

const rounded = (value: number | null) => (value === null ? null : formatChange(value));
const roundedWindow = (figures: WindowStatistics) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value as number | null)]));
/** Drops the last digits, because SQLite's average may differ from ours in the last bit. */
const roundFigure = (value: number | null) =>
  value === null ? null : Number(Number(value.toPrecision(13)).toFixed(9));

async function repairAll(): Promise<void> {
  const [{ count } = { count: 0 }] = await query<{ count: number }>('SELECT COUNT(*) AS count FROM callers');
  for (let run = 0; run <= Math.ceil(count / STATISTICS_CALLERS_PER_SLICE); run++) {
    await app.services.statisticsRepair.repair();
  }
}

// Specification 9.26, 9.28
it('a caller’s statistics after the repair equal figures that the test computes from random calls', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(naiveHistory({ now: app.clock.now(), maxCalls: 30 }), { minLength: 8, maxLength: 8 }),
      async (histories) => {
        const now = app.clock.now();
        const ids = await insertHistories(histories);
        const counted = await query(SUMS);
        await repairAll();
        expect(await query(SUMS)).toEqual(counted);
        for (const [index, id] of ids.entries()) {
          const calls = histories[index] ?? [];
          const ranked = calls.filter(({ isRanked }) => isRanked);
          const response = await statisticsOf(id);
          for (const [name, days] of [
            ['30d', 30],
            ['90d', 90],
            ['all', null],
          ] as const) {
            expect(roundedWindow(response.windows[name])).toEqual(
              roundedWindow(naiveStatistics(calls, { days, now })),
            );
          }
          expect(response.unrankedCalls).toBe(calls.length - ranked.length);
          expect(response.uncountedGains).toBe(
            ranked.filter(
              ({ entryPrice, endPrice, doesGainCount }) =>
                !doesGainCount && changePercent(entryPrice, endPrice) > 0,
            ).length,
          );
          expect(response.openCalls).toBeNull();

          const [row] = await query('SELECT * FROM callers WHERE caller_id = ?', id);
          const spec = naiveSpecFigures(calls);
          expect(row).toMatchObject({
            total_calls: calls.length,
            ended_calls: calls.length,
            ranked_calls: ranked.length,
            last_call_at: calls.at(-1)?.endedAt ?? 0,
          });
          expect(rounded(row?.['win_rate'] as number)).toBe(rounded(spec.winRate ?? NO_WIN_RATE));
          expect(rounded(roundFigure(row?.['avg_return'] as number))).toBe(
            rounded(spec.avgReturn ?? NO_AVG_RETURN),
          );
        }
        const repaired = await query('SELECT * FROM callers ORDER BY caller_id');
        await repairAll();
        expect(await query('SELECT * FROM callers ORDER BY caller_id')).toEqual(repaired);
      },
    ),
    { numRuns: inject('isDeep') ? 30 : 8 },
  );
});

it('a caller’s average return has no rounding error after 20,000 calls', async () => {
  const caller = await createCaller(app, 'caller');
  const endedAt = `${app.clock.now() - 2 * DAY_MS} - i * 1000`;
  await runScript(
    `INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, end_price, ended_at,
       change_percent)
     SELECT 'old-' || i, '${caller.id}', 'old-' || i, 'OLD', 'Old', '3', ${endedAt}, '3.3', ${endedAt} + 999,
       (3.3 - 3) / 3 * 100 FROM n;`,
    { count: 20_000 },
  );
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 3 });
  await app.advance(MIN_COUNTED_HOLD_MS);
  await endCall({ caller, call, price: 3.3 });
  const profile = await readResponse<CallerProfile>(app.request('/api/callers/caller'));
  expect(profile).toMatchObject({ totalCalls: 20_001, winRate: 100, avgReturn: 10 });
  expect(await app.services.statisticsRepair.repair()).toBe(0);
});

it('the statistics of open calls use the stored prices, and are visible only to viewers with access', async () => {
  const { caller } = await createPaidCaller(app, { handle: 'paid_caller' });
  await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await makeCall({ caller, mint: MINTS.JUP, price: 1 });
  const path = `/api/callers/${caller.id}/statistics`;
  const seenBy = async (cookie?: string) =>
    (await readResponse<CallerStatistics>(app.request(path, { cookie }))).openCalls;
  expect(await seenBy(caller.cookie)).toEqual({
    count: 2,
    microCapCount: 0,
    pricedCount: 0,
    averageReturn: null,
  });
  await control('POST', '/prices', { mint: MINTS.WIF, price: 0.8 });
  await control('POST', '/prices', { mint: MINTS.JUP, price: 1.5 });
  await app.advance(MINUTE_MS);
  await app.runJobs('prices');
  const open = { count: 2, microCapCount: 0, pricedCount: 2, averageReturn: -5 };
  expect(await seenBy(caller.cookie)).toEqual(open);

  const reader = await app.signIn('reader');
  expect(await seenBy()).toBeNull();
  expect(await seenBy(reader.cookie)).toBeNull();
  await pay({ person: reader, callerId: caller.id });
  expect(await seenBy(reader.cookie)).toEqual(open);
  await app.advance(31 * DAY_MS);
  expect(await seenBy((await app.signIn('reader')).cookie)).toBeNull();
});

it('every signed-in user sees the statistics of a Free caller’s open calls, and how many are on micro-caps', async () => {
  const caller = await createCaller(app, 'free_caller');
  await insertRows('calls', [{ id: 'thin', caller_id: caller.id, unranked_reason: 'micro_cap' }]);
  const reader = await app.signIn('reader');
  expect(
    (await readResponse<CallerStatistics>(reader.get('/api/callers/free_caller/statistics'))).openCalls,
  ).toEqual({ count: 0, microCapCount: 1, pricedCount: 0, averageReturn: null });
  await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  expect(
    (await readResponse<CallerStatistics>(reader.get(`/api/callers/${caller.id}/statistics`))).openCalls,
  ).toMatchObject({ count: 1 });
  expect((await statisticsOf(caller.id)).openCalls).toBeNull();
});
