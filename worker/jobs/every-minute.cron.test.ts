import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS, WRAPPED_SOL_MINT } from '#schema/constants.ts';
import operations from '../../docs/OPERATIONS.md?raw';
import type { Services } from '../app/services.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { readAnswer } from '../test-support/answers.ts';
import { createCaller, makeCall, MINTS } from '../test-support/people/callers.ts';
import { control, createTestApp, type TestApp } from '../test-support/test-app.ts';
import { listJobs, runEveryMinute } from './every-minute.cron.ts';

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns the services with each cron job replaced by the function that `job` returns for it. */
function withJobs(job: (name: string) => () => Promise<never>): Services {
  const { services } = app;
  return {
    ...services,
    rebroadcast: { ...services.rebroadcast, runAndWake: job('payments.rebroadcast') },
    endpointWatch: { watch: job('chain.watch') },
    reconciliation: { reconcile: job('payments.reconcile'), settle: job('payments.settle') },
    paymentMetrics: { measure: job('payments.measure') },
    ledgerCheck: { checkOncePerDay: job('payments.check') },
    renewals: { ...services.renewals, remind: job('renewals.remind') },
    subscriptions: { ...services.subscriptions, expireLapsed: job('subscriptions.expire') },
    newEvents: { ...services.newEvents, notifyAll: job('events.notify') },
    outbox: { ...services.outbox, wake: job('sender.wake') },
    auth: { ...services.auth, purgeExpiredSessions: job('sessions.purge') },
    automaticEnds: { endDue: job('calls.end') },
    accountDeletion: { ...services.accountDeletion, eraseRest: job('accounts.erase') },
    attempts: { ...services.attempts, purge: job('attempts.purge') },
    resends: { ...services.resends, handOver: job('sender.resend') },
    logSequencer: { sequence: job('log.sequence') },
    statisticsRepair: { repair: job('statistics.repair') },
    backupExport: { exportOncePerDay: job('backup.export') },
    closes: { thin: job('closes.thin') },
    callHoldings: { readDue: job('calls.holdings') },
    priceRefresh: { refresh: job('prices.refresh') },
    callLevels: { check: job('calls.levels') },
  };
}

describe('the cron', () => {
  it('runs the jobs that docs/OPERATIONS.md lists, in its order', () => {
    const [, list = ''] = /runs these jobs in sequence: ([^.]+(?:\.\w[^.]+)*)\.\n/.exec(operations) ?? [];
    const named = [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    expect(named).toEqual(Object.keys(listJobs(app.services)));
  });

  it('runs the other jobs when one fails, payments first and prices last', async () => {
    const ran: string[] = [];
    const services = withJobs((name) => async () => {
      ran.push(name);
      throw new Error(`${name} failed`);
    });
    await runEveryMinute({ services, clock: app.clock });
    expect(ran.slice(0, 4)).toEqual([
      'payments.reconcile',
      'payments.settle',
      'payments.rebroadcast',
      'payments.check',
    ]);
    expect(ran.slice(4, -3).toSorted()).toEqual([
      'accounts.erase',
      'attempts.purge',
      'backup.export',
      'calls.end',
      'calls.holdings',
      'chain.watch',
      'closes.thin',
      'events.notify',
      'log.sequence',
      'payments.measure',
      'renewals.remind',
      'sender.resend',
      'sender.wake',
      'sessions.purge',
      'statistics.repair',
      'subscriptions.expire',
    ]);
    expect(ran.slice(-3)).toEqual(['prices.refresh', 'calls.levels', 'events.notify']);
  });

  it('logs one line per job with its result or error and its duration', async () => {
    const lines: unknown[] = [];
    for (const level of ['log', 'error'] as const) {
      vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(JSON.parse(line)));
    }
    let now = 0;
    const clock = { now: () => now, sleep: () => Promise.reject(new Error('unexpected sleep')) };
    const services = withJobs((name) => async () => {
      now += 250;
      if (name === 'payments.settle') throw new Error('broken');
      return { did: name } as never;
    });
    await runEveryMinute({ services, clock });
    expect(lines).toHaveLength(Object.keys(listJobs(services)).length);
    expect(lines[0]).toEqual({
      event: 'job.done',
      job: 'payments.reconcile',
      durationMs: 250,
      result: { did: 'payments.reconcile' },
    });
    expect(lines[1]).toEqual({
      event: 'job.failed',
      job: 'payments.settle',
      durationMs: 250,
      error: expect.stringContaining('broken') as string,
    });
  });

  it('updates a lower price within one run, keeps the peak, and writes stored prices only when they change', async () => {
    const caller = await createCaller(app, 'caller');
    await makeCall({ caller, mint: MINTS.WIF, price: 2 });
    await control('POST', '/prices', { mint: WRAPPED_SOL_MINT, price: 150 });
    const run = async () => (await app.services.priceRefresh.refresh())?.writes;
    const active = async () =>
      (await readAnswer<TokenCall[]>(caller.get(`/api/token-calls/caller/${caller.id}/active`)))[0];
    // The shards of WIF and SOL. SOL is always refreshed.
    expect(await run()).toBe(2);
    await app.advance(MINUTE_MS);
    expect(await run()).toBe(0);
    const unchangedAt = new Date(app.clock.now()).toISOString();
    expect(await active()).toMatchObject({ lastPrice: { price: '2', at: unchangedAt } });
    await control('POST', '/prices', { mint: MINTS.WIF, price: 0.8 });
    await app.advance(MINUTE_MS);
    await app.runCron();
    expect(await active()).toMatchObject({
      lastPrice: { price: '0.8', at: new Date(app.clock.now()).toISOString() },
      peak: { price: '2' },
    });
  });
});
