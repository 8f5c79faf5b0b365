import type { z } from 'zod';
import { SECOND_MS } from '#schema/constants.ts';
import { withTimeout } from '../shared/with-timeout.ts';
import type { Services } from '../app/services.ts';
import type { Letter } from '../modules/notifications/letters.ts';

/** The longest that the platform lets a message wait. */
const MAX_DELAY_SECONDS = 43_200;
/** From here on a retry is a fresh copy: the platform ends a message after its hundred attempts, however young it is. The other half is for a queue that takes no copies. */
const COPIED_FROM_ATTEMPTS = 50;
const COPY_TIMEOUT_MS = 2 * SECOND_MS;

type QueueName = keyof Services['queues'];
interface Copied {
  readonly since?: number | undefined;
}
interface Handed {
  readonly queue: QueueName;
  readonly services: Services;
}

/** A batch as letters. What cannot be read is put among the dead letters at once: no other attempt reads it better. */
export async function readLetters<Body extends Copied>({
  batch,
  queue,
  schema,
  services,
}: Handed & { batch: MessageBatch; schema: z.ZodType<Body> }): Promise<Letter<Body>[]> {
  const read = batch.messages.map((message) => ({ message, parsed: schema.safeParse(message.body) }));
  const unreadable = read.flatMap(({ message, parsed }) => (parsed.success ? [] : [message]));
  if (unreadable.length > 0) await giveUpUnreadable({ queue, messages: unreadable, services });
  return read.flatMap(({ message, parsed }) =>
    parsed.success ? [letterOf({ queue, message, body: parsed.data, services })] : [],
  );
}

function letterOf<Body extends Copied>({
  queue,
  message,
  body,
  services,
}: Handed & { message: Message; body: Body }): Letter<Body> {
  const since = body.since ?? message.timestamp.getTime();
  return {
    body,
    // Of a copy at least: so pauses do not begin anew with it.
    attempts: message.attempts + (body.since === undefined ? 0 : COPIED_FROM_ATTEMPTS),
    since,
    done: () => message.ack(),
    async retry(seconds) {
      const delaySeconds = Math.min(seconds, MAX_DELAY_SECONDS);
      if (message.attempts < COPIED_FROM_ATTEMPTS) return message.retry({ delaySeconds });
      try {
        await withTimeout(
          services.queues[queue].sendBatch([{ body: { ...body, since }, delaySeconds }]),
          COPY_TIMEOUT_MS,
        );
      } catch (error) {
        console.warn(
          JSON.stringify({
            event: 'notification.not_copied',
            id: message.id,
            queue,
            attempts: message.attempts,
            error: String(error),
          }),
        );
        return message.retry({ delaySeconds });
      }
      message.ack();
    },
    async giveUp() {
      await services.deadLetters.keep({
        letters: [{ id: message.id, queue, body: message.body, attempts: message.attempts }],
        reason: 'too_old',
      });
      console.error(
        JSON.stringify({
          event: 'notification.dropped',
          id: message.id,
          queue,
          ...body,
          attempts: message.attempts,
        }),
      );
      message.ack();
    },
  };
}

async function giveUpUnreadable({
  queue,
  messages,
  services,
}: Handed & { messages: readonly Message[] }): Promise<void> {
  try {
    await services.deadLetters.keep({
      letters: messages.map(({ id, body, attempts }) => ({ id, queue, body, attempts })),
      reason: 'unreadable',
    });
    for (const { id } of messages) {
      console.error(JSON.stringify({ event: 'notification.unreadable', id, queue }));
    }
    for (const message of messages) message.ack();
  } catch (error) {
    console.warn(JSON.stringify({ event: 'notification.kept_trying', queue, error: String(error) }));
    for (const message of messages) message.retry();
  }
}
