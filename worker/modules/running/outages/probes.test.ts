import { afterEach, expect, it, vi } from 'vitest';
import { SECOND_MS } from '#schema/constants/time.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { testEnv } from '#test/test-app.ts';
import type { Base } from '../../../app/base.ts';
import type { PriceSource } from '../../../ports/price-source.ts';
import { OutageError } from '../../../ports/unavailable.ts';
import { createAttempts } from '../../../shared/attempts.ts';
import { createDatabase } from '../../../shared/database.ts';
import { createProbes } from './probes.ts';

afterEach(() => void vi.useRealTimers());

/** The probes with a database that waits, and third parties that respond at once by default. */
function createSlowProbes(waitMs: number, { askTelegram = () => Promise.resolve() } = {}) {
  const wait = async <Result>(_query: unknown, run: () => Promise<Result>) => {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    return run();
  };
  const db = createDatabase(interceptDatabase(testEnv.DB, wait));
  const clock = { now: () => Date.UTC(2026, 10, 1), sleep: () => Promise.resolve() };
  return createProbes({
    db,
    attempts: createAttempts({ db, clock }),
    chain: { latestBlockhash: () => Promise.resolve({}) } as unknown as Base['chain'],
    priceSources: [{ quote: () => Promise.resolve({ price: 1 }) } as unknown as PriceSource],
    identify: () => Promise.resolve(null),
    askTelegram,
  });
}

it.each([
  [5 * SECOND_MS, 'database.slow'],
  [3 * SECOND_MS, null],
])('a database that needs %i ms for each statement has the outage %s', async (waitMs, cause) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const probing = createSlowProbes(waitMs)();
  await vi.advanceTimersByTimeAsync(2 * waitMs);
  expect(await probing).toEqual({
    pages: cause,
    sign_in: cause,
    payments: cause,
    calls: cause,
    messages: null,
    posts: null,
  });
});

it.each([
  [1, null],
  [2, 'telegram.refused'],
])('a third party that refuses %i requests in a row has the outage %s', async (failures, cause) => {
  let asked = 0;
  const askTelegram = async () => {
    asked += 1;
    if (asked <= failures) throw new OutageError('telegram.refused');
  };
  expect(await createSlowProbes(0, { askTelegram })()).toMatchObject({ messages: cause });
});
