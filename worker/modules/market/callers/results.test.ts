import { beforeEach, expect, it } from 'vitest';
import { CALCULATOR_FEES } from '#schema/constants/market.ts';
import { DAY_MS, HOUR_MS } from '#schema/constants/time.ts';
import type { CallerResults } from '#schema/contracts/callers.ts';
import { calculate } from '#schema/rules/calls/calculator.ts';
import { query } from '#test/database/database.ts';
import { createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { readResponse } from '#test/responses.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

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
