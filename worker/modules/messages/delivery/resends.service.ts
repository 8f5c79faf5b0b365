import { OUTBOX_BATCH_SIZE } from '#schema/constants.ts';
import type { Outbox } from '../../../ports/outbox.ts';
import type { ResendsRepository } from './resends.repository.ts';

interface ResendsOptions {
  readonly repository: ResendsRepository;
  readonly outbox: Pick<Outbox, 'resend'>;
}

export type ResendsService = ReturnType<typeof createResendsService>;

/** Tells the sender which events to send again, at the request of operators. */
export function createResendsService({ repository, outbox }: ResendsOptions) {
  return {
    /** Returns the number of events. After a crash, the sender may get an event twice, but reopening is idempotent. */
    async handOver(): Promise<number> {
      const ids = await repository.list(OUTBOX_BATCH_SIZE);
      if (ids.length === 0) return 0;
      await outbox.resend(ids);
      await repository.markAccepted(ids);
      return ids.length;
    },
  };
}
