import { NOTICE_LIFETIME_MS, QUEUE_BATCH_SIZE } from '#schema/constants.ts';
import { nameOf } from '../../shared/caller-summary.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MessageOf, Notice, NotificationQueue } from './notification-message.ts';
import type { PaymentNoticesRepository, UntoldPayment } from './payment-notices.repository.ts';
import { composePaymentReceivedText } from './payment-received-text.ts';

/** Each is a read, a batch for the queue and a write: so many pages stay well within a worker's subrequests. */
const PAGES_PER_RUN = 20;

export interface PaymentNoticesOptions {
  readonly repository: PaymentNoticesRepository;
  readonly queue: NotificationQueue;
  readonly clock: Clock;
  readonly appOrigin: string;
}

/** Tells callers that they were paid, once a payment is final: what was told is never taken back. */
export function createPaymentNoticesService({ repository, queue, clock, appOrigin }: PaymentNoticesOptions) {
  /** Queue first, mark second: what dies in between is queued again, and its chat is told once all the same. Returns how many were queued. */
  const tell = async ({
    payments,
    now,
  }: {
    payments: readonly UntoldPayment[];
    now: number;
  }): Promise<number> => {
    const told = payments.filter(({ hasChat, at }) => hasChat === 1 && now - at < NOTICE_LIFETIME_MS);
    if (told.length > 0) {
      await queue.sendBatch(
        told.map(({ paymentId, callerId }) => ({
          body: { kind: 'payment_received', userId: callerId, paymentId },
        })),
      );
    }
    await repository.markQueued({ paymentIds: payments.map(({ paymentId }) => paymentId), now });
    return told.length;
  };

  return {
    /**
     * Puts into the queue what callers are to be told; what has waited for too long, and whoever has no chat, is passed
     * over for good. May run at any time and twice at once. Returns how many that were.
     */
    async announce(): Promise<number> {
      let queued = 0;
      for (let page = 0; page < PAGES_PER_RUN; page += 1) {
        const payments = await repository.listUntold(QUEUE_BATCH_SIZE);
        if (payments.length > 0) queued += await tell({ payments, now: clock.now() });
        if (payments.length < QUEUE_BATCH_SIZE) break;
      }
      return queued;
    },

    /** A final payment stays true, whatever comes after it. */
    async findNotice({ userId, paymentId }: MessageOf<'payment_received'>): Promise<Notice | null> {
      const payment = await repository.find({ paymentId, callerId: userId });
      if (!payment) return null;
      const text = composePaymentReceivedText({
        subscriber:
          payment.twitter_handle === null ? null : { name: nameOf(payment), handle: payment.twitter_handle },
        callerLamports: BigInt(payment.caller_lamports),
        endsAt: payment.ends_at,
        earningsUrl: `${appOrigin}/payments/earnings`,
      });
      return { eventId: `payment_received:${paymentId}`, text };
    },
  };
}
