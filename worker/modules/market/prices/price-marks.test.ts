import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS, WRAPPED_SOL_MINT } from '#schema/constants.ts';
import type { CallDetail, TokenCall } from '#schema/contracts/calls.ts';
import { createDatabase } from '../../../shared/database.ts';
import { readResponse } from '../../../test-support/responses.ts';
import { createCaller, endCall, makeCall, MINTS } from '../../../test-support/people/callers.ts';
import { countRows } from '../../../test-support/database/count-rows.ts';
import { query } from '../../../test-support/database/database.ts';
import {
  control,
  createTestApp,
  testEnv,
  type Person,
  type TestApp,
} from '../../../test-support/test-app.ts';
import { createPriceMarksRepository } from './price-marks.repository.ts';

const LIQUIDITY = 250_000;

let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
});

const pin = (price: number | null, rest: object = {}) =>
  control('POST', '/prices', { mint: MINTS.WIF, price, liquidityUsd: LIQUIDITY, ...rest });
const refresh = () => app.services.priceRefresh.refresh();
/** Lets minutes pass with a refresh in each. */
async function passMinutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    await app.advance(MINUTE_MS);
    await refresh();
  }
}
const readMarks = (id: string) =>
  query(
    `SELECT side, delay_minutes AS delay, price, liquidity_usd AS liquidity, source
     FROM price_marks WHERE call_id = ? ORDER BY side DESC, delay_minutes`,
    id,
  );
const detailOf = (call: TokenCall) => readResponse<CallDetail>(caller.get(`/api/token-calls/${call.id}`));
const mark = (side: 'open' | 'end', delay: number, price: string, source = 'jupiter') => ({
  side,
  delay,
  price,
  source,
  liquidity: expect.any(Number) as number,
});

it('the marks of a call are the prices 1, 5, 15 and 60 minutes after the call and its end, with liquidity, source and age', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await pin(2.1);
  await passMinutes(4);
  await pin(2.2);
  await passMinutes(60);
  await endCall({ caller, call, price: 3 });
  await pin(2.9);
  await passMinutes(4);
  await pin(2.8);
  await passMinutes(60);
  expect(await readMarks(call.id)).toEqual([
    mark('open', 1, '2.1'),
    ...[5, 15, 60].map((delay) => mark('open', delay, '2.2')),
    mark('end', 1, '2.9'),
    ...[5, 15, 60].map((delay) => mark('end', delay, '2.8')),
  ]);
  const { marks } = await detailOf(call);
  const [first] = marks;
  expect(first).toMatchObject({ side: 'open', delayMinutes: 1, liquidityUsd: LIQUIDITY });
  expect(Date.parse(first?.seenAt ?? '') - Date.parse(call.callTimestamp)).toBeGreaterThanOrEqual(MINUTE_MS);
  expect(first?.ageMs).toBeLessThan(MINUTE_MS);
});

it('the marks of a call come from the other source while one is down, and are missing while both are', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await control('POST', '/faults', { service: 'jupiter', status: 503 });
  await passMinutes(2);
  await control('POST', '/faults', { service: 'dexscreener', status: 503 });
  for (let minute = 2; minute < 8; minute++) {
    await app.advance(MINUTE_MS);
    await refresh().catch(() => null);
  }
  await control('DELETE', '/faults');
  await passMinutes(12);
  expect(await readMarks(call.id)).toEqual([mark('open', 1, '2', 'dexscreener'), mark('open', 15, '2')]);
});

it('the marks of a call are not changed by later runs, REPLACE, UPDATE or DELETE', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await pin(2.1);
  await passMinutes(1);
  await pin(9);
  await app.advance(20 * SECOND_MS);
  await refresh();
  await query(
    `INSERT OR REPLACE INTO price_marks (call_id, side, delay_minutes, price, source, seen_at, age_ms)
       VALUES (?, 'open', 1, '9', 'jupiter', 1, 0)`,
    call.id,
  );
  await expect(query("UPDATE price_marks SET price = '9'")).rejects.toThrow('marks are never changed');
  await expect(query('DELETE FROM price_marks')).rejects.toThrow('marks are never deleted');
  expect(await readMarks(call.id)).toEqual([mark('open', 1, '2.1')]);
});

