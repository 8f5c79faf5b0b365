import { MONTH_DAYS, SHORT_REMINDER_DAYS } from '#schema/constants/money.ts';
import { daysUntil, describeDaysUntil, isEndedStage } from '#schema/rules/access/renewal.ts';
import { showCaller } from '../../money/callers/caller-summary.ts';
import { composeMessage, describeTime } from '../../../shared/plain-text.ts';
import type { FoundRenewal } from './renewals.service.ts';

export function composeRenewal(renewal: FoundRenewal, profileUrl: string) {
  const { caller, stage, isFree, endsAt, fee } = renewal;
  const added = isEndedStage(stage) ? '' : ', added to the time you have left';
  const subject = isFree ? 'Your free access to' : 'Your subscription to';
  const offer = isFree
    ? `Subscribe for ${fee} SOL: ${MONTH_DAYS} days`
    : `Renew it for ${fee} SOL: ${MONTH_DAYS} more days`;
  const refusal = isFree ? 'You cannot subscribe' : 'It cannot be renewed';
  const way = fee === null ? `${refusal}: the caller takes no payments now.` : `${offer}${added}.`;
  const head = (nameLength: number) =>
    `${subject} ${showCaller(caller, nameLength)} ${describeEnd(renewal)} ${describeTime(endsAt)}.\n\n${way}`;
  const url = fee === null ? profileUrl : `${profileUrl}#subscribe`;
  const renew = { text: isFree ? 'Subscribe' : 'Renew', url };
  return { text: composeMessage({ head, link: url }), buttons: fee === null ? [] : [renew] };
}

function describeEnd({ stage, endsAt, bought, now }: FoundRenewal): string {
  if (isEndedStage(stage)) return 'ended on';
  if (stage === 1) return 'ends within 24 hours, on';
  const days = daysUntil({ endsAt, now });
  return stage === SHORT_REMINDER_DAYS[0]
    ? `has ${days} days left of ${bought}, until`
    : `ends ${describeDaysUntil(days)}, on`;
}
