import { DurableObject } from 'cloudflare:workers';
import { CRON_REMINDER_MS, CRON_SILENCE_MS } from '#schema/constants/running.ts';
import type { Bindings, CronRuns } from '../app/env.ts';
import { servicesOf } from '../app/services.ts';
import { runJob, type JobOutcome } from '../jobs/every-minute.cron.ts';
import type { DueJob } from '../modules/running/health/jobs.repository.ts';
import { createOutageWatch } from '../modules/running/outages/outage-watch.ts';
import type { KeptAlarm, KnownOutage, OutageReport } from '../ports/outages.ts';

const MAX_KEPT_ALARMS = 20;

/**
 * Raises an alarm if the cron stops, and when users can't do something: its storage doesn't depend on the database. It
 * also runs the cron's jobs, because each request to a Durable Object has limits of its own. There is one instance.
 */
export class CronWatch extends DurableObject<Bindings> implements CronRuns {
  readonly #outages = createOutageWatch({
    store: this.ctx.storage,
    raise: (alarm) => servicesOf(this.env).alarm(alarm),
  });

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

  report(report: OutageReport): Promise<readonly KnownOutage[]> {
    return this.#outages.report(report);
  }

  listOutages(): Promise<readonly KnownOutage[]> {
    return this.#outages.listOutages();
  }

  async keepAlarm(alarm: KeptAlarm): Promise<void> {
    const kept = await this.listAlarms();
    await this.ctx.storage.put('alarms', [alarm, ...kept].slice(0, MAX_KEPT_ALARMS));
  }

  async listAlarms(): Promise<readonly KeptAlarm[]> {
    return (await this.ctx.storage.get<KeptAlarm[]>('alarms')) ?? [];
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + CRON_REMINDER_MS);
    await servicesOf(this.env).alarm({ kind: 'cron.silent', details: {} });
  }
}
