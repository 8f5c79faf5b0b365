import type { Clock } from '../../../ports/clock.ts';
import type { EventOf, Outbox } from '../../../ports/outbox.ts';
import { passOnNotices } from './notice-queue.ts';
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
    notifyAll: () => passOnNotices({ kind: 'payout_changed', queue: repository, outbox, clock }),

    /** Users can't switch this notice off. */
    async compose({ userId, seq }: EventOf<'payout_changed'>) {
      const change = await repository.find({ seq, callerId: userId });
      if (!change) return null;
      const text = composePayoutChangeText({ ...change, dashboardUrl: `${appOrigin}/dashboard` });
      return { text, switchKind: null, callerId: null };
    },
  };
}
