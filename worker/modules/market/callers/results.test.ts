import { beforeEach, describe, expect, it } from 'vitest';
import { CALCULATOR_CALLS, CALCULATOR_FEES, MAX_COMPARED_CALLERS } from '#schema/constants/market.ts';
import { MAX_PAPER_FOLLOWS } from '#schema/constants/people.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { CallerResults, CallerStatistics, Comparison, FoundResults } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { calculate } from '#schema/rules/calls/calculator.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query } from '#test/database/database.ts';
import { runScript } from '#test/database/run-script.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { callBody, createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { readResponse } from '#test/responses.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { createDatabase } from '../../../shared/database.ts';
import { createCallersRepository } from './callers.repository.ts';

let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'amara_calls' }));
  await app.advance(DAY_MS - (app.clock.now() % DAY_MS) + HOUR_MS);
  caller = await app.signIn('amara_calls');
});

const read = () => readResponse<CallerResults>(app.request(`/api/callers/${caller.id}/results`));
const setFee = (monthlyFee: string | null) =>
  readResponse(caller.patch('/api/user/caller-profile', { monthlyFee }));
const day = (days: number) => new Date(midnight() + days * DAY_MS).toISOString();
const midnight = () => app.clock.now() - (app.clock.now() % DAY_MS);

it('the highest fee of a day counts for all of it, and the present one from the next day', async () => {
  const start = midnight();
  await setFee('1');
  for (const fees of [['0.01', '2', null, '3', '0.02'], [], [null], ['0.5']]) {
    await app.advance(DAY_MS);
    for (const fee of fees) await setFee(fee);
  }
  const { fees } = await read();
  const onDay = (days: number) => {
    const at = start + days * DAY_MS;
    return fees.find(({ until }) => until === null || Date.parse(until) > at)?.monthlyFee;
  };
  expect([0, 1, 2, 3, 4, 5].map(onDay)).toEqual(['1', '3', '0.02', '0.02', '0.5', '0.5']);
});

it('setting a fee of 0.01 SOL for the hours around a midnight doesn’t change what the calculator charges', async () => {
  const calls = [
    {
      id: 'call',
      tokenSymbol: 'JUP',
      endPrice: '2',
      changePercent: 100,
      countedChange: 100,
      callTimestamp: day(0),
      endTimestamp: day(1),
      open: null,
      end: { price: '2', liquidityUsd: 1e9, solPriceUsd: '150' },
    },
  ];
  const feesUsd = async (fees: CallerResults['fees']) =>
    calculate({ callers: [{ calls, fees }], stakeUsd: 100, since: midnight(), until: app.clock.now() })
      .feesUsd;
  await setFee('0.5');
  await app.advance(22 * HOUR_MS);
  await setFee('0.01');
  expect(await feesUsd((await read()).fees)).toBe(75);
  await app.advance(3 * HOUR_MS);
  await setFee('0.5');
  expect(await feesUsd((await read()).fees)).toBe(75);
});

it('the calculator gets the newest fees if there are too many', async () => {
  await query('DELETE FROM past_fees');
  const numbers = JSON.stringify(Array.from({ length: 10_000 }, (_, index) => index));
  await query(
    'INSERT INTO past_fees SELECT ?, (value + 1) * 86400000, 1000000000 + value FROM json_each(?)',
    caller.id,
    numbers,
  );
  const { fees } = await read();
  expect(fees).toHaveLength(CALCULATOR_FEES + 1);
  expect(fees.at(-2)).toEqual({ monthlyFee: '1.000009999', until: new Date(10_000 * DAY_MS).toISOString() });
});

it('the calculator gets the number of open calls and the day of the oldest one, without a time', async () => {
  expect((await read()).openCalls).toBeNull();
  const since = day(0).slice(0, 10);
  const first = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await app.advance(DAY_MS);
  await makeCall({ caller, mint: MINTS.BONK, price: 1 });
  expect(await read()).toMatchObject({ calls: [], openCalls: { count: 2, since } });
  await endCall({ caller, call: first, price: 3 });
  expect((await read()).openCalls).toEqual({ count: 1, since: day(0).slice(0, 10) });
});

