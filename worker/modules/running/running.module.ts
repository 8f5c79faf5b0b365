import { createTelegramProbe } from '../../adapters/telegram-bot.ts';
import type { Base, OptionsOf } from '../../app/base.ts';
import { CRON_WATCH_NAME, type CronRuns } from '../../app/env.ts';
import { createBackupService } from './backup/backup.service.ts';
import { createDeletionList } from './backup/backup-files.ts';
import { createPaymentBackups } from './backup/payment-backups.ts';
import { createEndpointWatchService } from './health/endpoint-watch.service.ts';
import { createHealthService } from './health/health.service.ts';
import { createJobsRepository } from './health/jobs.repository.ts';
import { createOutagesService } from './outages/outages.service.ts';
import { createOperatorsService } from './operators/operators.service.ts';

export const createBackupWriters = (base: Base) => ({
  paymentBackups: createPaymentBackups({ ...base, bucket: base.env.BACKUPS }),
  deletions: createDeletionList({ bucket: base.env.BACKUPS }),
});

type RunningOptions = Pick<
  OptionsOf<typeof createOperatorsService>,
  'callDetails' | 'deletion' | 'notificationSettings' | 'pauses' | 'resends' | 'subscriptions' | 'ways'
> &
  Pick<OptionsOf<typeof createOutagesService>, 'priceSources' | 'identify'>;

export function createRunningModule(base: Base, options: RunningOptions) {
  const { env, vars, alarm, attempts, metrics } = base;
  const watch = () => env.CRON_WATCH.getByName(CRON_WATCH_NAME);
  const cronWatch: CronRuns = {
    cronRan: () => watch().cronRan(),
    lastRun: () => watch().lastRun(),
    runJob: (due) => watch().runJob(due),
    report: (report) => watch().report(report),
    listOutages: () => watch().listOutages(),
    keepAlarm: (alarm) => watch().keepAlarm(alarm),
    listAlarms: () => watch().listAlarms(),
  };
  const outages = createOutagesService({
    ...base,
    ...options,
    reports: cronWatch,
    askTelegram: createTelegramProbe(base.bot),
  });
  return {
    alarm,
    outages,
    attempts,
    metrics,
    jobs: createJobsRepository(base.db),
    cronWatch,
    endpointWatch: createEndpointWatchService(base),
    health: createHealthService({
      ...base,
      cronWatch,
      outages,
      readNeededMigrations: async () => (await import('virtual:migrations')).default,
    }),
    backupExport: createBackupService({
      ...base,
      bucket: env.BACKUPS,
    }),
    operators: createOperatorsService({
      ...base,
      ...options,
      operatorXIds: vars.OPERATOR_X_IDS,
      token: vars.OPERATORS_TOKEN,
      cronWatch,
      listResults: (userId) => env.SENDER.getByName('telegram').listResults(userId),
    }),
  };
}
