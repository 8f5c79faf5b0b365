import { DAY_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants.ts';
import { daysUntil, describeDaysUntil, type RenewalStage } from '#schema/rules/renewal.ts';
import { composeMessage, describeMoment, showPerson } from './plain-text.ts';

export interface RenewalToTell {
  readonly callerName: string;
  readonly callerHandle: string;
  readonly stage: RenewalStage;
  /** Unix ms. */
  readonly endsAt: number;
  readonly now: number;
  /** What another period costs, a decimal string in SOL; `null` while the caller cannot be paid. */
  readonly fee: string | null;
  readonly profileUrl: string;
}

/** That a subscription ends or has ended, and the way to go on. */
export function composeRenewalText({ callerName, callerHandle, stage, endsAt, now, fee, profileUrl }: RenewalToTell): string {
  const ends = {
    week: `ends ${describeDaysUntil(daysUntil({ endsAt, now }))}, on`,
    day: 'ends within 24 hours, on',
    ended: 'ended on',
  }[stage];
  const days = SUBSCRIPTION_PERIOD_MS / DAY_MS;
  const added = stage === 'ended' ? '' : ', added to what you have left';
  const way = fee === null ? 'It cannot be renewed right now: the caller has no wallet to be paid to.' : `Renew it for ${fee} SOL: ${days} more days${added}.`;
  const head = (nameLength: number) =>
    `Your subscription to ${showPerson({ name: callerName, handle: callerHandle }, nameLength)} ${ends} ${describeMoment(endsAt)}.\n\n${way}`;
  return composeMessage({ head, link: profileUrl });
}
