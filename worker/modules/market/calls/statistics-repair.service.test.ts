import { expect, it } from 'vitest';
import { JOB_LEASE_MS } from '#worker/shared/job-leases.ts';
import { insertActiveCalls } from '#test/people/active-calls.ts';
import { query } from '#test/database/database.ts';
import { createTestApp } from '#test/test-app.ts';
import { STATISTICS_ROWS_PER_SLICE } from './statistics-repair.service.ts';

/** Each of these callers counts as 20 rows: 10 for the caller, 9 for the calls and 1 for the subscriber. */
const CALLERS_PER_SLICE = STATISTICS_ROWS_PER_SLICE / 20;
const CALLERS = 2 * CALLERS_PER_SLICE + 50;

it('the statistics repair corrects one slice of callers per run, and continues where a dead run stopped', async () => {
  const app = await createTestApp();
  const { repair } = app.services.statisticsRepair;
  await insertActiveCalls({ count: CALLERS, callers: CALLERS, calledAt: app.clock.now() });
  const right = await query('SELECT * FROM callers ORDER BY caller_id');
  for (let round = 0; round < 2; round++) {
    await query('UPDATE callers SET total_calls = 9, win_rate = 50, subscriber_count = subscriber_count + 1');
    const repaired = [await repair(), await repair(), await repair()];
    expect(repaired).toEqual([CALLERS_PER_SLICE, CALLERS_PER_SLICE, 50]);
    expect(await query('SELECT * FROM callers ORDER BY caller_id')).toEqual(right);
  }

  // A dead run still holds the lease. The next run must wait until the lease expires, and then continues
  // after the dead run's cursor.
  await query(
    "UPDATE job_leases SET holder = 'dead', expires_at = ?, cursor = '2026-01-01 user-3' WHERE job = 'statistics.repair'",
    app.clock.now() + JOB_LEASE_MS,
  );
  await query('UPDATE callers SET total_calls = 9');
  expect(await repair()).toBeNull();
  await app.advance(JOB_LEASE_MS);
  await repair();
  const [first] = await query('SELECT MIN(caller_id) AS id FROM callers WHERE total_calls = 1');
  expect(first).toEqual({ id: 'user-30' });
});
