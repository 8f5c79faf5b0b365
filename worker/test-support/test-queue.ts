import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import type { Services } from '../app/services.ts';
import { deliverNotifications } from '../jobs/notifications.queue.ts';

const MAX_BATCH = 100;

interface QueuedMessage {
  readonly id: string;
  readonly body: unknown;
  readonly attempts: number;
}

/** A queue that a test empties by hand. */
export interface TestQueue {
  /** How many messages came at once, each time. */
  readonly batchSizes: readonly number[];
  readonly bodies: () => unknown[];
  /** Refuses what comes from now on, as a queue that is down. */
  fail(): void;
  /** Hands everything to the consumer. What it wants to try again stays; the answer is those delays in seconds (0 without one). */
  deliver(): Promise<number[]>;
  /** Hands any message to the consumer, past the queue. */
  deliverBody(body: unknown): Promise<number[]>;
}

/** The queue with the binding that the product puts messages in. It refuses what a real one refuses. */
export function createTestQueue(services: () => Services): { queue: TestQueue; binding: Queue } {
  let waiting: QueuedMessage[] = [];
  let isDown = false;
  const batchSizes: number[] = [];

  async function run(messages: readonly QueuedMessage[]): Promise<{ acked: string[]; retries: { msgId: string; delaySeconds?: number }[] }> {
    const batch = createMessageBatch('notifications', messages.map((message) => ({ ...message, timestamp: new Date(0) })));
    const context = createExecutionContext();
    await deliverNotifications(batch, services());
    const { explicitAcks, retryMessages } = await getQueueResult(batch, context);
    return { acked: explicitAcks, retries: retryMessages };
  }

  const queue: TestQueue = {
    batchSizes,
    bodies: () => waiting.map(({ body }) => body),
    fail: () => {
      isDown = true;
    },
    async deliver() {
      const messages = waiting;
      const { acked, retries } = await run(messages);
      waiting = messages.filter(({ id }) => !acked.includes(id)).map((message) => ({ ...message, attempts: message.attempts + 1 }));
      return retries.map(({ delaySeconds = 0 }) => delaySeconds);
    },
    async deliverBody(body) {
      const { retries } = await run([{ id: crypto.randomUUID(), body, attempts: 1 }]);
      return retries.map(({ delaySeconds = 0 }) => delaySeconds);
    },
  };
  const sendBatch = async (messages: Iterable<MessageSendRequest>) => {
    const sent = [...messages];
    if (isDown || sent.length > MAX_BATCH) throw new Error('The queue refused the batch');
    batchSizes.push(sent.length);
    waiting.push(...sent.map(({ body }) => ({ id: crypto.randomUUID(), body: structuredClone(body), attempts: 1 })));
  };
  return { queue, binding: { sendBatch } as unknown as Queue };
}
