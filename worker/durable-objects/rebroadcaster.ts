import { DurableObject } from 'cloudflare:workers';
import { JOIN_TIMER_NAME, type Bindings } from '../app/env.ts';
import { servicesOf } from '../app/services.ts';
import type { Timer } from '../ports/timer.ts';

/**
 * Runs work by an alarm. One instance resends pending payments, the other retries requests to join callers' chats. D1 stores
 * what is due.
 */
export class Rebroadcaster extends DurableObject<Bindings> implements Timer {
  async wakeAt(at: number): Promise<void> {
    const { storage, id } = this.ctx;
    // An alarm that starts the object doesn't know its name.
    storage.kv.put('name', id.name);
    const set = await storage.getAlarm();
    if (set === null || at < set) await storage.setAlarm(at);
  }

  override async alarm(): Promise<void> {
    const services = servicesOf(this.env);
    if (this.ctx.storage.kv.get('name') === JOIN_TIMER_NAME) {
      return void (await services.chatAccess.checkDue());
    }
    const next = await services.rebroadcast.run();
    if (next !== null) await this.wakeAt(next);
  }
}
