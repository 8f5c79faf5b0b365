import { DurableObject } from 'cloudflare:workers';
import { CRON_REMINDER_MS, CRON_SILENCE_MS } from '#schema/constants/running.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { Bindings, CronRuns } from '../app/env.ts';
import { servicesOf } from '../app/services.ts';
import { runJob, type JobOutcome } from '../jobs/every-minute.cron.ts';
import type { DueJob } from '../modules/running/health/jobs.repository.ts';

/**
 * Raises an alarm if the cron stops: each run of the cron postpones the alarm. It also runs the cron's jobs: each
 * request to a Durable Object has limits of its own. There is one instance.
 */
export class CronWatch extends DurableObject<Bindings> implements CronRuns {
  async cronRan(): Promise<void> {
    const { storage } = this.ctx;
    const now = Date.now();
    await Promise.all([storage.put('ranAt', now), storage.setAlarm(now + CRON_SILENCE_MS)]);
  }

  async lastRun(): Promise<number | null> {
    return (await this.ctx.storage.get<number>('ranAt')) ?? null;
  }

  runJob(due: DueJob): Promise<JobOutcome> {
    return runJob(servicesOf(this.env), due);
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + CRON_REMINDER_MS);
    await servicesOf(this.env).alarm({
      kind: 'cron.silent',
      details: { minutes: CRON_SILENCE_MS / MINUTE_MS },
    });
  }
}
