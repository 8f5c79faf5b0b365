import type { Services } from '../app/services.ts';
import { notificationMessageSchema } from '../modules/notifications/notification-message.ts';

const FIRST_RETRY_SECONDS = 10;
const MAX_RETRY_SECONDS = 900;

/** Delivers what the queue holds, one after another; each message is acknowledged or tried again by itself. */
export async function deliverNotifications(batch: MessageBatch, services: Services): Promise<void> {
  for (const message of batch.messages) {
    const parsed = notificationMessageSchema.safeParse(message.body);
    if (!parsed.success) {
      console.error(JSON.stringify({ event: 'notification.unreadable', id: message.id }));
      message.ack();
      continue;
    }
    try {
      const outcome = await services.callUpdates.deliver(parsed.data);
      if (outcome.status === 'done') message.ack();
      else message.retry({ delaySeconds: outcome.delaySeconds });
    } catch (error) {
      console.warn(JSON.stringify({ event: 'notification.failed', eventId: parsed.data.eventId, attempts: message.attempts, error: String(error) }));
      message.retry({ delaySeconds: retryDelay(message.attempts) });
    }
  }
}

/** Twice as long each time, so that ten attempts outlast an outage of an hour. */
function retryDelay(attempts: number): number {
  return Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), MAX_RETRY_SECONDS);
}