it('the marks of a call are recorded for both sides if the call ends within the first minute', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await app.advance(10 * SECOND_MS);
  await endCall({ caller, call, price: 2 });
  await pin(2.5);
  await app.advance(MINUTE_MS + 5 * SECOND_MS);
  await refresh();
  expect(await readMarks(call.id)).toEqual([mark('open', 1, '2.5'), mark('end', 1, '2.5')]);
  const [figure] = await query('SELECT return_ppm FROM follower_returns');
  expect(figure).toEqual({ return_ppm: expect.any(Number) as number });
});

describe('a mint without an active call', () => {
  const keysOf = async () => {
    const { keys } = await testEnv.PRICES.list();
    const shards = await Promise.all(keys.map(({ name }) => testEnv.PRICES.get(name)));
    return shards.join();
  };
  const requested = async () => {
    const { requests } = (await control('GET', '/requests?service=jupiter')) as {
      requests: { path: string }[];
    };
    return requests.map(({ path }) => path).join();
  };

  it('a mint without an active call is refreshed for its marks only, and forgotten after the last one', async () => {
    const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
    await passMinutes(2);
    expect(await keysOf()).toContain(MINTS.WIF);
    await endCall({ caller, call, price: 3 });
    const closes = await query('SELECT * FROM price_closes WHERE mint = ?', MINTS.WIF);
    await pin(4);
    for (let minute = 0; minute < 61; minute += 1) {
      await app.advance(MINUTE_MS);
      await refresh();
    }
    expect(await readMarks(call.id)).toHaveLength(8);
    expect(await query('SELECT * FROM price_closes WHERE mint = ?', MINTS.WIF)).toEqual(closes);
    expect(await query('SELECT mint FROM unpriced_mints UNION ALL SELECT mint FROM level_checks')).toEqual(
      [],
    );
    expect(await query('SELECT mint FROM active_mints')).toEqual([{ mint: MINTS.WIF }]);
    await control('DELETE', '/requests');
    await app.advance(MINUTE_MS);
    await refresh();
    expect(await requested()).not.toContain(MINTS.WIF);
    expect(await query('SELECT mint FROM active_mints')).toEqual([]);
  });

  it('a mint without an active call is active again with the next call', async () => {
    const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
    await endCall({ caller, call, price: 3 });
    await app.advance(HOUR_MS);
    await makeCall({ caller, mint: MINTS.WIF, price: 2 });
    expect(await query('SELECT mint, idle_since FROM active_mints')).toEqual([
      { mint: MINTS.WIF, idle_since: null },
    ]);
    await passMinutes(3);
    expect(await keysOf()).toContain(MINTS.WIF);
  });

  it('SOL keeps its stored price without an active call, because it is always refreshed', async () => {
    const call = await makeCall({ caller, mint: WRAPPED_SOL_MINT, price: 150 });
    await endCall({ caller, call, price: 151 });
    await control('POST', '/prices', { mint: WRAPPED_SOL_MINT, price: 152 });
    await passMinutes(1);
    expect(await keysOf()).toContain('152');
  });
});

it('the list of due marks reads only rows of calls with a due mark, even among many calls', async () => {
  const now = app.clock.now();
  await query(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
     INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, end_price, ended_at,
       change_percent)
     SELECT 'old-' || i, ?1, 'old-' || i, 'OLD', 'Old', '3', ?2 - i * 7919, '3', ?2 - i * 7919 + 1, 0
     FROM n`,
    (await createCaller(app, 'another')).id,
    now - 2 * HOUR_MS,
  );
  await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  const read: number[] = [];
  const db = createDatabase(countRows(testEnv.DB, ({ rows }) => read.push(rows)));
  const due = await createPriceMarksRepository(db).listDue({
    from: now - MINUTE_MS,
    until: now + 2 * MINUTE_MS,
  });
  expect(due).toHaveLength(1);
  expect(Math.max(...read)).toBeLessThanOrEqual(20);
});
