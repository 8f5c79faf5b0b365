import type { Services } from '../app/services.ts';
import { notificationMessageSchema } from '../modules/notifications/notification-message.ts';
import { readLetters } from './queue-letters.ts';

/** Delivers what a queue of messages to people holds, at that queue's pace; each is acknowledged or tried again by itself. */
export async function deliverNotifications({
  batch,
  queue,
  services,
}: {
  batch: MessageBatch;
  queue: 'notifications' | 'notices';
  services: Services;
}): Promise<void> {
  await services.deliveries.deliver({
    queue,
    letters: await readLetters({ batch, queue, schema: notificationMessageSchema, services }),
  });
}
