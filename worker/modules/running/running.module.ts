import { createAnalyticsSql } from '../../adapters/analytics-sql.ts';
import type { Base, OptionsOf } from '../../app/base.ts';
import { CRON_WATCH_NAME, SENDER_NAME, type CronRuns } from '../../app/env.ts';
import { createBackupRepository } from './backup/backup.repository.ts';
import { createBackupService } from './backup/backup.service.ts';
import { createDeletionList } from './backup/deletion-list.ts';
import { createPaymentBackups } from './backup/payment-backups.ts';
import { createHealthService } from './health/health.service.ts';
import { createJobsRepository } from './health/jobs.repository.ts';
import { createOperatorsRepository } from './operators/operators.repository.ts';
import { createOperatorsService } from './operators/operators.service.ts';
import { createOverviewRepository } from './operators/overview.repository.ts';
import { createPaymentHistoryRepository } from './operators/payment-history.repository.ts';
import { createPeopleRepository } from './operators/people.repository.ts';
import { createPersonPaymentsRepository } from './operators/person-payments.repository.ts';
import { createPersonTelegramRepository } from './operators/person-telegram.repository.ts';

/** Backups that other modules write immediately: payments, and deleted accounts. */
export const createBackupWriters = ({ env, db, lifetime }: Base) => ({
  paymentBackups: createPaymentBackups({ db, bucket: env.BACKUPS, lifetime }),
  deletions: createDeletionList({ bucket: env.BACKUPS }),
});

interface RunningOptions extends Pick<
  OptionsOf<typeof createOperatorsService>,
  'callDetails' | 'deletion' | 'live' | 'resends' | 'statistics'
> {
  readonly outages: OptionsOf<typeof createHealthService>['outages'];
}

/** Operators, health, alarms and backups. */
export function createRunningModule(
  base: Base,
  { outages, callDetails, deletion, live, resends, statistics }: RunningOptions,
) {
  const { env, vars, db, clock, chain, leases, alarm, attempts, metrics, pauses } = base;
  const jobs = createJobsRepository(db);
  const watch = () => env.CRON_WATCH.getByName(CRON_WATCH_NAME);
  const cronWatch: CronRuns = {
    cronRan: () => watch().cronRan(),
    lastRun: () => watch().lastRun(),
    runJob: (due) => watch().runJob(due),
  };
  return {
    alarm,
    attempts,
    metrics,
    pauses,
    jobs,
    cronWatch,
    health: createHealthService({
      jobs,
      cronWatch,
      outages,
      endpoints: Object.keys(vars.rpcUrls).length,
      clock,
    }),
    backupExport: createBackupService({
      repository: createBackupRepository(db),
      bucket: env.BACKUPS,
      leases,
      clock,
      alarm,
    }),
    operators: createOperatorsService({
      operatorXIds: vars.OPERATOR_X_IDS,
      token: vars.OPERATORS_TOKEN,
      repository: createOperatorsRepository(db),
      overview: createOverviewRepository(db),
      people: createPeopleRepository(db),
      payments: createPaymentHistoryRepository(db),
      metrics: createAnalyticsSql({
        apiUrl: vars.ANALYTICS_API_URL,
        accountId: vars.ANALYTICS_ACCOUNT_ID,
        token: vars.ANALYTICS_API_TOKEN,
        dataset: vars.METRICS_DATASET,
      }),
      jobs,
      cronWatch,
      callDetails,
      deletion,
      live,
      statistics,
      resends,
      pauses,
      personPayments: createPersonPaymentsRepository(db),
      personTelegram: createPersonTelegramRepository(db),
      listResults: (userId) => env.SENDER.getByName(SENDER_NAME).listResults(userId),
      chain,
      attempts,
      clock,
    }),
  };
}
