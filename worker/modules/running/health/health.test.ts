import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, it, vi } from 'vitest';
import { CRON_REMINDER_MS, CRON_SILENCE_MS, JOB_LATE_MS } from '#schema/constants/running.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { Health } from '#schema/contracts/health.ts';
import { query } from '#test/database/database.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { breakSources, endFaults } from '#test/price-sources.ts';
import { control, createTestApp, testEnv, type TestApp } from '#test/test-app.ts';

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});
async function readiness(of = app) {
  const response = await of.request('/api/health/ready');
  const { status, checks } = await response.json<Health>();
  const failing = checks
    .filter((check) => check.status !== 'ok')
    .map((check) => `${check.name} ${check.status}`);
  return { code: response.status, status, failing };
}

/** Ends all faults, and runs the cron a minute later. */
async function recover(): Promise<void> {
  await endFaults();
  await app.advance(MINUTE_MS);
  await app.runCron();
}
const createBrokenApp = () =>
  createTestApp({
    bindings: { DB: interceptDatabase(testEnv.DB, () => Promise.reject(new Error('D1_ERROR: down'))) },
  });

it('/api/health returns the id of the version', async () => {
  const response = await app.request('/api/health');
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: 'ok', version: testEnv.VERSION.id });
});

it('/api/health/ready is 503 until the cron has run, and again after two and a half minutes without a run', async () => {
  expect(await readiness()).toEqual({ code: 503, status: 'down', failing: ['cron down'] });
  await app.runCron();
  expect(await readiness()).toEqual({ code: 200, status: 'ok', failing: [] });
  await app.advance(CRON_SILENCE_MS + 1);
  expect(await readiness()).toEqual({ code: 503, status: 'down', failing: ['cron down'] });
});

it('/api/health/ready is degraded when all price sources fail, and 503 from the second minute on; the failing job is stored with its error', async () => {
  const stored = async () => (await app.services.jobs.readState(app.clock.now())).failing;
  await breakSources({ status: 500 });
  await app.runCron();
  const since = app.clock.now();
  expect(await readiness()).toEqual({
    code: 200,
    status: 'degraded',
    failing: ['cron degraded'],
  });
  await app.advance(MINUTE_MS);
  await app.runCron();
  expect(await readiness()).toEqual({ code: 503, status: 'down', failing: ['cron degraded', 'calls down'] });
  expect(await stored()).toEqual([
    {
      job: 'prices.refresh',
      since,
      at: app.clock.now(),
      error: expect.stringContaining('No price source responded') as string,
    },
  ]);
  await recover();
  expect([await readiness(), await stored()]).toMatchObject([{ status: 'ok', failing: [] }, []]);
});

it('/api/health/ready is degraded while one RPC endpoint fails, although the jobs work with the other endpoint', async () => {
  await control('POST', '/faults', { service: 'solana-fallback', drop: true });
  await app.runCron();
  expect(await readiness()).toEqual({ code: 200, status: 'degraded', failing: ['cron degraded'] });
  expect((await app.services.jobs.readState(app.clock.now())).failing).toMatchObject([
    { job: 'rpc.fallback' },
  ]);
  await recover();
  expect(await readiness()).toMatchObject({ status: 'ok', failing: [] });
});

it('/api/health/ready is 503 if the database does not respond', async () => {
  const broken = await createBrokenApp();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(await readiness(broken)).toEqual({ code: 503, status: 'down', failing: ['database down'] });
});

const responseOf = async (path: string) => {
  const response = await app.request(path);
  return { code: response.status, body: await response.json() };
};

