import { formatSol } from '#schema/rules/lamports.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MessageOf, Notice, NotificationQueue } from './notification-message.ts';
import type { PaymentNoticesRepository } from './payment-notices.repository.ts';

export interface PaymentNoticesOptions {
  readonly repository: PaymentNoticesRepository;
  readonly queue: NotificationQueue;
  readonly clock: Clock;
  readonly appOrigin: string;
}

/** Tells callers that they were paid. */
export function createPaymentNoticesService({ repository, appOrigin }: PaymentNoticesOptions) {
  return {
    /** A final payment stays true, whatever comes after it. */
    async findNotice({ userId, paymentId }: MessageOf<'payment_received'>): Promise<Notice | null> {
      const payment = await repository.find({ paymentId, callerId: userId });
      if (!payment) return null;
      return { eventId: `payment_received:${paymentId}`, text: `You were paid ${formatSol(BigInt(payment.caller_lamports))} SOL.\n\n${appOrigin}/payments/earnings` };
    },
  };
}
