import { MAX_SILENT_DAYS } from '#schema/constants.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import { shortenAddress } from '#schema/rules/text/format.ts';
import { describePaperEnd, type PaperEnd } from '#schema/rules/text/gains.ts';
import {
  composeMessage,
  describeTime,
  type NamedToken,
  showPerson,
  showSymbol,
} from '../../../shared/plain-text.ts';

interface PublicPerson {
  readonly name: string;
  readonly handle: string;
}

interface NewDevice {
  /** One of our own labels, such as 'Chrome on Windows'. */
  readonly label: string;
  readonly at: number;
  readonly sessionsUrl: string;
}

/** Writes the message about a sign-in from a new device. It says what to do if it was somebody else. */
export function composeNewDeviceText({ label, at, sessionsUrl }: NewDevice): string {
  return [
    'A new device signed in to your account.',
    `Device: ${label}\nWhen: ${describeTime(at)}`,
    "If it wasn't you, change your password on X and log out of all other sessions there. " +
      'Then log that device out on your dashboard.',
    sessionsUrl,
  ].join('\n\n');
}

interface PayoutChange {
  /** The earlier wallet in base58; null if there was none. */
  readonly oldAddress: string | null;
  readonly newAddress: string | null;
  readonly at: number;
  readonly dashboardUrl: string;
}

/** Writes the message about a new payout wallet. It says what to do if the caller didn't change the wallet. */
export function composePayoutChangeText(change: PayoutChange): string {
  const name = (address: string | null) => (address === null ? 'none' : shortenAddress(address));
  return [
    'Your payout wallet was changed.',
    `From: ${name(change.oldAddress)}\nTo: ${name(change.newAddress)}\nWhen: ${describeTime(change.at)}`,
    "If you didn't change it, someone else can sign in to your account. On X, change your password and log out of all " +
      'other sessions. Then, on your dashboard, log out all others and choose your own wallet again.',
    change.dashboardUrl,
  ].join('\n\n');
}

interface ReceivedPayment {
  /** The subscriber's public name; null if it isn't public. */
  readonly subscriber: PublicPerson | null;
  /** The caller's share in lamports. */
  readonly callerLamports: bigint;
  /** End of the paid period, unix ms. */
  readonly endsAt: number;
  readonly earningsUrl: string;
}

/** Writes the message to a caller about a payment. */
export function composePaymentReceivedText(payment: ReceivedPayment): string {
  const { subscriber, callerLamports, endsAt } = payment;
  const head = (nameLength: number) => {
    const payer = subscriber === null ? 'a subscriber' : showPerson(subscriber, nameLength);
    return (
      `You received ${formatSol(callerLamports)} SOL from ${payer}.\n\n` +
      `Their subscription runs until ${describeTime(endsAt)}.`
    );
  };
  return composeMessage({ head, link: payment.earningsUrl });
}

interface RefundedPayment {
  readonly caller: PublicPerson;
  readonly lamports: bigint;
  /** True if the caller's whole share was paid back, which ends the period. */
  readonly isFull: boolean;
  readonly receiptUrl: string;
}

/** Writes the message to a subscriber about a refund. */
export function composePaymentRefundedText(refund: RefundedPayment): string {
  const { caller, lamports, isFull } = refund;
  const head = (nameLength: number) =>
    `You received a refund of ${formatSol(lamports)} SOL from ${showPerson(caller, nameLength)}, in the wallet that you paid from.\n\n` +
    (isFull ? 'The period that you paid for has ended.' : 'The period that you paid for stays as it is.');
  return composeMessage({ head, link: refund.receiptUrl });
}

interface PaperEndNotice extends NamedToken, Omit<PaperEnd, 'symbol'> {
  readonly caller: PublicPerson;
  readonly portfolioUrl: string;
}

/** Writes the message about an ended call to somebody who follows its caller on paper or only watches. */
export function composePaperEndText({ caller, portfolioUrl, ...call }: PaperEndNotice): string {
  const head = (nameLength: number) =>
    `${describePaperEnd({ ...call, symbol: showSymbol(call, nameLength) })}\n\n` +
    `The call was by ${showPerson(caller, nameLength)}, whom you ${call.gainUsd === undefined ? 'watch' : 'follow on paper'}.`;
  return composeMessage({ head, link: portfolioUrl });
}

interface Silence {
  readonly caller: PublicPerson;
  /** The caller's last activity, unix ms. */
  readonly since: number;
  /** The end of the recipient's paid time, unix ms. Null if the recipient is the caller. */
  readonly endsAt: number | null;
  readonly profileUrl: string;
}

const RULE = `by a day for each silent day, at most ${MAX_SILENT_DAYS}`;

/** Writes the message about a silence that begins, to a subscriber or to the caller. */
export function composeSilenceText({ caller, since, endsAt, profileUrl }: Silence): string {
  const head = (nameLength: number) =>
    endsAt === null
      ? `Since ${describeTime(since)}, you haven't opened, updated or ended a call.\n\n` +
        `Your paid subscriptions are extended ${RULE}.`
      : `Since ${describeTime(since)}, ${showPerson(caller, nameLength)} hasn't opened, updated or ended a call.\n\n` +
        `Your subscription is extended ${RULE}. It now runs until ${describeTime(endsAt)}.`;
  return composeMessage({ head, link: profileUrl });
}
