import { DurableObject } from 'cloudflare:workers';
import { CRON_REMINDER_MS, CRON_SILENCE_MS, MINUTE_MS } from '#schema/constants.ts';
import type { Bindings } from '../app/env.ts';
import { servicesOf } from '../app/services.ts';

/** Raises an alarm if the cron stops: each run of the cron postpones the alarm. There is one instance. */
export class CronWatch extends DurableObject<Bindings> {
  async cronRan(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + CRON_SILENCE_MS);
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + CRON_REMINDER_MS);
    await servicesOf(this.env).alarm({
      kind: 'cron.silent',
      details: { minutes: CRON_SILENCE_MS / MINUTE_MS },
    });
  }
}
