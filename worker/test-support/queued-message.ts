import type { Clock } from '../ports/clock.ts';

export const MAX_BATCH = 100;

/** A message as a queue keeps it. */
export interface QueuedMessage {
  readonly id: string;
  readonly body: unknown;
  readonly attempts: number;
  readonly timestamp: Date;
}

/** What the consumer decided: done, or again after so many seconds. */
export type Fate = 'ack' | number;

export function enqueue({ body, clock }: { body: unknown; clock: Clock }): QueuedMessage {
  return {
    id: crypto.randomUUID(),
    body: structuredClone(body),
    attempts: 1,
    timestamp: new Date(clock.now()),
  };
}

/**
 * A batch with what its consumer decides. `createMessageBatch` of the test runtime forgets the delays, hence one of our own:
 * it refuses a second decision about a message, and `readFates` one that is missing.
 */
export function createBatch({ queue, messages }: { queue: string; messages: readonly QueuedMessage[] }): {
  batch: MessageBatch;
  readFates: () => Map<string, Fate>;
} {
  const fates = new Map<string, Fate>();
  const decide = (id: string, fate: Fate) => {
    if (fates.has(id)) throw new Error('The consumer decided about a message twice');
    fates.set(id, fate);
  };
  const batch = {
    queue,
    messages: messages.map((message) => ({
      ...message,
      ack: () => decide(message.id, 'ack'),
      retry: ({ delaySeconds = 0 }: QueueRetryOptions = {}) => decide(message.id, delaySeconds),
    })),
    ackAll: () => messages.forEach(({ id }) => decide(id, 'ack')),
  };
  const readFates = () => {
    if (fates.size !== messages.length) throw new Error('The consumer left messages undecided');
    return fates;
  };
  return { batch: batch as unknown as MessageBatch, readFates };
}