describe('the results of many callers', () => {
  const CALLS = 2_000;

  /** Callers who have ended a call an hour, with recorded results. */
  async function insertBusyCallers(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, (_, index) => `busy-${index}`);
    const now = app.clock.now();
    await runScript(
      `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
       SELECT value, value, 'Handle' || key, 'First', 'Last', ${now}, ${now} FROM json_each('${JSON.stringify(ids)}');
       INSERT INTO callers (caller_id, fee_lamports, search_text, created_at, updated_at)
       SELECT value, 500000000, 'first', ${now}, ${now} FROM json_each('${JSON.stringify(ids)}');
       INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, end_price, ended_at,
         change_percent)
       SELECT 'call-' || c.key || '-' || i, c.value, 'mint-' || i, 'SYM' || i % 9, 'Name', '1',
         ${now} - (${CALLS} - i + 2) * ${HOUR_MS}, '1.5', ${now} - (${CALLS} - i + 1) * ${HOUR_MS}, 100.0 / 3 + i % 7
       FROM n CROSS JOIN json_each('${JSON.stringify(ids)}') c;
       INSERT INTO price_marks (call_id, side, price, liquidity_usd, sol_price_usd, source, seen_at)
       SELECT calls.id, side.value, 1 + (calls.rowid % 11) / 10.0, 90000.5, '150', 'jupiter', ended_at
       FROM calls CROSS JOIN json_each('["open","end"]') side WHERE caller_id LIKE 'busy%' AND calls.rowid % 5 > 0;
       UPDATE calls SET follower_rule = 'gain_without_mark' WHERE caller_id LIKE 'busy%'
         AND rowid IN (SELECT rowid FROM calls ORDER BY ended_at);`,
      { count: CALLS },
    );
    return ids;
  }

  const get = async <Response>(path: string) => {
    const rows: number[] = [];
    const counting = await createTestApp({
      bindings: { DB: countRows(testEnv.DB, ({ rows: read }) => rows.push(read)) },
    });
    const response = await readResponse<Response>(counting.request(path));
    return { response, statements: rows.length, rows: rows.reduce((sum, each) => sum + each, 0) };
  };

  it('thirty busy callers and a comparison of five read few rows, in one statement', async () => {
    const ids = await insertBusyCallers(MAX_PAPER_FOLLOWS);
    const all = await get<FoundResults[]>(`/api/results?callers=${ids.toSorted().join(',')}`);
    expect(all.response.map(({ calls }) => calls.length)).toEqual(ids.map(() => CALCULATOR_CALLS));
    expect(all.rows).toBeLessThanOrEqual(1_000);
    const names = ids.slice(0, MAX_COMPARED_CALLERS).map((_, index) => `handle${index}`);
    const compared = await get<Comparison>(`/api/comparison?callers=${names.join(',')}`);
    expect(compared.response.callers.map(({ result }) => result.calls)).toHaveLength(MAX_COMPARED_CALLERS);
    expect(compared.rows).toBeLessThanOrEqual(200);
  });

  it('the packed results are those of the calls and their marks, and since a day enough for the same figures', async () => {
    const [id = ''] = await insertBusyCallers(1);
    const { calls, fees } = await readResponse<CallerResults>(app.request(`/api/callers/${id}/results`));
    const stored = await query<Record<string, unknown>>(
      `SELECT id, token_symbol AS tokenSymbol, end_price AS endPrice, change_percent AS changePercent,
         counted_change AS countedChange, called_at AS calledAt, ended_at AS endedAt,
         (SELECT json_array(price, liquidity_usd, sol_price_usd) FROM price_marks WHERE call_id = calls.id AND side = 'end') AS mark
       FROM calls WHERE caller_id = ? ORDER BY ended_at DESC, id DESC LIMIT ?`,
      id,
      CALCULATOR_CALLS,
    );
    expect(
      calls.map(({ callTimestamp, endTimestamp, open: _open, end, ...call }) => ({
        ...call,
        calledAt: Date.parse(callTimestamp),
        endedAt: Date.parse(endTimestamp),
        mark: end && JSON.stringify(Object.values(end)),
      })),
    ).toEqual(stored);
    for (const days of [0, 3, 9, 20]) {
      const since = midnight() - days * DAY_MS;
      const [found] = await readResponse<FoundResults[]>(
        app.request(`/api/results?callers=${id}&since=${new Date(since).toISOString().slice(0, 10)}`),
      );
      const figures = (results: Pick<CallerResults, 'calls' | 'fees'>) =>
        calculate({ callers: [results], stakeUsd: 100, since: since + HOUR_MS / 2, until: app.clock.now() });
      expect(found?.calls.length).toBeLessThan(24 * (days + 1) + 3);
      expect(figures(found ?? { calls: [], fees: [] })).toEqual(figures({ calls, fees }));
    }
  });

  it('hidden and unknown callers are left out of the results', async () => {
    const ids = await insertBusyCallers(2);
    await query('UPDATE users SET is_hidden = 1, is_suspended = 1 WHERE id = ?', ids[0]);
    const found = await readResponse<FoundResults[]>(
      app.request('/api/results?callers=busy-0,busy-1,nobody'),
    );
    expect(found.map(({ caller: { id } }) => id)).toEqual(['busy-1']);
  });
});

