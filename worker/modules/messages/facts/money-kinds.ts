import { NOTICE_LIFETIME_MS } from '#schema/constants/messages.ts';
import { isEndedStage } from '#schema/rules/access/renewal.ts';
import { shortenAddress } from '#schema/rules/text/format.ts';
import { describeTime } from '../../../shared/plain-text.ts';
import { factKind } from './fact-kind.ts';
import {
  composePaymentMadeText,
  composePaymentReceivedText,
  composePaymentRefundedText,
  composeRefundAskedText,
  composeSilenceText,
} from './notice-texts.ts';
import type { NoticesRepository } from './notices.repository.ts';
import { subscribersDuring } from './recipients.repository.ts';
import { composeRenewal } from './renewal-text.ts';
import type { RenewalsService } from './renewals.service.ts';
import { describePayment, describeSubscriptionEnd } from './webhook-bodies.ts';

export interface MoneyKindsOptions {
  readonly notices: NoticesRepository;
  readonly renewals: RenewalsService;
  readonly appOrigin: string;
}

export function createMoneyKinds({ notices, renewals, appOrigin }: MoneyKindsOptions) {
  return {
    payment_made: factKind({
      lifetimeMs: NOTICE_LIFETIME_MS,
      find: notices.findOwnPayment,
      text: (payment) => composePaymentMadeText(payment, `${appOrigin}/payments/${payment.signature}`),
    }),

    payment_received: factKind({
      lifetimeMs: NOTICE_LIFETIME_MS,
      switchKind: () => 'payment_received',
      find: notices.findPayment,
      text: (payment) => composePaymentReceivedText(payment, `${appOrigin}/payments/earnings`),
      webhook: (payment, { subject }) => describePayment(payment, subject),
    }),

    payment_refunded: factKind({
      lifetimeMs: NOTICE_LIFETIME_MS,
      find: notices.findRefund,
      text: (refund) => composePaymentRefundedText(refund, `${appOrigin}/payments/${refund.signature}`),
    }),

    refund_asked: factKind({
      lifetimeMs: NOTICE_LIFETIME_MS,
      find: notices.findRefundRequest,
      text: (request) => composeRefundAskedText(request, `${appOrigin}/payments/${request.signature}`),
    }),

    /** Says what to do if it was somebody else. Told however late, like a new device. */
    payout_changed: factKind({
      lifetimeMs: Infinity,
      isSecurity: true,
      find: notices.findPayoutChange,
      text(change) {
        const name = (address: string | null) => (address === null ? 'none' : shortenAddress(address));
        return [
          'Your payout wallet was changed.',
          `From: ${name(change.oldAddress)}\nTo: ${name(change.newAddress)}\nWhen: ${describeTime(change.at)}`,
          "If you didn't change it, someone else can sign in to your account. On X, change your password and log out of all " +
            'other sessions. Then, in your settings, end all others and choose your own wallet again.',
          `${appOrigin}/settings/wallets`,
        ].join('\n\n');
      },
    }),

    /** To the paying subscribers of a caller whose silence begins. */
    caller_silent: factKind({
      lifetimeMs: Infinity,
      audience: ({ subject }) => subscribersDuring(subject),
      switchKind: () => 'subscription_expiring',
      find: ({ subject }, userId) => notices.findSilence({ subject, userId }),
      text: (silence) => composeSilenceText(silence, `${appOrigin}/caller/${silence.callerId}`),
    }),

    own_silence: factKind({
      lifetimeMs: Infinity,
      switchKind: () => 'subscription_expiring',
      find: notices.findSilence,
      text: (silence) =>
        composeSilenceText({ ...silence, endsAt: null }, `${appOrigin}/caller/${silence.callerId}`),
    }),

    renewal: factKind({
      lifetimeMs: Infinity,
      plan: renewals.plan,
      switchKind: ({ stage }) => (isEndedStage(stage) ? 'subscription_expired' : 'subscription_expiring'),
      find: renewals.find,
      text: (renewal) => composeRenewal(renewal, `${appOrigin}/caller/${renewal.callerId}`),
      webhook: describeSubscriptionEnd,
      isFor: (channel, { subject }) =>
        channel !== 'webhook' || isEndedStage(Number(subject.split(':').at(-1))),
    }),
  };
}
