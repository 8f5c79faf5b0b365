import type { Services } from '../app/services.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * Everything that follows the clock. Each job may run at any time and twice; one that fails leaves
 * the others alone and is tried again a minute later. Says what each did in one log line.
 */
export async function runEveryMinute({
  services,
  clock,
}: {
  services: Services;
  clock: Clock;
}): Promise<void> {
  // In this order, one after the other: money first, and last what may wait for a third party for minutes. The next
  // minute's payments wait for neither, because each minute is a run of its own.
  const jobs: Record<string, () => Promise<unknown>> = {
    'payments.reconcile': () => services.reconciliation.reconcile(),
    'payments.settle': () => services.reconciliation.settle(),
    'payments.check': () => services.ledgerCheck.checkOncePerDay(),
    // Before what has ended is flipped, so that it is flipped in the same minute.
    'renewals.remind': () => services.renewals.remind(),
    'subscriptions.expire': () => services.subscriptions.expireLapsed(),
    // What the request that made it could not tell at once.
    'calls.announce': () => services.callEvents.announce(),
    'payments.announce': () => services.paymentNotices.announce(),
    'payouts.announce': () => services.payoutChanges.announce(),
    'sessions.purge': () => services.auth.purgeExpiredSessions(),
    'deliveries.purge': () => services.deliveries.purge(),
    'statistics.repair': () => services.statisticsRepair.repair(),
    'closes.thin': () => services.closes.thin(),
    'prices.refresh': () => services.priceRefresh.refresh(),
  };
  for (const [job, run] of Object.entries(jobs)) {
    const startedAt = clock.now();
    try {
      const result = (await run()) ?? null;
      console.log(JSON.stringify({ event: 'job.done', job, durationMs: clock.now() - startedAt, result }));
    } catch (error) {
      console.error(
        JSON.stringify({
          event: 'job.failed',
          job,
          durationMs: clock.now() - startedAt,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
      );
    }
  }
}
