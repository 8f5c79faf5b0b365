import { beforeEach, expect, it } from 'vitest';
import { CLOSE_INTERVAL_MS, MAX_CHART_POINTS } from '#schema/constants/prices.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { CallChart, TokenCall } from '#schema/contracts/calls.ts';
import { readResponse } from '#test/responses.ts';
import { createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

const { WIF, JUP } = MINTS;
let app: TestApp;
let caller: Person;
let call: TokenCall;
let entry: CallChart['points'][number];

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app));
  call = await makeCall({ caller, mint: WIF, price: 2 });
  entry = { at: call.callTimestamp, price: '2' };
});

const pointsFor = async (person?: Person) => {
  const path = `/api/token-calls/${call.id}/chart`;
  return (await readResponse<CallChart>(app.request(path, { cookie: person?.cookie }))).points;
};
/** Stores a close, as the cron does. Returns its chart point. */
async function close(
  price: string,
  { mint = WIF, at = app.clock.now() }: { mint?: string; at?: number } = {},
) {
  await query('INSERT INTO price_closes (mint, at, price) VALUES (?, ?, ?)', mint, at, price);
  return { at: new Date(at).toISOString(), price };
}

it('the chart of a call has only the entry if no prices are stored', async () =>
  expect(await pointsFor(caller)).toEqual([entry]));

it("the chart of a call has the entry, then the token's closing prices, then the end", async () => {
  await close('9', { at: app.clock.now() - MINUTE_MS });
  await close('9', { at: app.clock.now() });
  await app.advance(MINUTE_MS);
  const first = await close('2.5');
  await close('77', { mint: JUP });
  await app.advance(MINUTE_MS);
  const second = await close('0.00000001');
  await app.advance(MINUTE_MS);
  const ended = await endCall({ caller, call, price: 3 });
  await close('9', { at: app.clock.now() });
  await close('9', { at: app.clock.now() + MINUTE_MS });
  expect(await pointsFor()).toEqual([entry, first, second, { at: ended.endTimestamp, price: '3' }]);
});

it('the chart of an active call has no point in the future', async () => {
  await app.advance(MINUTE_MS);
  const first = await close('2.5');
  await close('9', { at: app.clock.now() + 1 });
  expect(await pointsFor(caller)).toEqual([entry, first]);
});

it('the chart of a call has at most 600 points', async () => {
  const closes = Array.from({ length: 3 * MAX_CHART_POINTS }, (_, index) => ({
    at: app.clock.now() + (index + 1) * CLOSE_INTERVAL_MS,
    price: String(index + 1),
  }));
  await query(
    "INSERT INTO price_closes (mint, at, price) SELECT ?, value->>'at', value->>'price' FROM json_each(?)",
    WIF,
    JSON.stringify(closes),
  );
  await app.advance(3 * MAX_CHART_POINTS * CLOSE_INTERVAL_MS + MINUTE_MS);
  caller = await app.signIn('paid_caller');
  const ended = await endCall({ caller, call, price: 3 });
  const points = await pointsFor();
  expect(points).toHaveLength(MAX_CHART_POINTS);
  expect([points[0], points.at(-2)?.price, points.at(-1)]).toEqual([
    entry,
    String(closes.length),
    { at: ended.endTimestamp, price: '3' },
  ]);
});

it('the chart of a call that ended immediately has only the entry and the end', async () => {
  await close('9');
  const ended = await endCall({ caller, call, price: 5 });
  expect(await pointsFor()).toEqual([entry, { at: ended.endTimestamp, price: '5' }]);
});
