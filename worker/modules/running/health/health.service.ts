import { CRON_SILENCE_MS } from '#schema/constants.ts';
import type { Health, HealthCheck } from '#schema/contracts/health.ts';
import type { Clock } from '../../../ports/clock.ts';
import { describeError } from '../../../shared/describe-error.ts';
import type { JobRunsRepository } from './job-runs.repository.ts';
import type { EndpointOutagesRepository } from '../../money/payments/endpoint-outages.repository.ts';

type LastRun = Awaited<ReturnType<JobRunsRepository['list']>>[number];

export interface HealthOptions {
  readonly runs: JobRunsRepository;
  readonly outages: Pick<EndpointOutagesRepository, 'listEndpoints'>;
  /** The number of RPC endpoints. Payments work while one responds. */
  readonly endpoints: number;
  readonly clock: Clock;
}

/** The dependencies that jobs use, and the job that fails when the dependency does. */
const DEPENDENCIES = { prices: 'prices.refresh', notifications: 'sender.wake' } as const;

/** Reports the state of each part from the cron's records. Sends no requests to third parties, because it's public. */
export function createHealthService({ runs, outages, endpoints, clock }: HealthOptions) {
  return {
    async check(): Promise<Health> {
      const stored = await Promise.all([runs.list(), outages.listEndpoints()]).catch((error: unknown) => {
        console.error(JSON.stringify({ event: 'health.unreadable', error: describeError(error) }));
        return null;
      });
      if (stored === null) return { status: 'down', checks: [{ name: 'database', status: 'down' }] };
      const [jobs, failing] = stored;
      const checks: HealthCheck[] = [
        { name: 'database', status: 'ok' },
        checkCron(jobs, clock.now()),
        { name: 'chain', status: failing.length === endpoints ? 'down' : okIf(failing.length === 0) },
        ...Object.entries(DEPENDENCIES).map(([name, job]) => checkJob(name, jobs, job)),
      ];
      return { status: overall(checks), checks };
    },
  };
}

const okIf = (works: boolean) => (works ? 'ok' : 'degraded');

function checkCron(jobs: readonly LastRun[], now: number): HealthCheck {
  const last = Math.max(0, ...jobs.map(({ startedAt }) => startedAt));
  return { name: 'cron', status: now - last > CRON_SILENCE_MS ? 'down' : okIf(jobs.every(hasSucceeded)) };
}

function checkJob(name: string, jobs: readonly LastRun[], job: string): HealthCheck {
  const last = jobs.find((run) => run.job === job);
  return { name, status: okIf(last === undefined || hasSucceeded(last)) };
}

const hasSucceeded = ({ error }: LastRun) => error === null;

/** Down if the database or the cron fails. All other parts have a fallback or retry later. */
function overall(checks: readonly HealthCheck[]): Health['status'] {
  const isDown = checks.some(
    ({ name, status }) => status === 'down' && (name === 'database' || name === 'cron'),
  );
  if (isDown) return 'down';
  return okIf(checks.every(({ status }) => status === 'ok'));
}
