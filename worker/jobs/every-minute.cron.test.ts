import { beforeEach, expect, it, vi } from 'vitest';
import { SECOND_MS } from '#schema/constants/time.ts';
import operations from '../../docs/OPERATIONS.md?raw';
import { createTestApp, type TestApp } from '#test/test-app.ts';
import { listJobs, MAX_RUNS_PER_MINUTE, runDueJobs } from './every-minute.cron.ts';

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

it('the cron runs the jobs in the order of the list in docs/OPERATIONS.md', () => {
  const [, list = ''] = /The order is ([^.]+(?:\.\w[^.]+)*)\.\n/.exec(operations) ?? [];
  const named = [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  expect(named).toEqual(Object.keys(listJobs(app.services)));
});

it('the cron runs payments first and prices last', () => {
  const jobs = Object.keys(listJobs(app.services));
  expect(jobs.slice(0, 5)).toEqual([
    'payments.reconcile',
    'payments.walk',
    'payments.search',
    'payments.settle',
    'payments.rebroadcast',
  ]);
  expect(jobs.slice(-2)).toEqual(['prices.refresh', 'calls.levels']);
});

it('the cron logs each job’s result or error and its duration, and continues after a failed job', async () => {
  const lines: { job: string }[] = [];
  for (const level of ['log', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation(
      (line: string) => void lines.push(JSON.parse(line) as { job: string }),
    );
  }
  vi.spyOn(app.services.platformWalk, 'walk').mockImplementation(async () => {
    await app.advance(250);
    throw new Error('broken');
  });
  vi.spyOn(app.services.outbox, 'wake').mockImplementation(async () => {
    await app.advance(100);
    return 7;
  });
  await app.runJobs('payments', 'sender');
  expect(lines.filter(({ job }) => job === 'payments.walk' || job === 'sender.wake')).toEqual([
    {
      event: 'job.failed',
      job: 'payments.walk',
      lagMs: 0,
      durationMs: 250,
      error: expect.stringContaining('broken') as string,
    },
    {
      event: 'job.done',
      job: 'sender.wake',
      lagMs: expect.any(Number) as number,
      durationMs: 100,
      result: 7,
    },
  ]);
});

it.each([
  ['ten times', 0, MAX_RUNS_PER_MINUTE],
  ['for 20 seconds', 10 * SECOND_MS, 2],
])('a job with more to do runs again in the same minute, at most %s', async (_, durationMs, count) => {
  const runs: string[] = [];
  await runDueJobs({
    services: app.services,
    names: ['log.sequence', 'sender.wake'],
    async runJob({ job }) {
      runs.push(job);
      await app.advance(durationMs);
      return { hasWorked: false, hasMore: job === 'log.sequence', error: null };
    },
  });
  expect(runs).toEqual([...Array.from({ length: count }, () => 'log.sequence'), 'sender.wake']);
});
