import { beforeEach, expect, it } from 'vitest';
import { UNPRICED_END_MS } from '#schema/constants/market.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { query } from '#test/database/database.ts';
import { setSlotMs } from '#test/payments/chain.ts';
import { callBody, createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { endFaults, setPrice } from '#test/price-sources.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

const { WIF } = MINTS;
let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
});

/** Jupiter's price was seen this long ago, at every request. */
const pinAge = (ageMs: number) =>
  control('POST', '/prices', { mint: WIF, price: 2, source: 'jupiter', ageMs });
const runJobs = () => app.runJobs('calls', 'messages', 'prices');
const countEnded = async () =>
  (await readResponse<TokenCall[]>(app.request('/api/token-calls/ended'))).length;

it.each<[before: number, after: number, minutes: number, ageS: number, unrankedReason: string | null]>([
  [200, 400, 0.5, 57, null],
  [200, 400, 0.5, 62, 'one_source'],
  [400, 200, 2, 57, null],
  [250, 1_000, 0.5, 62, 'one_source'],
])(
  'if slots change from %i to %i ms, after %d minutes a call with a Jupiter price %i s old has the unranked reason %s',
  async (before, after, minutes, ageS, reason) => {
    await setSlotMs(app, before);
    await control('POST', '/solana/slot-ms', { slotMs: after });
    await setPrice(WIF, 2);
    // Caches the length of slots from before the call.
    await app.advance(minutes * MINUTE_MS - SECOND_MS);
    await app.request(`/api/prices?mints=${WIF}`);
    await app.advance(SECOND_MS);
    await pinAge(ageS * SECOND_MS);
    const call = await readResponse<TokenCall>(
      caller.post('/api/token-calls', callBody({ caller, mint: WIF, entryPrice: '2' })),
      201,
    );
    expect(call.unrankedReason).toBe(reason);
  },
);

it('a price confirms no other price while its block’s time can’t be read and its slot leaves its age unsure', async () => {
  await setSlotMs(app, 400);
  await setPrice(WIF, 2);
  await pinAge(20 * SECOND_MS);
  await control('POST', '/faults', { service: 'solana', status: 503, path: 'getBlockTime' });
  const call = await readResponse<TokenCall>(
    caller.post('/api/token-calls', callBody({ caller, mint: WIF, entryPrice: '2' })),
    201,
  );
  expect(call.unrankedReason).toBe('one_source');
});

it('an old price doesn’t contradict a newer price even while the old price’s block time can’t be read', async () => {
  await setPrice(WIF, 2);
  await control('POST', '/prices', { mint: WIF, price: 9, source: 'jupiter', ageMs: 3 * MINUTE_MS });
  await control('POST', '/faults', { service: 'solana', status: 503, path: 'getBlockTime' });
  const call = await readResponse<TokenCall>(
    caller.post('/api/token-calls', callBody({ caller, mint: WIF, entryPrice: '2' })),
    201,
  );
  expect(call.unrankedReason).toBe('one_source');
});

it.each([200, 400])(
  'at slots of %i ms, a call ends at 0 once its token’s last trade is seven days old',
  async (slotMs) => {
    await setSlotMs(app, slotMs);
    await makeCall({ caller, mint: WIF, price: 2 });
    await app.advance(8 * DAY_MS);
    await setPrice(WIF, null, 'dexscreener');
    await pinAge(UNPRICED_END_MS - SECOND_MS);
    await runJobs();
    await runJobs();
    expect(await countEnded()).toBe(0);
    await pinAge(UNPRICED_END_MS + 2 * SECOND_MS);
    await runJobs();
    await runJobs();
    expect(await countEnded()).toBe(1);
  },
);

it('a call isn’t ended at 0 five days after its token’s last trade, even if slots have become longer meanwhile', async () => {
  await setSlotMs(app, 250);
  await makeCall({ caller, mint: WIF, price: 2 });
  await app.advance(8 * DAY_MS);
  await setPrice(WIF, null, 'dexscreener');
  await pinAge(5 * DAY_MS);
  await setSlotMs(app, 400);
  await runJobs();
  await runJobs();
  expect(await query('SELECT mint FROM unpriced_mints')).toEqual([{ mint: WIF }]);
  expect(await countEnded()).toBe(0);
});

it('a call isn’t ended at 0 while the chain doesn’t return the time of its token’s last trade', async () => {
  await makeCall({ caller, mint: WIF, price: 2 });
  await app.advance(8 * DAY_MS);
  await setPrice(WIF, null, 'dexscreener');
  await pinAge(UNPRICED_END_MS + 2 * SECOND_MS);
  await control('POST', '/faults', { service: 'solana', status: 503, path: 'getBlockTime' });
  await runJobs();
  await runJobs();
  expect(await countEnded()).toBe(0);
  await endFaults();
  await app.advance(MINUTE_MS);
  await runJobs();
  expect(await countEnded()).toBe(1);
});

it('a price dated by its slot doesn’t confirm another price while no endpoint has performance samples', async () => {
  await setPrice(WIF, 2);
  await control('POST', '/faults', { service: 'solana', status: 503, path: 'getRecentPerformanceSamples' });
  const open = () => caller.post('/api/token-calls', callBody({ caller, mint: WIF, entryPrice: '2' }));
  await setPrice(WIF, null, 'dexscreener');
  await expectRefusal(open(), 'prices.undated');
  await setPrice(WIF, 2, 'dexscreener');
  expect((await readResponse<TokenCall>(open(), 201)).unrankedReason).toBe('one_source');
});
