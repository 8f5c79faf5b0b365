import { OUTBOX_BATCH_SIZE } from '#schema/constants.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventOf, Outbox } from '../../ports/outbox.ts';
import { composePayoutChangeText } from './payout-change-text.ts';
import type { PayoutChangesRepository } from './payout-changes.repository.ts';

interface PayoutChangesOptions {
  readonly repository: PayoutChangesRepository;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly clock: Clock;
  readonly appOrigin: string;
}

/** Notices to callers whose payout wallet changed. */
export function createPayoutChangesService({ repository, outbox, clock, appOrigin }: PayoutChangesOptions) {
  return {
    /**
     * Gives new changes to the sender. Marks the changes of users without a chat as accepted, but doesn't
     * send
     * them. Safe to run twice at once. Returns the number of changes that the sender got.
     */
    async notifyAll(): Promise<number> {
      const changes = await repository.listNew(OUTBOX_BATCH_SIZE);
      if (changes.length === 0) return 0;
      const events = changes
        .filter(({ hasChat }) => hasChat === 1)
        .map(({ seq, callerId: userId }): EventOf<'payout_changed'> => {
          return { kind: 'payout_changed', id: `payout_changed:${seq}`, userId, seq };
        });
      if (events.length > 0) await outbox.add(events);
      await repository.markAccepted({ seqs: changes.map(({ seq }) => seq), now: clock.now() });
      return events.length;
    },

    /** Users can't switch this notice off. */
    async compose({ userId, seq }: EventOf<'payout_changed'>) {
      const change = await repository.find({ seq, callerId: userId });
      if (!change) return null;
      const text = composePayoutChangeText({ ...change, dashboardUrl: `${appOrigin}/dashboard` });
      return { text, switchKind: null, callerId: null };
    },
  };
}
