import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import {
  CLOSE_INTERVAL_MS,
  CLOSES_DAILY_AFTER_MS,
  CLOSES_HOURLY_AFTER_MS,
} from '#schema/constants/prices.ts';
import { DAY_MS, HOUR_MS } from '#schema/constants/time.ts';
import { createDatabase } from '../../../shared/database.ts';
import { createJobLeases } from '../../../shared/job-leases.ts';
import { query } from '#test/database/database.ts';
import { testEnv } from '#test/test-app.ts';
import { createPriceClosesService, STEPS_PER_RUN } from './price-closes.service.ts';

interface Close {
  readonly mint: string;
  readonly at: number;
}

const NOW = Date.parse('2027-01-15T12:00:00Z');
let now: number;

const thin = () => {
  const db = createDatabase(testEnv.DB);
  return createPriceClosesService({ db, leases: createJobLeases({ db, clock }), clock }).thin();
};
const clock = { now: () => now, sleep: () => Promise.reject(new Error('Unexpected sleep')) };

const insert = (closes: readonly Close[]) =>
  query(
    `INSERT OR IGNORE INTO price_closes (mint, at, price)
     SELECT value ->> 'mint', value ->> 'at', '1'
     FROM json_each(?)`,
    JSON.stringify(closes),
  );
const read = () => query<Close>('SELECT mint, at FROM price_closes ORDER BY mint, at');

/** Computes the expected closing prices in a simple way. Old hours and older days have only their last price. */
function expectedAfterThinning(closes: readonly Close[], at: number): Close[] {
  const hourlyBefore = Math.floor((at - CLOSES_HOURLY_AFTER_MS) / CLOSE_INTERVAL_MS) * CLOSE_INTERVAL_MS;
  const dailyBefore = Math.floor((at - CLOSES_DAILY_AFTER_MS) / HOUR_MS) * HOUR_MS;
  const isFollowed = (close: Close, bucketMs: number) =>
    closes.some(
      (later) =>
        later.mint === close.mint &&
        later.at > close.at &&
        Math.floor(later.at / bucketMs) === Math.floor(close.at / bucketMs),
    );
  return closes.filter(
    (close) =>
      !(close.at < hourlyBefore && isFollowed(close, HOUR_MS)) &&
      !(close.at < dailyBefore && isFollowed(close, DAY_MS)),
  );
}

/** Enough runs for `closes`, even if each close takes a step. */
async function thinAll(closes: readonly Close[]): Promise<void> {
  for (let run = 0; run <= closes.length / STEPS_PER_RUN; run++) await thin();
}

beforeEach(() => {
  now = NOW;
});

it('thinning keeps the last closing price of each mint per hour, and later per day', async () => {
  const close = fc.record({
    mint: fc.constantFrom('A', 'B', 'C'),
    at: fc.integer({ min: NOW - CLOSES_DAILY_AFTER_MS - 2 * DAY_MS, max: NOW }),
  });
  const crowd = fc
    .tuple(close, fc.array(fc.nat(3 * HOUR_MS), { maxLength: 12 }))
    .map(([{ mint, at }, later]) =>
      [0, ...later].map((offset) => ({ mint, at: Math.min(NOW, at + offset) })),
    );
  await fc.assert(
    fc.asyncProperty(fc.array(crowd, { maxLength: 5 }), async (crowds) => {
      for (const table of ['price_closes', 'job_leases']) await query(`DELETE FROM ${table}`);
      await insert(crowds.flat());
      const all = await read();
      await thinAll(all);
      expect(await read()).toEqual(expectedAfterThinning(all, now));
      expect(await thin()).toEqual({ hourly: 0, daily: 0 });
    }),
    { numRuns: 20 },
  );
});

it('thinning closing prices catches up in several runs after an outage', async () => {
  const old = NOW - 40 * DAY_MS;
  const hours = STEPS_PER_RUN;
  await insert(
    Array.from({ length: hours * 2 }, (_, index) => ({ mint: 'A', at: old + index * (HOUR_MS / 2) })),
  );
  await insert([{ mint: 'A', at: NOW - 3 * DAY_MS }]);
  // Each closing price takes one step. Each hour has two of them, and the older one is deleted.
  expect((await thin()).hourly).toBe(hours / 2);
  expect((await thin()).hourly).toBe(hours / 2);
  expect((await thin()).hourly).toBe(0);
  expect(await read()).toHaveLength(hours + 1);
});
