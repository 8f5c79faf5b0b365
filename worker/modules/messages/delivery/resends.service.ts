import { OUTBOX_BATCH_SIZE } from '#schema/constants/messages.ts';
import { OPERATORS_PAGE_SIZE } from '#schema/constants/running.ts';
import type { Base } from '../../../app/base.ts';
import type { Outbox } from '../../../ports/outbox.ts';
import { repeatEvent } from '../facts/repeated-events.ts';
import { createResendsRepository } from './resends.repository.ts';

interface ResendsOptions extends Pick<Base, 'db' | 'env' | 'clock'> {
  readonly outbox: Outbox;
}

export type ResendsService = ReturnType<typeof createResendsService>;
export type FailedEvent = Awaited<ReturnType<ResendsService['listFailed']>>[number];

export function createResendsService({ db, env, outbox, clock }: ResendsOptions) {
  const repository = createResendsRepository(db);
  return {
    listFailed: () => repository.listFailed(OPERATORS_PAGE_SIZE),

    /** Returns the number of events. After a crash, the sender may get an event twice, but reopening is idempotent. */
    async handOver(): Promise<number> {
      const ids = await repository.list(OUTBOX_BATCH_SIZE);
      if (ids.length === 0) return 0;
      await outbox.resend(ids);
      await repository.markAccepted(ids);
      return ids.length;
    },

    /** Edits the messages of a call in channels and groups, because a text of this event was hidden or shown. */
    async renewPosts(eventId: string): Promise<void> {
      const callerId = await repository.findCaller(eventId);
      if (callerId === null) return;
      const event = repeatEvent(eventId, { callerId, part: String(clock.now()) });
      await env.SENDER.getByName('chat').add([event]);
    },
  };
}