it('/api/health and /api/health/ready are 503 if the database belongs to an older baseline', async () => {
  const [baseline] = await query<{ name: string }>('SELECT name FROM d1_migrations');
  await query('ALTER TABLE payment_intents DROP COLUMN priority_reads');
  await query('ALTER TABLE payment_broadcasts DROP COLUMN tries');
  await query('ALTER TABLE price_marks DROP COLUMN seen_at');
  await query(
    "UPDATE d1_migrations SET name = '0000_baseline_0123abcd.sql' WHERE name = ?",
    baseline?.name ?? '',
  );
  const problem =
    `The database has 0000_baseline_0123abcd.sql, but this version needs ${baseline?.name}. ` +
    'Deploy the version that the database belongs to, or give this version a new database.';
  expect(await responseOf('/api/health')).toEqual({
    code: 503,
    body: { status: 'down', version: testEnv.VERSION.id, problem },
  });
  expect(await responseOf('/api/health/ready')).toEqual({
    code: 503,
    body: { status: 'down', checks: [{ name: 'database', status: 'down', problem }] },
  });
});

it('/api/health is 503 while the database lacks a migration, and 200 if it has newer migrations', async () => {
  const [newest] = await query<{ name: string }>('SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1');
  const rename = (from = '', to = '') => query('UPDATE d1_migrations SET name = ? WHERE name = ?', to, from);
  await rename(newest?.name, '0099_newer_0123abcd.sql');
  expect(await responseOf('/api/health')).toMatchObject({
    code: 503,
    body: { problem: `The database lacks ${newest?.name}. "npm run deploy" applies missing migrations.` },
  });
  await rename('0099_newer_0123abcd.sql', newest?.name);
  await query("INSERT INTO d1_migrations (name) VALUES ('0099_newer_0123abcd.sql')");
  expect(await responseOf('/api/health')).toMatchObject({ code: 200, body: { status: 'ok' } });
  await query("DELETE FROM d1_migrations WHERE name = '0099_newer_0123abcd.sql'");
});

it('/api/health/ready is degraded while a job is overdue, and lists the job as late', async () => {
  await app.runCron();
  await query(
    "INSERT INTO level_checks (mint, since, seen_at, due_at) VALUES ('mint', 1, ?, ?)",
    app.clock.now(),
    app.clock.now() - JOB_LATE_MS,
  );
  expect(await readiness()).toMatchObject({ status: 'ok' });
  await app.advance(1);
  expect(await readiness()).toMatchObject({ status: 'degraded', failing: ['cron degraded'] });
  expect((await app.services.jobs.readState(app.clock.now())).late).toMatchObject([{ job: 'calls.levels' }]);
});

it('an alarm is raised when the cron has not run for two and a half minutes, and again every hour', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const watch = testEnv.CRON_WATCH.getByName('test');
  const alarmIn = () =>
    runInDurableObject(watch, async (_watch, { storage }) => ((await storage.getAlarm()) ?? 0) - Date.now());
  await watch.cronRan();
  expect(Math.abs((await alarmIn()) - CRON_SILENCE_MS)).toBeLessThan(MINUTE_MS);
  expect(Math.abs(((await watch.lastRun()) ?? 0) - Date.now())).toBeLessThan(MINUTE_MS);
  expect(await runDurableObjectAlarm(watch)).toBe(true);
  expect(Math.abs((await alarmIn()) - CRON_REMINDER_MS)).toBeLessThan(MINUTE_MS);
  expect(logged.mock.calls.map(([line]) => JSON.parse(String(line)) as object)).toContainEqual(
    expect.objectContaining({ event: 'alarm', kind: 'cron.silent' }),
  );
  await runInDurableObject(watch, (_watch, { storage }) => storage.deleteAlarm());
});

it('an unexpected error has the same request id in the response and in the log', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const broken = await createBrokenApp();
  const response = await broken.request('/api/callers', { headers: { 'CF-Ray': '8c1f00d5a11ce5ee-FRA' } });
  expect(response.status).toBe(500);
  const { message, error } = await response.json<{ message: string; error: { requestId: string } }>();
  expect(error.requestId).toBe('8c1f00d5a11ce5ee');
  expect(message).toContain(error.requestId);
  const lines = logged.mock.calls.map(
    ([line]) => JSON.parse(String(line)) as { event: string; requestId?: string },
  );
  expect(lines.find(({ event }) => event === 'request.failed')?.requestId).toBe(error.requestId);
});
