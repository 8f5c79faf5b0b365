import { OUTBOX_BATCH_SIZE } from '#schema/constants.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventOf, Outbox } from '../../ports/outbox.ts';
import { composePayoutChangeText } from './payout-change-text.ts';
import type { PayoutChangesRepository } from './payout-changes.repository.ts';

export interface PayoutChangesOptions {
  readonly repository: PayoutChangesRepository;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly clock: Clock;
  readonly appOrigin: string;
}

/** Notices to callers whose payout wallet changed. */
export function createPayoutChangesService({ repository, outbox, clock, appOrigin }: PayoutChangesOptions) {
  return {
    /** Hands new changes to the sender; without a chat they are only marked. Safe to run twice at once. Returns how many it added. */
    async notifyAll(): Promise<number> {
      const changes = await repository.listNew(OUTBOX_BATCH_SIZE);
      if (changes.length === 0) return 0;
      const events = changes
        .filter(({ hasChat }) => hasChat === 1)
        .map(({ seq, callerId }): EventOf<'payout_changed'> => {
          return { kind: 'payout_changed', id: `payout_changed:${seq}`, userId: callerId, seq };
        });
      if (events.length > 0) await outbox.add(events);
      await repository.markTaken({ seqs: changes.map(({ seq }) => seq), now: clock.now() });
      return events.length;
    },

    /** Cannot be switched off. */
    async compose({ userId, seq }: EventOf<'payout_changed'>) {
      const change = await repository.find({ seq, callerId: userId });
      if (!change) return null;
      const text = composePayoutChangeText({ ...change, dashboardUrl: `${appOrigin}/dashboard` });
      return { text, switchKind: null, callerId: null };
    },
  };
}
