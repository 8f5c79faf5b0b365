import { MINUTE_MS } from '#schema/constants/time.ts';
import { keysOf } from '#schema/rules/typed-keys.ts';
import type { Services } from '../app/services.ts';
import type { DueJob, FailedRun } from '../modules/running/health/jobs.repository.ts';
import type { JobName } from '../modules/running/health/due-times.repository.ts';
import { describeError, describeErrorWithStack } from '../shared/describe-error.ts';

/**
 * Lists all jobs in the order in which they run: payments first, and prices with their dependent jobs last, because
 * they may wait minutes for a third party. A job that had nothing to do returns null or 0.
 */
export function listJobs(services: Services): Readonly<Record<JobName, () => Promise<unknown>>> {
  return {
    'payments.reconcile': () => services.reconciliation.reconcile(),
    'payments.walk': () => services.platformWalk.walk(),
    'payments.search': () => services.payments.searchDue(),
    'payments.settle': () => services.reconciliation.finalize(),
    // The rebroadcaster's alarm runs this every few seconds. The cron is the fallback for a lost alarm.
    'payments.rebroadcast': () => services.rebroadcast.runAndWake(),
    'payments.refunds': () => services.refunds.searchDue(),
    'payments.check': () => services.ledgerCheck.checkOncePerDay(),
    'chain.watch': () => services.endpointWatch.watch(),
    'subscriptions.silence': () => services.subscriptions.extendForSilence(),
    'subscriptions.fees': () => services.subscriptions.changeFees(),
    'subscriptions.expire': () => services.subscriptions.expireLapsed(),
    // Runs after the jobs that change who has access.
    'chats.members': () => services.chatAccess.checkDue(),
    'prices.marks': () => services.priceMarks.record(),
    'calls.results': () => services.followerResults.record(),
    // Runs before `messages.write`, which announces these ends.
    'calls.end': () => services.automaticEnds.endDue(),
    // Also ends calls. Runs before `messages.write`, which announces these ends.
    'accounts.delete': () => services.accountDeletion.deleteDue(),
    // Tells people what the jobs before have recorded, reminders that are due, and what a request failed to pass on.
    'messages.write': () => services.messagesWriter.write(),
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
    'callers.activity': () => services.statisticsRepair.endActivity(),
    'statistics.repair': () => services.statisticsRepair.repair(),
    'closes.thin': () => services.closes.thin(),
    'log.archive': () => services.logArchive.archive(),
    'chats.check': () => services.chatChecks.checkDue(),
    // Reads the chain for a few calls. Runs after all jobs that users wait for.
    'calls.holdings': () => services.callHoldings.readDue(),
    'backup.export': () => services.backupExport.exportOncePerDay(),
    'prices.refresh': () => services.priceRefresh.refresh(),
    // Confirms the price levels that the refresh reached, and tells people of them in the same minute.
    async 'calls.levels'() {
      const hits = await services.callLevels.check();
      if (hits !== null && hits > 0) await services.messagesWriter.writeFacts();
      return hits;
    },
  };
}

/** Bound how often a job with more to do runs in a minute, because later jobs wait. Each run is an invocation. */
export const MAX_RUNS_PER_MINUTE = 10;
const REPEAT_MS = MINUTE_MS / 3;

export interface JobOutcome {
  readonly hasWorked: boolean;
  /** Another run in the same minute would find more to do. */
  readonly hasMore: boolean;
  readonly error: string | null;
}

interface JobsToRun {
  readonly services: Pick<Services, 'jobs' | 'clock'>;
  readonly names: readonly JobName[];
  readonly runJob: (due: DueJob) => Promise<JobOutcome>;
}

export interface CronOptions extends Omit<JobsToRun, 'services' | 'names'> {
  readonly services: Services;
  readonly scheduledAt?: number;
}

export async function runEveryMinute({ services, runJob, scheduledAt }: CronOptions): Promise<void> {
  const { clock, cronWatch, metrics } = services;
  const lagMs = clock.now() - (scheduledAt ?? clock.now());
  metrics.record({ kind: 'cron', name: 'lag', outcome: '', value: lagMs });
  await cronWatch.cronRan().catch(logAs('cron_watch.unreachable'));
  const probing = services.outages.probe().catch(logAs('probes.failed'));
  await runDueJobs({ services, names: keysOf(listJobs(services)), runJob });
  await probing;
}

/** If a job fails, the others still run. Jobs that became due through earlier jobs run in the same minute. */
export async function runDueJobs({ services: { jobs, clock }, names, runJob }: JobsToRun): Promise<void> {
  const readState = () => jobs.readState(clock.now()).catch(logAs('jobs.unreadable'));
  const first = await readState();
  let state = first;
  const failed: FailedRun[] = [];
  for (const job of names) {
    const due = state?.due.find((each) => each.job === job);
    if (due === undefined) continue;
    const at = clock.now();
    let outcome = await runJob(due).catch(failedWith);
    for (let runs = 1; outcome.hasMore && runs < MAX_RUNS_PER_MINUTE; runs += 1) {
      if (clock.now() - at >= REPEAT_MS) break;
      outcome = await runJob(due).catch(failedWith);
    }
    const { hasWorked, error } = outcome;
    if (error !== null) failed.push({ job, at, error });
    if (hasWorked) state = (await readState()) ?? state;
  }
  const works = (job: string) => names.some((name) => name === job) && !failed.some((run) => run.job === job);
  const working = first?.failing.flatMap(({ job }) => (works(job) ? [job] : [])) ?? [];
  await jobs.record({ failed, working }).catch(logAs('jobs.not_recorded'));
}

const logAs = (event: string) => (error: unknown) => {
  console.error(JSON.stringify({ event, error: describeError(error) }));
  return undefined;
};

/** A run that was killed, for example because it used too many resources. */
const failedWith = (error: unknown): JobOutcome => ({
  hasWorked: true,
  hasMore: false,
  error: describeError(error),
});

export async function runJob(services: Services, { job, since }: DueJob): Promise<JobOutcome> {
  const { clock, metrics } = services;
  const startedAt = clock.now();
  const { error, result } = await tryRun(listJobs(services)[job]);
  const [durationMs, lagMs] = [clock.now() - startedAt, startedAt - since];
  if (error === null) console.log(JSON.stringify({ event: 'job.done', job, lagMs, durationMs, result }));
  else console.error(JSON.stringify({ event: 'job.failed', job, lagMs, durationMs, error }));
  metrics.record({ kind: 'job', name: job, outcome: error === null ? 'done' : 'failed', value: durationMs });
  const hasMore = result instanceof Object && 'hasMore' in result && result.hasMore === true;
  return { hasWorked: error !== null || Boolean(result), hasMore, error };
}

async function tryRun(run: () => Promise<unknown>): Promise<{ result?: unknown; error: string | null }> {
  try {
    return { result: (await run()) ?? null, error: null };
  } catch (cause) {
    return { error: describeErrorWithStack(cause) };
  }
}
