import { DAY_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants.ts';
import { daysUntil, describeDaysUntil, type RenewalStage } from '#schema/rules/renewal.ts';
import { composeMessage, describeMoment, showPerson } from '../../shared/plain-text.ts';

export interface RenewalToTell {
  readonly callerName: string;
  readonly callerHandle: string;
  readonly stage: RenewalStage;
  /** What ends was never paid for: a free follow of a caller who charges by now. */
  readonly isFree: boolean;
  /** Unix ms. */
  readonly endsAt: number;
  readonly now: number;
  /** What a period costs, a decimal string in SOL; `null` while the caller cannot be paid. */
  readonly fee: string | null;
  readonly profileUrl: string;
}

/** That a subscription or free access ends or has ended, and the way to go on. */
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
  const added = stage === 'ended' ? '' : ', added to what you have left';
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
  const way = fee === null ? `${words.noWay}: the caller has no wallet to be paid to.` : words.way;
  const head = (nameLength: number) =>
    `${words.what} ${showPerson({ name: callerName, handle: callerHandle }, nameLength)} ${ends} ${describeMoment(endsAt)}.\n\n${way}`;
  return composeMessage({ head, link: profileUrl });
}
