import { NOTICE_LIFETIME_MS, OUTBOX_BATCH_SIZE } from '#schema/constants.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { EventOf, Outbox } from '../../../ports/outbox.ts';
import { nameOf } from '../../../shared/caller-summary.ts';
import type { PaymentNoticesRepository } from './payment-notices.repository.ts';
import { composePaymentReceivedText } from './payment-received-text.ts';

const PAGES_PER_RUN = 20;

interface PaymentNoticesOptions {
  readonly repository: PaymentNoticesRepository;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly clock: Clock;
  readonly appOrigin: string;
}

/** Notices to callers who were paid, sent once a payment is final. */
export function createPaymentNoticesService({ repository, outbox, clock, appOrigin }: PaymentNoticesOptions) {
  return {
    /**
     * Gives new notices to the sender. Marks expired notices, and notices of users without a chat, as accepted,
     * but doesn't send them. Two runs may overlap. Returns the number of notices that the sender got.
     */
    async notifyAll(): Promise<number> {
      let added = 0;
      for (let page = 0; page < PAGES_PER_RUN; page += 1) {
        const notices = await repository.listNew(OUTBOX_BATCH_SIZE);
        const now = clock.now();
        const events = notices
          .filter(({ isReachable, at }) => isReachable === 1 && now - at < NOTICE_LIFETIME_MS)
          .map(({ paymentId, callerId: userId }): EventOf<'payment_received'> => {
            return { kind: 'payment_received', id: `payment_received:${paymentId}`, userId, paymentId };
          });
        if (events.length > 0) await outbox.add(events);
        added += events.length;
        const paymentIds = notices.map(({ paymentId }) => paymentId);
        if (paymentIds.length > 0) await repository.markAccepted({ paymentIds, now });
        if (notices.length < OUTBOX_BATCH_SIZE) break;
      }
      return added;
    },

    async compose({ userId, paymentId }: EventOf<'payment_received'>) {
      const payment = await repository.find({ paymentId, callerId: userId });
      if (!payment) return null;
      const { first_name, last_name, twitter_handle: handle } = payment;
      const isPublic = first_name !== null && last_name !== null && handle !== null;
      const text = composePaymentReceivedText({
        ...payment,
        subscriber: isPublic ? { name: nameOf({ first_name, last_name }), handle } : null,
        earningsUrl: `${appOrigin}/payments/earnings`,
      });
      return { text, switchKind: 'payment_received' as const, callerId: null };
    },
  };
}
