import { CALL_AUTO_END_MS, DAY_MS, SESSIONS_ANCHOR } from '#schema/constants.ts';
import { gainOf } from '#schema/rules/calls/calculator.ts';
import type { NoticeEvent } from '../../../ports/outbox.ts';
import { nameOf } from '../../../shared/caller-summary.ts';
import type { LoggedMark } from '../../../shared/log-entries.ts';
import { composeMessage, describeTime, showSymbol } from '../../../shared/plain-text.ts';
import {
  composeNewDeviceText,
  composePaperEndText,
  composePaymentReceivedText,
  composePaymentRefundedText,
  composePayoutChangeText,
  composeSilenceText,
} from './notice-texts.ts';
import type { NoticesRepository } from './notices.repository.ts';

interface NoticesOptions {
  readonly repository: NoticesRepository;
  readonly appOrigin: string;
}

/** The messages to one user about their account, calls and subscriptions. `switchKind: null`: users can't switch this notice off. */
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

    /** Null if the call has ended. */
    async composeEnd(notice: NoticeEvent) {
      const call = await repository.findOpenCall(notice);
      if (!call) return null;
      const endsAt = describeTime(call.calledAt + CALL_AUTO_END_MS);
      const head = (nameLength: number) =>
        `Your call on ${showSymbol(call, nameLength)} ends automatically on ${endsAt}.\n\n` +
        `A call stays open for at most ${CALL_AUTO_END_MS / DAY_MS} days. Until then you can end it yourself. ` +
        'An automatic end uses the market price and counts like any other.';
      const text = composeMessage({ head, link: `${appOrigin}/call/${notice.subject}` });
      return { text, switchKind: null, callerId: null };
    },

    async composeSilence(notice: NoticeEvent) {
      const silence = await repository.findSilence(notice);
      if (!silence) return null;
      const text = composeSilenceText({
        caller: { name: nameOf(silence), handle: silence.twitter_handle },
        since: silence.since,
        endsAt: notice.userId === silence.callerId ? null : silence.endsAt,
        profileUrl: `${appOrigin}/caller/${silence.callerId}`,
      });
      return { text, switchKind: 'subscription_expiring' as const, callerId: null };
    },

    async composePaperEnd(notice: NoticeEvent) {
      const end = await repository.findPaperEnd(notice);
      if (!end) return null;
      const { amountUsd, open, end: endMark, ...call } = end;
      const marks = { open: readMark(open), end: readMark(endMark) };
      const text = composePaperEndText({
        ...call,
        caller: { name: nameOf(end), handle: end.twitter_handle },
        gainUsd: amountUsd === null ? undefined : gainOf({ ...call, ...marks }, amountUsd),
        portfolioUrl: `${appOrigin}/portfolio`,
      });
      return { text, switchKind: 'call_ended' as const, callerId: null };
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

const readMark = (json: string | null) => JSON.parse(json ?? 'null') as LoggedMark | null;
