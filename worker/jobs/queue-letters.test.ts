import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Services } from '../app/services.ts';
import { notificationMessageSchema } from '../modules/notifications/notification-message.ts';
import { createBatch } from '../test-support/queued-message.ts';
import { readLetters } from './queue-letters.ts';

const PUT_AT = 1_780_000_000_000;
const BODY = { kind: 'call_event', eventId: 'event', userId: 'somebody' };

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Tries a message again that was handed over so often. Gives what the platform is told of it, and what was put into its queue. */
async function retry({
  attempts,
  body = BODY,
  sendBatch,
}: {
  attempts: number;
  body?: object;
  sendBatch?: () => Promise<never>;
}) {
  const copies: unknown[] = [];
  const keep = async (messages: readonly unknown[]) => void copies.push(...messages);
  const queues = { notifications: { sendBatch: sendBatch ?? keep } };
  const { batch, readFates } = createBatch({
    queue: 'notifications',
    messages: [{ id: 'message', body, attempts, timestamp: new Date(PUT_AT) }],
  });
  const [letter] = await readLetters({
    batch,
    queue: 'notifications',
    schema: notificationMessageSchema,
    services: { queues } as unknown as Services,
  });
  const done = letter?.retry(30);
  if (vi.isFakeTimers()) await vi.runAllTimersAsync();
  await done;
  return { letter, copies, fate: readFates().get('message') };
}

it('is an ordinary one 49 times', async () => {
  expect(await retry({ attempts: 49 })).toMatchObject({
    fate: 30,
    copies: [],
    letter: { attempts: 49, since: PUT_AT },
  });
});

it('is a fresh copy from the fiftieth on, which knows since when it is tried', async () => {
  const copied = [{ body: { ...BODY, since: PUT_AT }, delaySeconds: 30 }];
  expect(await retry({ attempts: 50 })).toMatchObject({ fate: 'ack', copies: copied });
  expect(await retry({ attempts: 60, body: { ...BODY, since: PUT_AT - 5 } })).toMatchObject({
    fate: 'ack',
    copies: [{ body: { ...BODY, since: PUT_AT - 5 } }],
  });
});

it('of a copy goes on where its original stopped: it is as old, and waits as long', async () => {
  expect(await retry({ attempts: 1, body: { ...BODY, since: PUT_AT - 5 } })).toMatchObject({
    fate: 30,
    copies: [],
    letter: { attempts: 51, since: PUT_AT - 5 },
  });
});

it.each([
  ['refuses', () => Promise.reject(new Error('The queue refuses'))],
  ['does not answer', () => new Promise<never>(() => undefined)],
])('is an ordinary one where the queue %s', async (_how, sendBatch) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  expect(await retry({ attempts: 50, sendBatch })).toMatchObject({ fate: 30 });
});
