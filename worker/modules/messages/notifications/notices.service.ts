import { CALL_AUTO_END_MS } from '#schema/constants/market.ts';
import { SESSIONS_ANCHOR } from '#schema/constants/people.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import type { NotificationKind } from '#schema/contracts/notifications.ts';
import { gainOf } from '#schema/rules/calls/calculator.ts';
import { shortenAddress } from '#schema/rules/text/format.ts';
import { describePaperEnd } from '#schema/rules/text/gains.ts';
import { readJson } from '#schema/rules/typed-json.ts';
import type { NoticeEvent, NoticeKind } from '../../../ports/outbox.ts';
import { showCaller } from '../../money/callers/caller-summary.ts';
import { composeMessage, describeTime, showSymbol } from '../../../shared/plain-text.ts';
import {
  composePaymentReceivedText,
  composePaymentRefundedText,
  composeSilenceText,
} from './notice-texts.ts';
import type { NoticesRepository } from './notices.repository.ts';

interface NoticesOptions {
  readonly repository: NoticesRepository;
  readonly appOrigin: string;
}

type Kind = Exclude<NoticeKind, 'own_level_hit' | 'chat_problem' | 'chat_removed'>;

/** The switches of notices. Users can't switch the others off. */
const SWITCHES: Readonly<Partial<Record<Kind, NotificationKind>>> = {
  caller_silent: 'subscription_expiring',
  paper_ended: 'call_ended',
  payment_received: 'payment_received',
};

export function createNoticesService(options: NoticesOptions) {
  const texts = { ...createAccountTexts(options), ...createCallTexts(options) };

  return {
    /** Null if there is nothing to say anymore, such as about a call that has ended. */
    async compose(kind: Kind, notice: NoticeEvent) {
      const text = await texts[kind](notice);
      return text === null ? null : { text, switchKind: SWITCHES[kind] ?? null, callerId: null };
    },
  };
}

/** The first two texts say what to do if it was somebody else. */
function createAccountTexts({ repository, appOrigin }: NoticesOptions) {
  return {
    async new_device(notice: NoticeEvent) {
      const device = await repository.findDevice(notice);
      if (!device) return null;
      return [
        'A new device signed in to your account.',
        `Device: ${device.label}\nWhen: ${describeTime(device.at)}`,
        "If it wasn't you, change your password on X and log out of all other sessions there. " +
          'Then log that device out on your dashboard.',
        `${appOrigin}/dashboard#${SESSIONS_ANCHOR}`,
      ].join('\n\n');
    },

    async payout_changed(notice: NoticeEvent) {
      const change = await repository.findPayoutChange(notice);
      if (!change) return null;
      const name = (address: string | null) => (address === null ? 'none' : shortenAddress(address));
      return [
        'Your payout wallet was changed.',
        `From: ${name(change.oldAddress)}\nTo: ${name(change.newAddress)}\nWhen: ${describeTime(change.at)}`,
        "If you didn't change it, someone else can sign in to your account. On X, change your password and log out of all " +
          'other sessions. Then, on your dashboard, log out all others and choose your own wallet again.',
        `${appOrigin}/dashboard`,
      ].join('\n\n');
    },

    async payment_refunded(notice: NoticeEvent) {
      const refund = await repository.findRefund(notice);
      return refund && composePaymentRefundedText(refund, `${appOrigin}/payments/${refund.signature}`);
    },

    async payment_received(notice: NoticeEvent) {
      const payment = await repository.findPayment(notice);
      return payment && composePaymentReceivedText(payment, `${appOrigin}/payments/earnings`);
    },
  };
}

function createCallTexts({ repository, appOrigin }: NoticesOptions) {
  return {
    async call_ends_soon(notice: NoticeEvent) {
      const call = await repository.findOpenCall(notice);
      if (!call) return null;
      const endsAt = describeTime(call.calledAt + CALL_AUTO_END_MS);
      const head = (nameLength: number) =>
        `Your call on ${showSymbol(call, nameLength)} ends automatically on ${endsAt}.\n\n` +
        `A call stays open for at most ${CALL_AUTO_END_MS / DAY_MS} days. Until then you can end it yourself. ` +
        'An automatic end uses the lowest price of our sources and counts like any other.';
      return composeMessage({ head, link: `${appOrigin}/call/${notice.subject}` });
    },

    async caller_silent(notice: NoticeEvent) {
      const silence = await repository.findSilence(notice);
      if (!silence) return null;
      const endsAt = notice.userId === silence.callerId ? null : silence.endsAt;
      return composeSilenceText({ ...silence, endsAt }, `${appOrigin}/caller/${silence.callerId}`);
    },

    /** The recipient follows the call's caller on paper, or only watches. */
    async paper_ended(notice: NoticeEvent) {
      const found = await repository.findPaperEnd(notice);
      if (!found) return null;
      const { amountUsd, open, end, ...call } = found;
      const marks = { open: readJson(open), end: readJson(end) };
      const gainUsd = amountUsd === null ? undefined : gainOf({ ...call, ...marks }, amountUsd);
      const head = (nameLength: number) =>
        `${describePaperEnd({ ...call, gainUsd, symbol: showSymbol(call, nameLength) })}\n\n` +
        `The call was by ${showCaller(call, nameLength)}, whom you ${amountUsd === null ? 'watch' : 'follow on paper'}.`;
      return composeMessage({ head, link: `${appOrigin}/portfolio` });
    },
  };
}
