import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { createDatabase } from '../../../shared/database.ts';
import { insertActiveCalls } from '#test/people/active-calls.ts';
import { MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { testEnv } from '#test/test-app.ts';
import {
  createPriceClosesRepository,
  type Close,
  type PriceClosesRepository,
} from './price-closes.repository.ts';

const { WIF, JUP } = MINTS;
const CALLED_AT = 10 * MINUTE_MS;
let repository: PriceClosesRepository;

beforeEach(() => {
  repository = createPriceClosesRepository(createDatabase(testEnv.DB));
});

/** Opens a call at CALLED_AT. Returns its mint. */
const openCall = async (entryPrice: string) => {
  const [mint = ''] = await insertActiveCalls({ count: 1, callers: 1, entryPrice, calledAt: CALLED_AT });
  return mint;
};
const store = (mint: string, closes: readonly Close[]) =>
  query(
    "INSERT OR REPLACE INTO price_closes (mint, at, price) SELECT ?, value->>'at', value->>'price' FROM json_each(?)",
    mint,
    JSON.stringify(closes),
  );
const closesAt = (...times: number[]): Close[] => times.map((at) => ({ at, price: String(at / 1_000) }));

const TIMES = { min: 1_780_000_000_000, max: 1_780_000_400_000 };

it('listCloses returns a mint’s closing prices between two times, thinned to `limit` and including the newest', () =>
  fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer(TIMES), { minLength: 1, maxLength: 200 }),
      fc.tuple(fc.integer(TIMES), fc.integer(TIMES)),
      fc.integer({ min: 1, max: 60 }),
      async (times, bounds, limit) => {
        await testEnv.DB.exec('DELETE FROM price_closes');
        const [from = 0, until = 0] = bounds.toSorted((a, b) => a - b);
        await store(WIF, closesAt(...times, from, until));
        await store(JUP, closesAt(...times.map((at) => at + 1)));
        const within = [...new Set([...times, from, until])].filter((at) => at >= from && at <= until);
        const stored = closesAt(...within.toSorted((a, b) => a - b));
        const listed = await repository.listCloses({ mint: WIF, ranges: [{ from, until }], limit });
        // Computes the expected closing prices in a simple way: the last one of each interval.
        const intervalOf = ({ at }: Close) => Math.floor(((at - from) * limit) / (until - from + 1));
        expect(listed).toEqual(
          stored.filter(
            (close, index) =>
              stored[index + 1] === undefined || intervalOf(stored[index + 1] as Close) !== intervalOf(close),
          ),
        );
        expect(listed.length).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 60 },
  ));

const record = (mint: string, price: string, at: number) =>
  createDatabase(testEnv.DB).all(repository.record({ prices: [[mint, price]], at }));

it('an unchanged price is stored once as a closing price if the last one is older than an active call', async () => {
  const mint = await openCall('0.505');
  await store(mint, [{ at: CALLED_AT - MINUTE_MS, price: '1.01' }]);
  expect(await record(mint, '1.01', CALLED_AT + MINUTE_MS)).toHaveLength(1);
  expect(await record(mint, '1.01', CALLED_AT + 2 * MINUTE_MS)).toEqual([]);
  expect(await record(mint, '0.505', CALLED_AT + 3 * MINUTE_MS)).toHaveLength(1);
  expect(
    await repository.listCloses({
      mint,
      ranges: [{ from: CALLED_AT + 1, until: CALLED_AT + HOUR_MS }],
      limit: 100,
    }),
  ).toEqual([
    { at: CALLED_AT + MINUTE_MS, price: '1.01' },
    { at: CALLED_AT + 3 * MINUTE_MS, price: '0.505' },
  ]);
});

it.each([
  [
    'is not stored if the last closing price is newer than the call',
    CALLED_AT + MINUTE_MS,
    CALLED_AT + 2 * MINUTE_MS,
    false,
    0,
  ],
  [
    'is stored if the last closing price has the time of the call',
    CALLED_AT,
    CALLED_AT + 2 * MINUTE_MS,
    false,
    1,
  ],
  ['from before the call is not stored', CALLED_AT - 2 * MINUTE_MS, CALLED_AT - MINUTE_MS, false, 0],
  ['from the time of the call is not stored', CALLED_AT - MINUTE_MS, CALLED_AT, false, 0],
  ['is not stored if the call has ended', CALLED_AT - MINUTE_MS, CALLED_AT + 2 * MINUTE_MS, true, 0],
])('an unchanged price %s', async (_name, lastAt, at, hasEnded, rows) => {
  const mint = await openCall('1');
  await store(mint, [{ at: lastAt, price: '1' }]);
  if (hasEnded) {
    await query("UPDATE calls SET ended_at = ?, end_price = '1', change_percent = 0", CALLED_AT + MINUTE_MS);
  }
  expect(await record(mint, '1', at)).toHaveLength(rows);
});
