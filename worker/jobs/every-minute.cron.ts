import type { Services } from '../app/services.ts';

/**
 * Everything that follows the clock. Each job may run at any time and twice; one that fails leaves
 * the others alone and is tried again a minute later. Says what each did in one log line.
 */
export async function runEveryMinute(services: Services): Promise<void> {
  const jobs: Record<string, () => Promise<unknown>> = {
    'payments.reconcile': () => services.reconciliation.reconcile(),
    'payments.settle': () => services.reconciliation.settle(),
    'payments.check': () => services.ledgerCheck.checkOncePerDay(),
    'prices.refresh': () => services.prices.refreshStored(),
    // Before what has ended is flipped, so that it is flipped in the same minute.
    'renewals.remind': () => services.renewals.remind(),
    'subscriptions.expire': () => services.subscriptions.expireLapsed(),
    'statistics.repair': () => services.calls.repairStatistics(),
    'payouts.announce': () => services.payoutChanges.announce(),
    'sessions.purge': () => services.auth.purgeExpiredSessions(),
  };
  for (const [job, run] of Object.entries(jobs)) {
    try {
      console.log(JSON.stringify({ event: 'job.done', job, result: (await run()) ?? null }));
    } catch (error) {
      console.error(JSON.stringify({ event: 'job.failed', job, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }));
    }
  }
}
