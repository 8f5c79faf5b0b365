import { beforeEach, expect, it } from 'vitest';
import { MAX_CALLS_PER_DAY, MAX_CALLS_PER_HOUR, MIN_COUNTED_HOLD_MS } from '#schema/constants/market.ts';
import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { callBody, createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { breakSource, setPrice } from '#test/price-sources.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

const { WIF, JUP } = MINTS;
let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
});

const endIfCounted = (call: TokenCall) => caller.patch(`/api/token-calls/${call.id}/end?onlyIfCounted=true`);

it('ending a call with onlyIfCounted is refused if its gain doesn’t count, and the call stays active', async () => {
  const call = await makeCall({ caller, mint: WIF, price: 2 });
  await app.advance(3 * MINUTE_MS);
  await setPrice(WIF, 3);
  const short = await expectRefusalWithoutTrace(() => endIfCounted(call), 'calls.gain_not_counted');
  expect(short.message).toBe(
    'The gain of +50.0% would count as 0% because the call was open for less than 10 minutes. ' +
      'For a gain to count, end it in 7 minutes or later.',
  );
  expect(short.error).toMatchObject({ reason: 'short_hold', endPrice: '3', changePercent: 50 });

  await app.advance(HOUR_MS);
  await breakSource('jupiter');
  const single = await expectRefusalWithoutTrace(() => endIfCounted(call), 'calls.gain_not_counted');
  expect(single.error).toMatchObject({ reason: 'one_source' });
  expect(await readResponse(caller.patch(`/api/token-calls/${call.id}/end`))).toMatchObject({
    uncountedGainReason: 'one_source',
  });
});

it('ending a call with onlyIfCounted succeeds at a loss, and at a gain that counts', async () => {
  const [won, lost] = [
    await makeCall({ caller, mint: WIF, price: 2 }),
    await makeCall({ caller, mint: JUP, price: 2 }),
  ];
  await setPrice(JUP, 1);
  expect(await readResponse(endIfCounted(lost))).toMatchObject({ changePercent: -50 });
  await app.advance(MIN_COUNTED_HOLD_MS);
  await setPrice(WIF, 3);
  expect(await readResponse(endIfCounted(won))).toMatchObject({
    changePercent: 50,
    uncountedGainReason: null,
  });
});

it('ending a call accepts only true as the value of onlyIfCounted', async () => {
  const call = await makeCall({ caller, mint: WIF, price: 2 });
  await expectRefusal(caller.patch(`/api/token-calls/${call.id}/end?onlyIfCounted=yes`), 'request.invalid');
});

const mints = [WIF, JUP, MINTS.BONK, MINTS.USDC, 'orcaEKTdK7LKz57vaAYr9QeNsVEPfiu6QeMU1kektZE'];
const open = (mint: string) =>
  caller.post('/api/token-calls', callBody({ caller, mint, entryPrice: '1', symbol: mint.slice(0, 5) }));
const setPrices = () =>
  control(
    'POST',
    '/prices',
    mints.map((mint) => ({ mint, price: 1 })),
  );
const haveOpened = (count: number, agoMs: number) =>
  insertRows(
    'calls',
    Array.from({ length: count }, (_, index) => ({
      id: `old-${index}`,
      caller_id: caller.id,
      called_at: app.clock.now() - agoMs,
    })),
  );

it('a caller may make 10 calls in an hour, even with simultaneous requests', async () => {
  await haveOpened(MAX_CALLS_PER_HOUR - 2, HOUR_MS / 2);
  await setPrices();
  const responses = await Promise.all(mints.map((mint) => open(mint)));
  const statuses = responses.map(({ status }) => status).toSorted((one, other) => one - other);
  expect(statuses).toEqual([201, 201, 429, 429, 429]);
  const refused = responses.find(({ status }) => status === 429);
  expect(refused?.headers.get('Retry-After')).toBe(String(HOUR_MS / 2 / 1_000));
  expect((await expectRefusal(refused ?? new Response(), 'calls.too_many')).message).toBe(
    'You can make at most 10 calls an hour and 30 calls a day. Nothing was recorded. ' +
      'Make the next call in 30 minutes.',
  );
  expect(await query('SELECT COUNT(*) AS count FROM calls')).toEqual([{ count: MAX_CALLS_PER_HOUR }]);
  expect(await query('SELECT COUNT(*) AS count FROM price_quotes')).toEqual([{ count: 4 }]);

  await control('DELETE', '/requests');
  await expectRefusal(open(MINTS.THIN), 'calls.too_many');
  expect(await control('GET', '/requests')).toMatchObject({ count: 0 });
});

it('a caller may make 30 calls in a day', async () => {
  await haveOpened(MAX_CALLS_PER_DAY, 23 * HOUR_MS);
  await setPrices();
  expect((await open(WIF)).headers.get('Retry-After')).toBe(String(HOUR_MS / 1_000));
  await app.advance(HOUR_MS);
  caller = await app.signIn('caller');
  expect((await open(WIF)).status).toBe(201);
});
