import type { Services } from '../app/services.ts';
import type { Clock } from '../ports/clock.ts';
import { describeErrorWithStack } from '../shared/describe-error.ts';

/**
 * All jobs in their order. Payments run first. Prices, and the jobs that depend on them, run last, because they
 * may wait minutes for a third party.
 */
export function listJobs(services: Services): Readonly<Record<string, () => Promise<unknown>>> {
  return {
    'payments.reconcile': () => services.reconciliation.reconcile(),
    'payments.settle': () => services.reconciliation.settle(),
    // The rebroadcaster's alarm runs this every few seconds. The cron covers an alarm that was lost.
    'payments.rebroadcast': () => services.rebroadcast.runAndWake(),
    'payments.check': () => services.ledgerCheck.checkOncePerDay(),
    'chain.watch': () => services.endpointWatch.watch(),
    // Runs before `subscriptions.expire`, which skips subscriptions with a pending reminder.
    'renewals.remind': () => services.renewals.remind(),
    'subscriptions.expire': () => services.subscriptions.expireLapsed(),
    // Runs before `calls.notify`, which announces these ends.
    'calls.end': () => services.automaticEnds.endDue(),
    // If a request failed to hand its event to the sender, this job hands it over.
    'calls.notify': () => services.callEvents.notifyAll(),
    'payments.notify': () => services.paymentNotices.notifyAll(),
    'payouts.notify': () => services.payoutChanges.notifyAll(),
    'devices.notify': () => services.newDevices.notifyAll(),
    'sessions.purge': () => services.auth.purgeExpiredSessions(),
    'attempts.purge': () => services.attempts.purge(),
    'sender.wake': () => services.outbox.wake(),
    'statistics.repair': () => services.statisticsRepair.repair(),
    'closes.thin': () => services.closes.thin(),
    'prices.refresh': () => services.priceRefresh.refresh(),
    // Confirms the levels that prices reached in the refresh. The job below announces them in the same minute.
    'calls.levels': () => services.callLevels.check(),
    'calls.notify_levels': () => services.callEvents.notifyAll(),
  };
}

/** Runs every job and logs a line for each. If a job fails, the others still run. Two runs of a job may overlap. */
export async function runEveryMinute({ services, clock }: { services: Services; clock: Clock }) {
  for (const [job, run] of Object.entries(listJobs(services))) {
    const startedAt = clock.now();
    try {
      const result = (await run()) ?? null;
      console.log(JSON.stringify({ event: 'job.done', job, durationMs: clock.now() - startedAt, result }));
    } catch (cause) {
      const error = describeErrorWithStack(cause);
      console.error(JSON.stringify({ event: 'job.failed', job, durationMs: clock.now() - startedAt, error }));
    }
  }
}
