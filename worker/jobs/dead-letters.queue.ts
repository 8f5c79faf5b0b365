import type { Services } from '../app/services.ts';

/** Keeps what the other queues gave up after their last attempt. */
export async function buryDeadLetters({
  batch,
  services,
}: {
  batch: MessageBatch;
  services: Services;
}): Promise<void> {
  await services.deadLetters.bury(
    batch.messages.map(({ id, body, attempts }) => ({ id, queue: batch.queue, body, attempts })),
  );
  batch.ackAll();
}
