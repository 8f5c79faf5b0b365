import { QUEUE_BATCH_SIZE } from '#schema/constants.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MessageOf, Notice, NotificationQueue } from './notification-message.ts';
import { composePayoutChangeText } from './payout-change-text.ts';
import type { PayoutChangesRepository } from './payout-changes.repository.ts';

export interface PayoutChangesOptions {
  readonly repository: PayoutChangesRepository;
  readonly queue: NotificationQueue;
  readonly clock: Clock;
  readonly appOrigin: string;
}

/** Tells callers that they are paid elsewhere, whoever it was that changed it. */
export function createPayoutChangesService({ repository, queue, clock, appOrigin }: PayoutChangesOptions) {
  return {
    /** Puts into the queue what callers are to be told. May run at any time and twice at once. Returns how many that were. */
    async announce(): Promise<number> {
      const changes = await repository.listUntold(QUEUE_BATCH_SIZE);
      if (changes.length === 0) return 0;
      const reachable = changes.filter(({ hasChat }) => hasChat === 1);
      if (reachable.length > 0) {
        await queue.sendBatch(
          reachable.map(({ seq, callerId }) => ({ body: { kind: 'payout_changed', userId: callerId, seq } })),
        );
      }
      await repository.markQueued({ seqs: changes.map(({ seq }) => seq), now: clock.now() });
      return reachable.length;
    },

    /** What was changed stays true, whatever came after it. */
    async findNotice({ userId, seq }: MessageOf<'payout_changed'>): Promise<Notice | null> {
      const change = await repository.find({ seq, callerId: userId });
      if (!change) return null;
      return {
        eventId: `payout_changed:${seq}`,
        text: composePayoutChangeText({ ...change, dashboardUrl: `${appOrigin}/dashboard` }),
      };
    },
  };
}
