import { NOTICE_LIFETIME_MS, OUTBOX_BATCH_SIZE } from '#schema/constants.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventOf, Outbox } from '../../ports/outbox.ts';
import { nameOf } from '../../shared/caller-summary.ts';
import type { PaymentNoticesRepository } from './payment-notices.repository.ts';
import { composePaymentReceivedText } from './payment-received-text.ts';

const PAGES_PER_RUN = 20;

export interface PaymentNoticesOptions {
  readonly repository: PaymentNoticesRepository;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly clock: Clock;
  readonly appOrigin: string;
}

/** Notices to callers who were paid, sent once a payment is final. */
export function createPaymentNoticesService({ repository, outbox, clock, appOrigin }: PaymentNoticesOptions) {
  return {
    /**
     * Hands new notices to the sender; without a chat, or past their lifetime, they are only marked. Safe to run twice at
     * once. Returns how many it added.
     */
    async notifyAll(): Promise<number> {
      let added = 0;
      for (let page = 0; page < PAGES_PER_RUN; page += 1) {
        const payments = await repository.listNew(OUTBOX_BATCH_SIZE);
        const now = clock.now();
        const events = payments
          .filter(({ hasChat, at }) => hasChat === 1 && now - at < NOTICE_LIFETIME_MS)
          .map(({ paymentId, callerId }): EventOf<'payment_received'> => {
            return {
              kind: 'payment_received',
              id: `payment_received:${paymentId}`,
              userId: callerId,
              paymentId,
            };
          });
        if (events.length > 0) await outbox.add(events);
        added += events.length;
        const paymentIds = payments.map(({ paymentId }) => paymentId);
        if (paymentIds.length > 0) await repository.markTaken({ paymentIds, now });
        if (payments.length < OUTBOX_BATCH_SIZE) break;
      }
      return added;
    },

    async compose({ userId, paymentId }: EventOf<'payment_received'>) {
      const payment = await repository.find({ paymentId, callerId: userId });
      if (!payment) return null;
      const handle = payment.twitter_handle;
      const text = composePaymentReceivedText({
        subscriber: handle === null ? null : { name: nameOf(payment), handle },
        callerLamports: BigInt(payment.caller_lamports),
        endsAt: payment.ends_at,
        earningsUrl: `${appOrigin}/payments/earnings`,
      });
      return { text, switchKind: 'payment_received' as const, callerId: null };
    },
  };
}
