import { MAX_SILENT_DAYS } from '#schema/constants/money.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import { showCaller } from '../../money/callers/caller-summary.ts';
import { composeMessage, describeTime } from '../../../shared/plain-text.ts';
import type { FoundPayment, NoticesRepository } from './notices.repository.ts';

type Found<Name extends 'findRefund' | 'findSilence'> = NonNullable<
  Awaited<ReturnType<NoticesRepository[Name]>>
>;

export function composePaymentReceivedText(payment: FoundPayment, link: string): string {
  const { first_name, last_name, twitter_handle, callerLamports, endsAt } = payment;
  const isPublic = first_name !== null && last_name !== null && twitter_handle !== null;
  const head = (nameLength: number) => {
    const payer = isPublic
      ? showCaller({ first_name, last_name, twitter_handle }, nameLength)
      : 'a subscriber';
    return (
      `You received ${formatSol(callerLamports)} SOL from ${payer}.\n\n` +
      `Their subscription runs until ${describeTime(endsAt)}.`
    );
  };
  return composeMessage({ head, link });
}

/** Writes the message to a subscriber about a refund. Null before it's paid. */
export function composePaymentRefundedText(refund: Found<'findRefund'>, link: string): string | null {
  const { lamports, callerLamports } = refund;
  if (lamports === null) return null;
  const head = (nameLength: number) =>
    `You received a refund of ${formatSol(lamports)} SOL from ${showCaller(refund, nameLength)}, in the wallet that you paid from.\n\n` +
    (lamports >= callerLamports
      ? "The platform's commission isn't returned. The period that you paid for has ended. If you have no other one, your " +
        "access to the caller's calls and chats has ended, too."
      : "Your subscription doesn't change.");
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
