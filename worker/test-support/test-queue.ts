import type { Services } from '../app/services.ts';
import { deliverNotifications } from '../jobs/notifications.queue.ts';
import type { Clock } from '../ports/clock.ts';

const MAX_BATCH = 100;

interface QueuedMessage {
  readonly id: string;
  readonly body: unknown;
  readonly attempts: number;
  readonly timestamp: Date;
}

/** A queue that a test empties by hand. */
export interface TestQueue {
  /** How many messages came at once, each time. */
  readonly batchSizes: readonly number[];
  readonly bodies: () => unknown[];
  /** Refuses what comes after so many more batches, as a queue that breaks down. */
  failAfter(batches: number): void;
  /** Hands everything to the consumer. What it wants to try again stays; the answer is those delays in seconds (0 without one). */
  deliver(): Promise<number[]>;
  /** Hands any message to the consumer, past the queue. */
  deliverBody(body: unknown): Promise<number[]>;
}

/** The queue with the binding that the product puts messages in. It refuses what a real one refuses. */
export function createTestQueue({ services, clock }: { services: () => Services; clock: Clock }): { queue: TestQueue; binding: Queue } {
  let waiting: QueuedMessage[] = [];
  let batchesLeft = Number.POSITIVE_INFINITY;
  const batchSizes: number[] = [];

  /** Runs the consumer. `createMessageBatch` of the test runtime forgets the delays, hence a batch of our own. */
  async function run(messages: readonly QueuedMessage[]): Promise<Map<string, 'ack' | number>> {
    const fates = new Map<string, 'ack' | number>();
    const decide = (id: string, fate: 'ack' | number) => {
      if (fates.has(id)) throw new Error('The consumer decided about a message twice');
      fates.set(id, fate);
    };
    const batch = {
      queue: 'notifications',
      messages: messages.map((message) => ({
        ...message,
        ack: () => decide(message.id, 'ack'),
        retry: ({ delaySeconds = 0 }: QueueRetryOptions = {}) => decide(message.id, delaySeconds),
      })),
    };
    await deliverNotifications({ batch: batch as unknown as MessageBatch, services: services(), clock });
    if (fates.size !== messages.length) throw new Error('The consumer left messages undecided');
    return fates;
  }
  const enqueue = (body: unknown): QueuedMessage => ({ id: crypto.randomUUID(), body: structuredClone(body), attempts: 1, timestamp: new Date(clock.now()) });
  const delaysOf = (fates: Map<string, 'ack' | number>) => [...fates.values()].filter((fate) => fate !== 'ack');

  const queue: TestQueue = {
    batchSizes,
    bodies: () => waiting.map(({ body }) => body),
    failAfter: (batches) => {
      batchesLeft = batches;
    },
    async deliver() {
      const fates = await run(waiting);
      waiting = waiting.filter(({ id }) => fates.get(id) !== 'ack').map((message) => ({ ...message, attempts: message.attempts + 1 }));
      return delaysOf(fates);
    },
    deliverBody: async (body) => delaysOf(await run([enqueue(body)])),
  };
  const sendBatch = async (messages: Iterable<MessageSendRequest>) => {
    const sent = [...messages];
    batchesLeft -= 1;
    if (batchesLeft < 0 || sent.length > MAX_BATCH) throw new Error('The queue refused the batch');
    batchSizes.push(sent.length);
    waiting.push(...sent.map(({ body }) => enqueue(body)));
  };
  return { queue, binding: { sendBatch } as unknown as Queue };
}
