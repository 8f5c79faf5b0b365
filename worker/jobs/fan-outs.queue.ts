import { NOTIFICATION_LIFETIME_MS } from '#schema/constants.ts';
import type { Services } from '../app/services.ts';
import { retryOrGiveUp, type Letter } from '../modules/notifications/letters.ts';
import { fanOutMessageSchema, type FanOutMessage } from '../modules/notifications/notification-message.ts';
import type { Clock } from '../ports/clock.ts';
import { readLetters } from './queue-letters.ts';

/** Makes the messages of each event's next chunk of followers, one chunk after another. */
export async function fanOutEvents({
  batch,
  services,
  clock,
}: {
  batch: MessageBatch;
  services: Services;
  clock: Clock;
}): Promise<void> {
  for (const letter of await readLetters({
    batch,
    queue: 'fan-outs',
    schema: fanOutMessageSchema,
    services,
  })) {
    const isTooOld = clock.now() - letter.since >= NOTIFICATION_LIFETIME_MS;
    const isDone = !isTooOld && (await fanOut({ letter, services }));
    if (isDone) letter.done();
    else await retryOrGiveUp({ letter, now: clock.now(), lifetimeMs: NOTIFICATION_LIFETIME_MS });
  }
}

async function fanOut({
  letter,
  services,
}: {
  letter: Letter<FanOutMessage>;
  services: Services;
}): Promise<boolean> {
  try {
    await services.fanOut.fanOut(letter.body);
    return true;
  } catch (error) {
    console.warn(
      JSON.stringify({
        event: 'fan_out.failed',
        ...letter.body,
        attempts: letter.attempts,
        error: String(error),
      }),
    );
    return false;
  }
}
