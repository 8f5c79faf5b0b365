import { DAY_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants.ts';
import { daysUntil, describeDaysUntil, type RenewalStage } from '#schema/rules/renewal.ts';
import { composeMessage, describeMoment, showPerson } from '../../shared/plain-text.ts';

export interface RenewalToTell {
  readonly callerName: string;
  readonly callerHandle: string;
  readonly stage: RenewalStage;
  /** A free follow that ends because the caller now charges. */
  readonly isFree: boolean;
  /** Unix ms. */
  readonly endsAt: number;
  readonly now: number;
  /** Price of a period, a decimal string in SOL; null if the caller can't be paid. */
  readonly fee: string | null;
  readonly profileUrl: string;
}

/** The reminder that a subscription or free access ends, with how to renew. */
export function composeRenewalText({
  callerName,
  callerHandle,
  stage,
  isFree,
  endsAt,
  now,
  fee,
  profileUrl,
}: RenewalToTell): string {
  const ends = {
    week: `ends ${describeDaysUntil(daysUntil({ endsAt, now }))}, on`,
    day: 'ends within 24 hours, on',
    ended: 'ended on',
  }[stage];
  const days = SUBSCRIPTION_PERIOD_MS / DAY_MS;
  const added = stage === 'ended' ? '' : ', added to the time you have left';
  const words = isFree
    ? {
        what: 'Your free access to',
        way: `Subscribe for ${fee} SOL: ${days} days${added}.`,
        noWay: 'You cannot subscribe right now',
      }
    : {
        what: 'Your subscription to',
        way: `Renew it for ${fee} SOL: ${days} more days${added}.`,
        noWay: 'It cannot be renewed right now',
      };
  const way = fee === null ? `${words.noWay}: the caller has no payout wallet.` : words.way;
  const head = (nameLength: number) =>
    `${words.what} ${showPerson({ name: callerName, handle: callerHandle }, nameLength)} ${ends} ${describeMoment(endsAt)}.\n\n${way}`;
  return composeMessage({ head, link: profileUrl });
}
