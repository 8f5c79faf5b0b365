import type { Services } from '../app/services.ts';
import type { Clock } from '../ports/clock.ts';
import { buryDeadLetters } from './dead-letters.queue.ts';
import { fanOutEvents } from './fan-outs.queue.ts';
import { deliverNotifications } from './notifications.queue.ts';

/** Hands a batch to whom its queue (of `wrangler.toml`) is for. What throws is handed over again by the platform. */
export function runQueue({
  batch,
  services,
  clock,
}: {
  batch: MessageBatch;
  services: Services;
  clock: Clock;
}): Promise<void> {
  switch (batch.queue) {
    case 'fan-outs':
      return fanOutEvents({ batch, services, clock });
    case 'notifications':
    case 'notices':
      return deliverNotifications({ batch, queue: batch.queue, services });
    case 'notifications-dead':
      return buryDeadLetters({ batch, services });
    default:
      throw new Error(`Nobody takes what comes from the queue ${batch.queue}`);
  }
}
