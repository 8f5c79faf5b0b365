import { beforeEach, expect, it } from 'vitest';
import { ACTIVE_CALLER_MS, CALL_AUTO_END_MS } from '#schema/constants/market.ts';
import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { STABLE_COIN_MINTS } from '#schema/rules/calls/stable-coin-mints.ts';
import type { CallerListItem } from '#schema/contracts/callers.ts';
import { createCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { readResponse } from '#test/responses.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
  const other = await createCaller(app, 'other');
  await prove();
  await query('UPDATE callers SET avg_return = 9 WHERE caller_id = ?', other.id);
});

/** Call it again after an end, which computes Proven. */
const prove = () => query('UPDATE callers SET proven = 5');
const endActivity = () => app.services.statisticsRepair.endActivity();
const list = (search = '') => readResponse<CallerListItem[]>(app.request(`/api/callers${search}`));
const leads = async () => (await list()).find(({ id }) => id === caller.id)?.isLeading;

it('opening a ranked call makes a proven caller lead, until 30 days have passed', async () => {
  expect(await leads()).toBe(false);
  await makeCall({ caller, mint: MINTS.WIF, price: 1 });
  expect((await list()).map(({ id }) => id === caller.id)).toEqual([true, false]);
  expect((await list('?search=e')).map(({ id }) => id === caller.id)).toEqual([true, false]);
  await app.advance(ACTIVE_CALLER_MS - 1);
  expect([await endActivity(), await leads()]).toEqual([0, true]);
  await app.advance(1);
  expect([await endActivity(), await leads()]).toEqual([1, false]);
  expect((await list('?search=e')).map(({ id }) => id === caller.id)).toEqual([false, true]);
  expect(await endActivity()).toBe(0);
});

it('ending a ranked call makes its caller lead again, but an automatic end does not', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 1 });
  await app.advance(CALL_AUTO_END_MS - HOUR_MS);
  await query('UPDATE callers SET is_active = 0');
  caller = await app.signIn('caller');
  await endCall({ caller, call, price: 1 });
  await prove();
  expect(await leads()).toBe(true);
  await app.advance(ACTIVE_CALLER_MS);
  await endActivity();

  caller = await app.signIn('caller');
  await makeCall({ caller, mint: MINTS.BONK, price: 1 });
  await app.advance(CALL_AUTO_END_MS);
  await endActivity();
  await app.services.automaticEnds.endDue();
  await prove();
  expect((await list()).find(({ id }) => id === caller.id)).toMatchObject({
    rankedCalls: 2,
    isLeading: false,
  });
});

it('an unranked call changes neither the group nor the orders by calls', async () => {
  const call = await makeCall({ caller, mint: STABLE_COIN_MINTS[0] ?? '', price: 1 });
  await app.advance(MINUTE_MS);
  await endCall({ caller, call, price: 2 });
  await prove();
  const shown = { totalCalls: 1, rankedCalls: 0, lastRankedCallTimestamp: null, isLeading: false };
  expect((await list()).find(({ id }) => id === caller.id)).toMatchObject(shown);
});

it('the repair of statistics corrects the time of the last ranked act and the group', async () => {
  await makeCall({ caller, mint: MINTS.WIF, price: 1 });
  const figures = 'SELECT active_until, is_active, last_ranked_at FROM callers ORDER BY caller_id';
  const right = await query(figures);
  await query('UPDATE callers SET active_until = 1, is_active = 0, last_ranked_at = 1');
  expect(await app.services.statisticsRepair.repair()).toBe(2);
  expect(await query(figures)).toEqual(right);
});
