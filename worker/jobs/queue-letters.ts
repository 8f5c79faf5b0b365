import type { z } from 'zod';
import type { Services } from '../app/services.ts';
import type { Letter } from '../modules/notifications/letters.ts';

/** The longest that the platform lets a message wait. */
const MAX_DELAY_SECONDS = 43_200;

/** A batch as letters. What cannot be read is put among the dead letters at once: no other attempt reads it better. */
export async function readLetters<Body>({ batch, schema, services }: { batch: MessageBatch; schema: z.ZodType<Body>; services: Services }): Promise<Letter<Body>[]> {
  const read = batch.messages.map((message) => ({ message, parsed: schema.safeParse(message.body) }));
  const unreadable = read.flatMap(({ message, parsed }) => (parsed.success ? [] : [message]));
  if (unreadable.length > 0) await giveUpUnreadable({ queue: batch.queue, messages: unreadable, services });
  return read.flatMap(({ message, parsed }) => (parsed.success ? [letterOf({ queue: batch.queue, message, body: parsed.data, services })] : []));
}

function letterOf<Body>({ queue, message, body, services }: { queue: string; message: Message; body: Body; services: Services }): Letter<Body> {
  return {
    body,
    attempts: message.attempts,
    sentAt: message.timestamp.getTime(),
    done: () => message.ack(),
    retry: (delaySeconds) => message.retry({ delaySeconds: Math.min(delaySeconds, MAX_DELAY_SECONDS) }),
    async giveUp() {
      await services.deadLetters.keep({ letters: [{ id: message.id, queue, body: message.body, attempts: message.attempts }], reason: 'too_old' });
      console.error(JSON.stringify({ event: 'notification.dropped', id: message.id, queue, ...body, attempts: message.attempts }));
      message.ack();
    },
  };
}

async function giveUpUnreadable({ queue, messages, services }: { queue: string; messages: readonly Message[]; services: Services }): Promise<void> {
  try {
    await services.deadLetters.keep({ letters: messages.map(({ id, body, attempts }) => ({ id, queue, body, attempts })), reason: 'unreadable' });
    for (const { id } of messages) console.error(JSON.stringify({ event: 'notification.unreadable', id, queue }));
    for (const message of messages) message.ack();
  } catch (error) {
    console.warn(JSON.stringify({ event: 'notification.kept_trying', queue, error: String(error) }));
    for (const message of messages) message.retry();
  }
}
