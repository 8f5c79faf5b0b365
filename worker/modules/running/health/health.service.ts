import { CRON_SILENCE_MS } from '#schema/constants/running.ts';
import type { Health, HealthCheck } from '#schema/contracts/health.ts';
import { compareMigrations } from '#schema/rules/compare-migrations.ts';
import type { Base } from '../../../app/base.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { createJobsRepository, ENDPOINTS, type JobsState } from './jobs.repository.ts';

export interface HealthOptions extends Pick<Base, 'db' | 'clock'> {
  readonly cronWatch: { lastRun(): Promise<number | null> };
  readonly endpoints: number;
  /** The names of the migrations that this version needs. */
  readonly readNeededMigrations: () => Promise<readonly string[]>;
}

/** The dependencies that jobs use, and the job that fails when the dependency does. */
const DEPENDENCIES = { prices: 'prices.refresh', notifications: 'sender.wake' } as const;

/** Reports the state of each part as the cron found it. Sends no requests to third parties, because it's public. */
export function createHealthService({
  db,
  cronWatch,
  endpoints,
  clock,
  readNeededMigrations,
}: HealthOptions) {
  const jobs = createJobsRepository(db);
  const logUnreadable = (error: unknown) => {
    console.error(JSON.stringify({ event: 'health.unreadable', error: describeError(error) }));
    return null;
  };

  /** Why this version can't use the database, and what to do; null if it can. */
  async function findDatabaseProblem(): Promise<string | null> {
    const applied = await jobs.listMigrations().catch(logUnreadable);
    if (applied === null) return 'The database does not respond, or has no migrations.';
    const { missing, conflict } = compareMigrations(await readNeededMigrations(), applied);
    if (conflict !== null || missing.length === 0) return conflict;
    return `The database lacks ${missing.join(', ')}. "npm run deploy" applies missing migrations.`;
  }

  return {
    findDatabaseProblem,

    async check(): Promise<Health> {
      const problem = await findDatabaseProblem();
      if (problem !== null) {
        return { status: 'down', checks: [{ name: 'database', status: 'down', problem }] };
      }
      const stored = await Promise.all([jobs.readState(clock.now()), cronWatch.lastRun()]).catch(
        logUnreadable,
      );
      if (stored === null) return { status: 'down', checks: [{ name: 'database', status: 'down' }] };
      const [{ failing, late }, ranAt] = stored;
      const outages = failing.filter(({ job }) => job.startsWith(ENDPOINTS)).length;
      const failures = failing.length - outages + late.length;
      const isSilent = ranAt === null || clock.now() - ranAt > CRON_SILENCE_MS;
      const checks: HealthCheck[] = [
        { name: 'database', status: 'ok' },
        { name: 'cron', status: isSilent ? 'down' : okIf(failures === 0) },
        { name: 'chain', status: outages === endpoints ? 'down' : okIf(outages === 0) },
        ...Object.entries(DEPENDENCIES).map(([name, job]) => checkJob(name, failing, job)),
      ];
      return { status: overall(checks), checks };
    },
  };
}

const okIf = (works: boolean) => (works ? 'ok' : 'degraded');

function checkJob(name: string, failing: JobsState['failing'], job: string): HealthCheck {
  return { name, status: okIf(failing.every((failure) => failure.job !== job)) };
}

/** Down if the database or the cron fails. All other parts have a fallback or retry later. */
function overall(checks: readonly HealthCheck[]): Health['status'] {
  const isDown = checks.some(
    ({ name, status }) => status === 'down' && (name === 'database' || name === 'cron'),
  );
  if (isDown) return 'down';
  return okIf(checks.every(({ status }) => status === 'ok'));
}
