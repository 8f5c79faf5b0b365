import { beforeEach, expect, it } from 'vitest';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { CallDetail, TokenCall } from '#schema/contracts/calls.ts';
import { readResponse } from '#test/responses.ts';
import { createCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { breakSource, breakSources, endFaults, requestsTo, setPrice } from '#test/price-sources.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

const LIQUIDITY = 250_000;

let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
});

const pin = (price: number | null, rest: object = {}) =>
  control('POST', '/prices', { mint: MINTS.WIF, price, liquidityUsd: LIQUIDITY, ...rest });
/** Advances the clock minute by minute, and runs the job in each minute. */
async function passMinutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    await app.advance(MINUTE_MS);
    await app.services.priceMarks.record().catch(() => null);
  }
}
const readMarks = (id: string) =>
  query(
    `SELECT side, price, liquidity_usd AS liquidity, sol_price_usd AS sol, source
     FROM price_marks WHERE call_id = ? ORDER BY side DESC`,
    id,
  );
const detailOf = (call: TokenCall) => readResponse<CallDetail>(caller.get(`/api/token-calls/${call.id}`));
const mark = (side: 'open' | 'end', price: string | null, source: string | null = 'jupiter') => ({
  side,
  price,
  source,
  liquidity: price === null ? null : (expect.any(Number) as number),
  sol: expect.any(String) as string,
});

it('the marks of a call are the prices one minute after the call and one minute after its end', async () => {
  await setPrice(WRAPPED_SOL_MINT, 151.5);
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await pin(2.1);
  await passMinutes(1);
  await pin(2.2);
  await passMinutes(60);
  await endCall({ caller, call, price: 3 });
  await pin(2.9);
  await passMinutes(1);
  await pin(2.8);
  await passMinutes(10);
  expect(await readMarks(call.id)).toEqual([mark('open', '2.1'), mark('end', '2.9')]);
  const { marks } = await detailOf(call);
  const [first] = marks;
  expect(first).toMatchObject({ side: 'open', liquidityUsd: LIQUIDITY, solPriceUsd: '151.5' });
  expect(Date.parse(first?.seenAt ?? '') - Date.parse(call.callTimestamp)).toBeGreaterThanOrEqual(MINUTE_MS);
});

it('a mark comes from the second source while the first one is down', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await breakSource('jupiter');
  await passMinutes(2);
  await endFaults();
  expect(await readMarks(call.id)).toEqual([mark('open', '2', 'dexscreener')]);
});

it('a mark comes from the second source if the first one’s price is from before the mark was due', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await pin(2.5, { ageMs: 30 * SECOND_MS });
  await passMinutes(1);
  expect(await readMarks(call.id)).toEqual([mark('open', '2.5', 'dexscreener')]);
});

it.each([
  { older: 'older and worse', sinceCall: 1, jupiter: [2.5, 2], marks: ['2.5', '2'], source: 'jupiter' },
  {
    older: 'older and better',
    sinceCall: 1,
    jupiter: [1.5, 3],
    marks: ['2.2', '2.2'],
    source: 'dexscreener',
  },
  {
    older: 'older and 2.7% worse',
    sinceCall: 1,
    jupiter: [2.26, 2.14],
    marks: ['2.2', '2.2'],
    source: 'dexscreener',
  },
  {
    older: 'from before the call',
    sinceCall: -1,
    jupiter: [2.5, 2],
    marks: ['2.2', '2.2'],
    source: 'dexscreener',
  },
])(
  'a mark has the price of $source if the first source’s price is $older',
  async ({ sinceCall, jupiter: [high = 0, low = 0], marks, source }) => {
    const ageMs = MINUTE_MS - sinceCall * SECOND_MS;
    const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
    await pin(high, { ageMs, source: 'jupiter' });
    await pin(2.2, { source: 'dexscreener' });
    await passMinutes(1);
    await endCall({ caller, call, price: 2 });
    await pin(low, { ageMs, source: 'jupiter' });
    await pin(2.2, { source: 'dexscreener' });
    await passMinutes(1);
    expect(await readMarks(call.id)).toEqual([
      mark('open', marks[0] ?? '', source),
      mark('end', marks[1] ?? '', source),
    ]);
  },
);

it.each([0, 5, 900])('a mark has the price of a pool of which %s USD are left', async (liquidityUsd) => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await passMinutes(60);
  await endCall({ caller, call, price: 5 });
  await pin(5, { liquidityUsd, volume24hUsd: LIQUIDITY, ageMs: 90 * SECOND_MS });
  await passMinutes(1);
  const { marks } = await detailOf(call);
  expect(marks[1]).toMatchObject({ side: 'end', price: '5', liquidityUsd, source: 'dexscreener' });
});

it('a mark without a price gets its price from the next run within the window', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await pin(null);
  await passMinutes(1);
  expect(await readMarks(call.id)).toEqual([mark('open', null, null)]);
  await pin(2.5);
  await app.advance(20 * SECOND_MS);
  await app.services.priceMarks.record();
  expect(await readMarks(call.id)).toEqual([mark('open', '2.5')]);
});

it('a call has no mark if no source responds until the end of the window', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await breakSources();
  await passMinutes(2);
  await endFaults();
  await passMinutes(5);
  expect(await readMarks(call.id)).toEqual([]);
});

it('the marks of a call are not changed by later runs, REPLACE, UPDATE or DELETE', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await pin(2.1);
  await passMinutes(1);
  await pin(9);
  await app.advance(20 * SECOND_MS);
  await app.services.priceMarks.record();
  await query(
    `INSERT OR REPLACE INTO price_marks (call_id, side, price, source, seen_at)
       VALUES (?, 'open', '9', 'jupiter', 1)`,
    call.id,
  );
  await expect(query("UPDATE price_marks SET price = '9'")).rejects.toThrow('marks are never changed');
  await expect(query('DELETE FROM price_marks')).rejects.toThrow('marks are never deleted');
  expect(await readMarks(call.id)).toEqual([mark('open', '2.1')]);
});

it('both marks of a call are recorded if the call ends within its first minute', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await app.advance(10 * SECOND_MS);
  await endCall({ caller, call, price: 2 });
  await pin(2.5);
  await app.advance(MINUTE_MS + 5 * SECOND_MS);
  await app.services.priceMarks.record();
  expect(await readMarks(call.id)).toEqual([mark('open', '2.5'), mark('end', '2.5')]);
});

it('no source gets a request while no mark is due', async () => {
  await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await control('DELETE', '/requests');
  await app.services.priceMarks.record();
  expect(await requestsTo('jupiter')).toEqual([]);
});

it('a mint is in active_mints only while it has an active call', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await endCall({ caller, call, price: 3 });
  expect(await query('SELECT mint FROM active_mints')).toEqual([]);
  await app.advance(HOUR_MS);
  await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  expect(await query('SELECT mint FROM active_mints')).toEqual([{ mint: MINTS.WIF }]);
});
