import { NOTICE_LIFETIME_MS, NOTIFICATION_LIFETIME_MS } from '#schema/constants.ts';
import type { Services } from '../app/services.ts';
import { notificationMessageSchema, type DeliveryOutcome, type NotificationMessage } from '../modules/notifications/notification-message.ts';
import type { Clock } from '../ports/clock.ts';

const FIRST_RETRY_SECONDS = 10;
const MAX_RETRY_SECONDS = 900;

/**
 * Delivers what the queue holds, one after another; each message is acknowledged or tried again by itself. A rate limit
 * is the bot's and no recipient's: it ends the run, and what is left of the batch waits as long as Telegram says.
 */
export async function deliverNotifications({ batch, services, clock }: { batch: MessageBatch; services: Services; clock: Clock }): Promise<void> {
  for (const [index, message] of batch.messages.entries()) {
    const parsed = notificationMessageSchema.safeParse(message.body);
    if (!parsed.success) {
      console.error(JSON.stringify({ event: 'notification.unreadable', id: message.id }));
      message.ack();
      continue;
    }
    const outcome = await deliver({ services, message, body: parsed.data });
    if (outcome.status === 'done') {
      message.ack();
      continue;
    }
    const ageMs = clock.now() - message.timestamp.getTime();
    if (ageMs < lifetimeOf(parsed.data)) message.retry({ delaySeconds: outcome.delaySeconds });
    else {
      console.error(JSON.stringify({ event: 'notification.dropped', ...parsed.data, attempts: message.attempts, ageMs }));
      message.ack();
    }
    if (outcome.status === 'rate_limited') {
      const rest = batch.messages.slice(index + 1);
      console.warn(JSON.stringify({ event: 'notification.rate_limited', delaySeconds: outcome.delaySeconds, waiting: rest.length }));
      for (const next of rest) next.retry({ delaySeconds: outcome.delaySeconds });
      return;
    }
  }
}

async function deliver({ services, message, body }: { services: Services; message: Message; body: NotificationMessage }): Promise<DeliveryOutcome> {
  try {
    return await services.deliveries.deliver(body);
  } catch (error) {
    console.warn(JSON.stringify({ event: 'notification.failed', ...body, attempts: message.attempts, error: String(error) }));
    return { status: 'retry', delaySeconds: retryDelay(message.attempts) };
  }
}

/** How long a message that fails is tried again. */
function lifetimeOf({ kind }: NotificationMessage): number {
  return kind === 'call_update' ? NOTIFICATION_LIFETIME_MS : NOTICE_LIFETIME_MS;
}

/** Twice as long each time, so that the platform's hundred attempts outlast a message's lifetime by far. */
function retryDelay(attempts: number): number {
  return Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), MAX_RETRY_SECONDS);
}
