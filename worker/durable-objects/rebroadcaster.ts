import { DurableObject } from 'cloudflare:workers';
import type { Bindings } from '../app/env.ts';
import { servicesOf } from '../app/services.ts';
import type { RebroadcastTimer } from '../ports/rebroadcast-timer.ts';

/** Resends pending payments by an alarm. There is one instance. D1 stores the payments and their times. */
export class Rebroadcaster extends DurableObject<Bindings> implements RebroadcastTimer {
  async wakeAt(at: number): Promise<void> {
    const { storage } = this.ctx;
    const set = await storage.getAlarm();
    if (set === null || at < set) await storage.setAlarm(at);
  }

  override async alarm(): Promise<void> {
    const next = await servicesOf(this.env).rebroadcast.run();
    if (next !== null) await this.wakeAt(next);
  }
}
