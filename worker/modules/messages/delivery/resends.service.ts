import { OUTBOX_BATCH_SIZE } from '#schema/constants/messages.ts';
import type { Base } from '../../../app/base.ts';
import { SENDER_NAME } from '../../../app/env.ts';
import type { Outbox } from '../../../ports/outbox.ts';
import { repeatedEventId } from '../../market/calls/call-event-ids.ts';
import { createResendsRepository } from './resends.repository.ts';

interface ResendsOptions extends Pick<Base, 'db' | 'env' | 'clock'> {
  readonly outbox: Pick<Outbox, 'resend'>;
}

export type ResendsService = ReturnType<typeof createResendsService>;

export function createResendsService({ db, env, outbox, clock }: ResendsOptions) {
  const repository = createResendsRepository(db);
  return {
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
      const event = { kind: 'call_event', id: repeatedEventId(eventId, String(clock.now())) } as const;
      await env.CHAT_SENDER.getByName(SENDER_NAME).add([event]);
    },
  };
}
