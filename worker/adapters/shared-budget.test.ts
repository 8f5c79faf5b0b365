import { expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { createAttempts } from '../shared/attempts.ts';
import { createDatabase } from '../shared/database.ts';
import { testEnv } from '#test/test-app.ts';
import { createSharedBudget } from './shared-budget.ts';

const BULK = { isUrgent: false, person: null };
const URGENT = { isUrgent: true, person: 'ada' };

let now = Date.UTC(2026, 5, 1);
const clock = { now: () => now, sleep: () => Promise.reject(new Error('Unexpected sleep')) };

/** Simulates a new isolate that uses the same budget, and counts its SQL statements. */
function openIsolate(perMinute: number) {
  const attempts = createAttempts({ db: createDatabase(testEnv.DB), clock });
  let statements = 0;
  const budget = createSharedBudget({
    source: 'fake',
    perMinute,
    clock,
    attempts: {
      take: (attempt) => {
        statements += 1;
        return attempts.take(attempt);
      },
    },
  });
  return { take: budget.take, statements: () => statements };
}

it('isolates share one token bucket, which doesn’t refuse an urgent request when it refuses bulk requests', async () => {
  const isolates = [openIsolate(60), openIsolate(60)];
  let taken = 0;
  for (let count = 0; count < 40; count++) {
    for (const { take } of isolates) if ((await take(BULK)) === 0) taken += 1;
  }
  expect(taken).toBe(55);
  const waitMs = await isolates[0]?.take(BULK);
  expect(waitMs).toBe(SECOND_MS);
  expect(await isolates[1]?.take(URGENT)).toBe(0);
  expect(await isolates[0]?.take(BULK)).toBe(2 * SECOND_MS);
  now += 2 * SECOND_MS;
  expect(await isolates[1]?.take(BULK)).toBe(0);
  expect(await isolates[0]?.take(BULK)).toBe(SECOND_MS);
});

it('the shared token bucket needs one statement for ten requests, and refuses exactly at the limit', async () => {
  now += MINUTE_MS;
  const { take, statements } = openIsolate(600);
  for (let count = 0; count < 10; count++) expect(await take(BULK)).toBe(0);
  expect(statements()).toBe(1);
  let more = 0;
  while ((await take(BULK)) === 0) more += 1;
  expect(more).toBe(540);
});