describe('the record of micro-caps', () => {
  const insertMicroCaps = (count: number) =>
    insertRows(
      'calls',
      Array.from({ length: count }, (_, index) => ({
        id: `call-${index}`,
        caller_id: caller.id,
        token_mint: `mint-${index}`,
        unranked_reason: 'micro_cap',
        called_at: app.clock.now() - (index + 9) * HOUR_MS,
        ended_at: app.clock.now() - (index + 1) * HOUR_MS,
        end_price: '2',
        change_percent: 100,
        follower_rule: 'marks',
        follower_ppm: 1,
        sol_ppm: 1,
        // The newest 199 gained 10%, the others 90%.
        copied: JSON.stringify({ ppm: [index < 199 ? 100_000 : 900_000, 1, 1], sol: 0 }),
      })),
    );
  const readStatistics = () =>
    readResponse<CallerStatistics>(app.request(`/api/callers/${caller.id}/statistics`));

  it('marks are recorded for a call on a micro-cap, and the fifth one begins the record', async () => {
    await insertMicroCaps(4);
    await control('POST', '/prices', { mint: MINTS.WIF, price: 2, liquidityUsd: 9_000 });
    const call = await readResponse<TokenCall>(
      caller.post('/api/token-calls', callBody({ caller, mint: MINTS.WIF, entryPrice: '2' })),
      201,
    );
    expect(call.unrankedReason).toBe('micro_cap');
    await app.advance(MINUTE_MS);
    await app.services.priceMarks.record();
    await app.advance(HOUR_MS);
    await control('POST', '/prices', { mint: MINTS.WIF, price: 1, liquidityUsd: 9_000 });
    await readResponse(caller.patch(`/api/token-calls/${call.id}/end`, {}));
    await app.advance(MINUTE_MS);
    await app.services.priceMarks.record();
    expect((await readStatistics()).microCaps).toBeNull();
    await app.advance(MINUTE_MS);
    await app.services.followerResults.record();
    await control('DELETE', '/prices');
    const { microCaps } = await readStatistics();
    // −50%, after two swap fees and the price impact of 100 USD in a reserve of 4,500 USD.
    expect(microCaps).toMatchObject({ calls: 5, callsWithoutResult: 0, wonShare: 80 });
    expect(microCaps?.worstResult).toBeCloseTo(-51.9, 1);
    expect(await query('SELECT micro_cap_calls FROM callers WHERE caller_id = ?', caller.id)).toEqual([
      { micro_cap_calls: 1 },
    ]);
  });

  it('the record covers the newest 200 calls in 202 rows, and open calls make gains wait', async () => {
    await insertMicroCaps(300);
    const rows: number[] = [];
    const db = createDatabase(countRows(testEnv.DB, ({ rows: read }) => rows.push(read)));
    const record = await createCallersRepository(db).readMicroCaps(caller.id);
    expect(record).toMatchObject({ calls: 200, waitingGains: 0, averageResult: (199 * 10 + 90) / 200 });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toBeLessThanOrEqual(202);
    await insertRows('calls', [
      { id: 'open', caller_id: caller.id, token_mint: 'open', called_at: app.clock.now() - 13.5 * HOUR_MS },
    ]);
    expect((await readStatistics()).microCaps).toMatchObject({ calls: 200, waitingGains: 5 });
  });
});
