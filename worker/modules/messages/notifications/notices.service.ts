import { SESSIONS_ANCHOR } from '#schema/constants.ts';
import type { NoticeEvent } from '../../../ports/outbox.ts';
import { nameOf } from '../../../shared/caller-summary.ts';
import { composeNewDeviceText } from './new-device-text.ts';
import type { NoticesRepository } from './notices.repository.ts';
import { composePaymentReceivedText } from './payment-received-text.ts';
import { composePaymentRefundedText } from './payment-refunded-text.ts';
import { composePayoutChangeText } from './payout-change-text.ts';

interface NoticesOptions {
  readonly repository: NoticesRepository;
  readonly appOrigin: string;
}

/** The messages about a user's own account. `switchKind: null`: users can't switch this notice off. */
export function createNoticesService({ repository, appOrigin }: NoticesOptions) {
  return {
    async composeNewDevice(notice: NoticeEvent) {
      const device = await repository.findDevice(notice);
      if (!device) return null;
      const sessionsUrl = `${appOrigin}/dashboard#${SESSIONS_ANCHOR}`;
      return { text: composeNewDeviceText({ ...device, sessionsUrl }), switchKind: null, callerId: null };
    },

    async composePayoutChange(notice: NoticeEvent) {
      const change = await repository.findPayoutChange(notice);
      if (!change) return null;
      const text = composePayoutChangeText({ ...change, dashboardUrl: `${appOrigin}/dashboard` });
      return { text, switchKind: null, callerId: null };
    },

    async composePaymentRefunded(notice: NoticeEvent) {
      const refund = await repository.findRefund(notice);
      if (!refund || refund.lamports === null) return null;
      const text = composePaymentRefundedText({
        caller: { name: nameOf(refund), handle: refund.twitter_handle },
        lamports: refund.lamports,
        isFull: refund.lamports >= refund.callerLamports,
        receiptUrl: `${appOrigin}/payments/${refund.signature}`,
      });
      return { text, switchKind: null, callerId: null };
    },

    async composePaymentReceived(notice: NoticeEvent) {
      const payment = await repository.findPayment(notice);
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
