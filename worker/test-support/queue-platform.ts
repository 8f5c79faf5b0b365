import type { Bindings } from '../app/env.ts';
import { createBatch, enqueue, MAX_BATCH, type QueuedMessage } from './queued-message.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** The queues and what `wrangler.toml` says of them. */
const QUEUES = {
  'fan-outs': { size: 10, timeoutMs: 0 },
  notifications: { size: 100, timeoutMs: 1_000 },
  notices: { size: 10, timeoutMs: 1_000 },
} as const;
type QueueName = keyof typeof QUEUES;

/** What the platform hands over at most; then it takes a message to the dead queue. */
const MAX_HANDED_OVER = 101;
/** How long the platform takes to hand a message that was acknowledged over once more. */
const REDELIVERED_WITHIN_MS = 30_000;

interface Waiting {
  readonly message: QueuedMessage;
  readonly readyAt: number;
}

export interface QueuePlatformOptions {
  readonly clock: VirtualClock;
  /** Which share of all batches is handed over again after it was acknowledged. */
  readonly redeliveredShare: number;
  readonly random: () => number;
  /** The consumer of each queue, which has one at a time. Where it throws, all of the batch is handed over again. */
  readonly consume: (batch: MessageBatch) => Promise<void>;
}

/** Queues as the platform runs them, at a virtual clock. */
export function createQueuePlatform({ clock, redeliveredShare, random, consume }: QueuePlatformOptions) {
  const waiting: Record<QueueName, Waiting[]> = { 'fan-outs': [], notifications: [], notices: [] };
  const figures = { batches: 0, redelivered: 0, died: 0, dead: 0 };
  let consuming = 0;
  let announceChange = () => undefined as void;
  let change = new Promise<void>((resolve) => (announceChange = resolve));

  const put = (name: QueueName, messages: readonly QueuedMessage[], delayMs = 0) => {
    const readyAt = clock.now() + delayMs;
    waiting[name].push(...messages.map((message) => ({ message, readyAt })));
    waiting[name].sort((one, other) => one.readyAt - other.readyAt);
    announceChange();
    change = new Promise((resolve) => (announceChange = resolve));
  };
  const again = (message: QueuedMessage): QueuedMessage => ({ ...message, attempts: message.attempts + 1 });
  const readyCount = (name: QueueName) =>
    waiting[name].filter(({ readyAt }) => readyAt <= clock.now()).length;
  const isOver = () => consuming === 0 && Object.values(waiting).every((messages) => messages.length === 0);

  const handOver = async (name: QueueName) => {
    const messages = waiting[name]
      .splice(0, Math.min(QUEUES[name].size, readyCount(name)))
      .map(({ message }) => message);
    const { batch, readFates } = createBatch({ queue: name, messages });
    figures.batches += 1;
    consuming += 1;
    try {
      await consume(batch);
      const fates = readFates();
      const acknowledged = messages.filter(({ id }) => fates.get(id) === 'ack');
      for (const message of messages) {
        const fate = fates.get(message.id);
        if (typeof fate !== 'number') continue;
        if (message.attempts >= MAX_HANDED_OVER) figures.dead += 1;
        else put(name, [again(message)], fate * 1_000);
      }
      if (random() < redeliveredShare) {
        figures.redelivered += 1;
        put(name, acknowledged.map(again), random() * REDELIVERED_WITHIN_MS);
      }
    } catch {
      figures.died += 1;
      put(name, messages.map(again));
    } finally {
      consuming -= 1;
    }
  };

  /** Waits for a batch: as many messages as it takes, or those that have come when the first has waited long enough. */
  const work = async (name: QueueName): Promise<void> => {
    const { size, timeoutMs } = QUEUES[name];
    let deadline: number | null = null;
    while (!isOver()) {
      const ready = readyCount(name);
      deadline = ready === 0 ? null : (deadline ?? clock.now() + timeoutMs);
      if (ready >= size || (deadline !== null && clock.now() >= deadline)) {
        deadline = null;
        await handOver(name);
        continue;
      }
      const nextReady =
        waiting[name].find(({ readyAt }) => readyAt > clock.now())?.readyAt ?? Number.POSITIVE_INFINITY;
      const until = Math.min(deadline ?? Number.POSITIVE_INFINITY, nextReady);
      await Promise.race([
        change,
        ...(until === Number.POSITIVE_INFINITY ? [] : [clock.sleep(until - clock.now())]),
      ]);
    }
    announceChange();
  };

  const bindingOf = (name: QueueName) => {
    const sendBatch = async (messages: Iterable<MessageSendRequest>) => {
      const sent = [...messages];
      if (sent.length > MAX_BATCH) throw new Error('The queue refused the batch');
      for (const { body, delaySeconds = 0 } of sent) {
        put(name, [enqueue({ body, clock })], delaySeconds * 1_000);
      }
    };
    return { sendBatch } as unknown as Queue;
  };
  const bindings: Pick<Bindings, 'FAN_OUTS' | 'NOTIFICATIONS' | 'NOTICES'> = {
    FAN_OUTS: bindingOf('fan-outs'),
    NOTIFICATIONS: bindingOf('notifications'),
    NOTICES: bindingOf('notices'),
  };

  return {
    bindings,
    figures,
    /** Hands over until every queue is empty. */
    run: () => clock.run(Promise.all(Object.keys(QUEUES).map((name) => work(name as QueueName)))),
  };
}
