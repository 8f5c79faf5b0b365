import { ABILITIES, CRON_SILENCE_MS } from '#schema/constants/running.ts';
import type { Health, HealthCheck } from '#schema/contracts/health.ts';
import type { Outage } from '#schema/contracts/status.ts';
import type { Ability } from '#schema/rules/running/outages.ts';
import { ABILITY_TEXTS } from '#schema/rules/text/alarm-texts.ts';
import { compareMigrations } from '#schema/rules/compare-migrations.ts';
import type { Base } from '../../../app/base.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { createJobsRepository } from './jobs.repository.ts';

export interface HealthOptions extends Pick<Base, 'db' | 'clock'> {
  readonly cronWatch: { lastRun(): Promise<number | null> };
  readonly outages: { list(): Promise<readonly Outage[]> };
  /** The names of the migrations that this version needs. */
  readonly readNeededMigrations: () => Promise<readonly string[]>;
}

/** Without one of these, the product is down; without another, it's degraded. */
const VITAL: readonly string[] = ['database', 'cron', 'sign_in', 'payments', 'calls'];

/** Reports what works. Sends no requests to third parties, because it's public. */
export function createHealthService({ db, cronWatch, outages, clock, readNeededMigrations }: HealthOptions) {
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
      const stored = await Promise.all([
        jobs.readState(clock.now()),
        cronWatch.lastRun(),
        outages.list(),
      ]).catch(logUnreadable);
      if (stored === null) return { status: 'down', checks: [{ name: 'database', status: 'down' }] };
      const [{ failing, late }, ranAt, found] = stored;
      const isSilent = ranAt === null || clock.now() - ranAt > CRON_SILENCE_MS;
      const checks: HealthCheck[] = [
        { name: 'database', status: 'ok' },
        { name: 'cron', status: isSilent ? 'down' : okIf(failing.length + late.length === 0) },
        ...ABILITIES.map((name) => checkAbility(name, found)),
      ];
      return { status: overall(checks), checks };
    },
  };
}

const okIf = (works: boolean) => (works ? 'ok' : 'degraded');

function checkAbility(name: Ability, outages: readonly Outage[]): HealthCheck {
  const outage = outages.find(({ ability }) => ability === name);
  if (outage === undefined) return { name, status: 'ok' };
  return {
    name,
    status: 'down',
    problem: `Users can’t ${ABILITY_TEXTS[name]} since ${outage.since}. Operators’ console: why, and what to do.`,
  };
}

function overall(checks: readonly HealthCheck[]): Health['status'] {
  const isDown = checks.some(({ name, status }) => status === 'down' && VITAL.includes(name));
  return isDown ? 'down' : okIf(checks.every(({ status }) => status === 'ok'));
}
