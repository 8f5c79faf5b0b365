import type { Services } from '../app/services.ts';
import type { JobRun } from '../modules/running/health/job-runs.repository.ts';
import type { Clock } from '../ports/clock.ts';
import { describeError, describeErrorWithStack } from '../shared/describe-error.ts';

/**
 * Lists all jobs in the order in which they run: payments first, and prices with their dependent jobs last, because
 * they may wait minutes for a third party.
 */
export function listJobs(services: Services): Readonly<Record<string, () => Promise<unknown>>> {
  return {
    'payments.reconcile': () => services.reconciliation.reconcile(),
    'payments.walk': () => services.platformWalk.walk(),
    'payments.settle': () => services.reconciliation.finalize(),
    // The rebroadcaster's alarm runs this every few seconds. The cron is the fallback for a lost alarm.
    'payments.rebroadcast': () => services.rebroadcast.runAndWake(),
    'payments.refunds': () => services.refunds.searchDue(),
    'payments.check': () => services.ledgerCheck.checkOncePerDay(),
    'payments.measure': () => services.paymentMetrics.measure(),
    'chain.watch': () => services.endpointWatch.watch(),
    'subscriptions.silence': () => services.subscriptions.extendForSilence(),
    // Runs before `subscriptions.expire`, which skips subscriptions with a pending reminder.
    'renewals.remind': () => services.renewals.remind(),
    'subscriptions.expire': () => services.subscriptions.expireLapsed(),
    'prices.marks': () => services.priceMarks.record(),
    'calls.results': () => services.followerResults.record(),
    'calls.end_notices': () => services.endNotices.notify(),
    // Runs before `events.notify`, which announces these ends.
    'calls.end': () => services.automaticEnds.endDue(),
    // Ends calls, too. Runs before `events.notify`, which announces them.
    'accounts.delete': () => services.accountDeletion.deleteDue(),
    'notices.silence': () => services.silenceNotices.notify(),
    // Passes notices to the sender, and events that a request failed to pass on.
    'events.notify': () => services.newEvents.notifyAll(),
    'log.sequence': () => services.logSequencer.sequence(),
    'log.witness': () => services.logWitnesses.cosign(),
    'log.anchor': () => services.logAnchors.anchor(),
    'calls.late': () => services.lateCalls.flag(),
    'sessions.purge': () => services.auth.purgeExpiredSessions(),
    'accounts.erase': () => services.accountDeletion.eraseRest(),
    'attempts.purge': () => services.attempts.purge(),
    // Passes events that an operator wants to resend to the sender, if the operator's request failed to.
    'sender.resend': () => services.resends.handOver(),
    'sender.wake': () => services.outbox.wake(),
    'statistics.repair': () => services.statisticsRepair.repair(),
    'closes.thin': () => services.closes.thin(),
    // Reads the chain for a few calls. Runs after all jobs that users wait for.
    'calls.holdings': () => services.callHoldings.readDue(),
    'backup.export': () => services.backupExport.exportOncePerDay(),
    'prices.refresh': () => services.priceRefresh.refresh(),
    // Confirms the price levels that the refresh reached. The next job announces them in the same minute.
    'calls.levels': () => services.callLevels.check(),
    'events.notify_levels': () => services.newEvents.notifyAll(),
  };
}

export interface CronOptions {
  readonly services: Services;
  readonly clock: Clock;
  /** The scheduled start of this run (unix ms). */
  readonly scheduledAt?: number;
}

/** Runs all jobs. Two runs may overlap. */
export async function runEveryMinute({ services, clock, scheduledAt = clock.now() }: CronOptions) {
  const { cronWatch, metrics } = services;
  metrics.record({ kind: 'cron', name: 'lag', outcome: '', value: clock.now() - scheduledAt });
  await cronWatch.cronRan().catch((error: unknown) => {
    console.error(JSON.stringify({ event: 'cron_watch.unreachable', error: describeError(error) }));
  });
  await runJobs({ jobs: listJobs(services), services, clock });
}

interface JobsToRun {
  readonly jobs: ReturnType<typeof listJobs>;
  readonly services: Pick<Services, 'metrics' | 'jobRuns'>;
  readonly clock: Clock;
}

/** Runs the jobs and logs a line for each. If a job fails, the others still run. */
export async function runJobs({ jobs, services: { metrics, jobRuns }, clock }: JobsToRun): Promise<void> {
  const runs: JobRun[] = [];
  for (const [job, run] of Object.entries(jobs)) {
    const startedAt = clock.now();
    const { error, ...result } = await tryRun(run);
    const durationMs = clock.now() - startedAt;
    if (error === null) console.log(JSON.stringify({ event: 'job.done', job, durationMs, ...result }));
    else console.error(JSON.stringify({ event: 'job.failed', job, durationMs, error }));
    metrics.record({
      kind: 'job',
      name: job,
      outcome: error === null ? 'done' : 'failed',
      value: durationMs,
    });
    runs.push({ job, startedAt, durationMs, error });
  }
  await jobRuns.record(runs).catch((cause: unknown) => {
    console.error(JSON.stringify({ event: 'jobs.not_recorded', error: describeError(cause) }));
  });
}

async function tryRun(run: () => Promise<unknown>): Promise<{ result?: unknown; error: string | null }> {
  try {
    return { result: (await run()) ?? null, error: null };
  } catch (cause) {
    return { error: describeErrorWithStack(cause) };
  }
}
