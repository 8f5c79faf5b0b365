import type { Bindings } from '../app/env.ts';
import type { Services } from '../app/services.ts';
import { runQueue } from '../jobs/run-queue.ts';
import type { Clock } from '../ports/clock.ts';
import { createBatch, enqueue, MAX_BATCH, type Fate, type QueuedMessage } from './queued-message.ts';

const PEOPLE = ['notices', 'notifications'] as const;
type QueueName = (typeof PEOPLE)[number] | 'fan-outs';

/** The queues of the product, which a test empties by hand. */
export interface TestQueue {
  /** How many messages to people came at once, each time. */
  readonly batchSizes: readonly number[];
  /** The messages to people that wait, of one of their queues or of both. */
  readonly bodies: (queue?: (typeof PEOPLE)[number]) => unknown[];
  /** How many chunks of fan-outs wait. */
  readonly fanOuts: () => unknown[];
  /** Refuses what comes after so many more batches, as queues that break down. */
  failAfter(batches: number): void;
  /** Neither takes nor refuses what comes, until `failAfter` says otherwise. */
  hang(): void;
  /** Forgets what waits. */
  lose(): void;
  /** Hands over fan-outs until none is left but those that are tried again. The answer is their delays in seconds. */
  fanOut(): Promise<number[]>;
  /** Fans out, and hands every message to a person over. What is tried again stays; the answer is those delays in seconds (0 without one). */
  deliver(): Promise<number[]>;
  /** Hands any message to the consumer of a queue, past the queue. */
  deliverBody(body: unknown, queue?: QueueName | 'notifications-dead'): Promise<number[]>;
}

/** The queues with the bindings that the product puts messages in. They refuse what real ones refuse. */
export function createTestQueue({ services, clock }: { services: () => Services; clock: Clock }): {
  queue: TestQueue;
  bindings: Pick<Bindings, 'FAN_OUTS' | 'NOTIFICATIONS' | 'NOTICES'>;
} {
  const waiting: Record<QueueName, QueuedMessage[]> = { 'fan-outs': [], notices: [], notifications: [] };
  let batchesLeft = Number.POSITIVE_INFINITY;
  let isHanging = false;
  const batchSizes: number[] = [];

  const run = async (queue: string, messages: readonly QueuedMessage[]): Promise<Map<string, Fate>> => {
    const { batch, readFates } = createBatch({ queue, messages });
    await runQueue({ batch, services: services(), clock });
    return readFates();
  };
  const delaysOf = (fates: Map<string, Fate>) => [...fates.values()].filter((fate) => fate !== 'ack');
  /** Hands over what waits now. */
  const empty = async (queue: QueueName): Promise<number[]> => {
    const delays: number[] = [];
    const messages = waiting[queue].splice(0);
    for (let at = 0; at < messages.length; at += MAX_BATCH) {
      const batch = messages.slice(at, at + MAX_BATCH);
      const fates = await run(queue, batch);
      delays.push(...delaysOf(fates));
      waiting[queue].push(
        ...batch
          .filter(({ id }) => fates.get(id) !== 'ack')
          .map((message) => ({ ...message, attempts: message.attempts + 1 })),
      );
    }
    return delays;
  };

  const queue: TestQueue = {
    batchSizes,
    bodies: (queue) => (queue ? [queue] : PEOPLE).flatMap((name) => waiting[name].map(({ body }) => body)),
    fanOuts: () => waiting['fan-outs'].map(({ body }) => body),
    failAfter: (batches) => {
      batchesLeft = batches;
      isHanging = false;
    },
    hang: () => {
      isHanging = true;
    },
    lose: () => Object.values(waiting).forEach((messages) => messages.splice(0)),
    async fanOut() {
      let delays: number[] = [];
      while (waiting['fan-outs'].length > delays.length) delays = await empty('fan-outs');
      return delays;
    },
    async deliver() {
      const delays = await queue.fanOut();
      for (const name of PEOPLE) delays.push(...(await empty(name)));
      return delays;
    },
    deliverBody: async (body, name = 'notifications') =>
      delaysOf(await run(name, [enqueue({ body, clock })])),
  };
  const bindingOf = (name: QueueName) => {
    const sendBatch = async (messages: Iterable<MessageSendRequest>) => {
      if (isHanging) await new Promise(() => undefined);
      const sent = [...messages];
      batchesLeft -= 1;
      if (batchesLeft < 0 || sent.length > MAX_BATCH) throw new Error('The queue refused the batch');
      if (name !== 'fan-outs') batchSizes.push(sent.length);
      waiting[name].push(...sent.map(({ body }) => enqueue({ body, clock })));
    };
    return { sendBatch } as unknown as Queue;
  };
  return {
    queue,
    bindings: {
      FAN_OUTS: bindingOf('fan-outs'),
      NOTIFICATIONS: bindingOf('notifications'),
      NOTICES: bindingOf('notices'),
    },
  };
}
