import { MAX_SILENT_DAYS } from '#schema/constants/money.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import { shortenAddress } from '#schema/rules/text/format.ts';
import { START_AT_ONCE } from '#schema/rules/text/start-at-once.ts';
import { showCaller } from '../../money/callers/caller-summary.ts';
import { composeMessage, describeTime } from '../../../shared/plain-text.ts';
import type { FoundPayment, NoticesRepository } from './notices.repository.ts';

type Found<Name extends 'findOwnPayment' | 'findRefund' | 'findSilence'> = NonNullable<
  Awaited<ReturnType<NoticesRepository[Name]>>
>;

/** Writes the message to a subscriber about a payment that is final. It repeats what was asked before paying. */
export function composePaymentMadeText(payment: Found<'findOwnPayment'>, link: string): string {
  const { totalLamports, days, endsAt } = payment;
  const head = (nameLength: number) =>
    `You paid ${formatSol(totalLamports)} SOL for ${days} days of ${showCaller(payment, nameLength)}. ` +
    `Your access runs until ${describeTime(endsAt)}.\n\n${START_AT_ONCE.record}`;
  return composeMessage({ head, link });
}

export function composePaymentReceivedText(payment: FoundPayment, link: string): string {
  const { callerLamports, endsAt } = payment;
  const head = (nameLength: number) =>
    `You received ${formatSol(callerLamports)} SOL from ${showSubscriber(payment, nameLength)}.\n\n` +
    `Their subscription runs until ${describeTime(endsAt)}.`;
  return composeMessage({ head, link });
}

type OptionalName = Pick<FoundPayment, 'first_name' | 'last_name' | 'twitter_handle'>;

function showSubscriber({ first_name, last_name, twitter_handle }: OptionalName, nameLength: number): string {
  const isPublic = first_name !== null && last_name !== null && twitter_handle !== null;
  return isPublic ? showCaller({ first_name, last_name, twitter_handle }, nameLength) : 'a subscriber';
}

/** Writes the message to a subscriber about a transfer that pays a payment back. */
export function composePaymentRefundedText(refund: Found<'findRefund'>, link: string): string {
  const head = (nameLength: number) =>
    `You received a refund of ${formatSol(refund.lamports)} SOL from ${showCaller(refund, nameLength)}, in the wallet that paid.\n\n` +
    (refund.isRefunded === 1
      ? "The period that you paid for has ended. If you have no other one, your access to the caller's calls and chats " +
        "has ended, too. The platform's commission isn't returned."
      : "Your subscription doesn't change.");
  return composeMessage({ head, link });
}

/** Writes the message to a caller about a subscriber who asks for a refund. */
export function composeRefundAskedText(request: FoundPayment, link: string): string {
  const { callerLamports, paidBack, paidAt, payerAddress } = request;
  const share = paidBack === 0 ? 'your share' : 'the rest of your share';
  const left = formatSol(callerLamports - BigInt(paidBack));
  const head = (nameLength: number) =>
    `You have a request for a refund from ${showSubscriber(request, nameLength)}, for the payment of ${describeTime(paidAt)}.\n\n` +
    `If you pay ${left} SOL (${share}) back to the wallet that paid, ` +
    `${shortenAddress(payerAddress)}, the period ends. It's your decision.`;
  return composeMessage({ head, link });
}

const RULE = `by a day for each silent day, at most ${MAX_SILENT_DAYS}`;

/** Writes the message about a silence that begins, to a subscriber, or to the caller if `endsAt` is null. */
export function composeSilenceText(silence: Found<'findSilence'>, link: string): string {
  const { since, endsAt } = silence;
  const head = (nameLength: number) =>
    endsAt === null
      ? `Since ${describeTime(since)}, you haven't opened, updated or ended a call.\n\n` +
        `Your subscribers’ paid subscriptions are extended ${RULE}.`
      : `Since ${describeTime(since)}, ${showCaller(silence, nameLength)} hasn't opened, updated or ended a call.\n\n` +
        `Your subscription is extended ${RULE}. It now runs until ${describeTime(endsAt)}.`;
  return composeMessage({ head, link });
}
