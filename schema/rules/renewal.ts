import { DAY_MS, MINUTE_MS, RENEWAL_DAY_MS, RENEWAL_ENDED_MS, RENEWAL_WEEK_MS } from '#schema/constants.ts';

/** What is told of an end, in the order in which it presses: a week before, a day before, and when it has come. */
export const RENEWAL_STAGES = ['week', 'day', 'ended'] as const;
export type RenewalStage = (typeof RENEWAL_STAGES)[number];

/** The ends (unix ms) that stand at a stage: later than `after`, up to `until`. */
export function endsAtStage(
  stage: RenewalStage,
  now: number,
): { readonly after: number; readonly until: number } {
  if (stage === 'week') return { after: now + RENEWAL_DAY_MS, until: now + RENEWAL_WEEK_MS };
  if (stage === 'day') return { after: now, until: now + RENEWAL_DAY_MS };
  return { after: now - RENEWAL_ENDED_MS, until: now };
}

/** How pressing an end is: `null` while it is more than a week away, and once it is three days past. */
export function renewalStage(endsAt: number, now: number): RenewalStage | null {
  return (
    RENEWAL_STAGES.find(
      (stage) => endsAt > endsAtStage(stage, now).after && endsAt <= endsAtStage(stage, now).until,
    ) ?? null
  );
}

/** Whether it is too late to tell of an end what belongs to a stage. Too early it never is: whoever says so has a slow clock. */
export function isStageOver({
  stage,
  endsAt,
  now,
}: {
  stage: RenewalStage;
  endsAt: number;
  now: number;
}): boolean {
  return endsAt <= endsAtStage(stage, now).after;
}

/** A stage and those before it: who is told the later one is not told the earlier ones any more. */
export function stagesUpTo(stage: RenewalStage): readonly RenewalStage[] {
  return RENEWAL_STAGES.slice(0, RENEWAL_STAGES.indexOf(stage) + 1);
}

/**
 * In how many days of the calendar something ends; 0 is today.
 * @param offsetAt minutes from local time to UTC at a moment, as `Date#getTimezoneOffset` says; left out, the calendar is UTC's.
 */
export function daysUntil({
  endsAt,
  now,
  offsetAt = () => 0,
}: {
  endsAt: number;
  now: number;
  offsetAt?: (moment: number) => number;
}): number {
  const day = (moment: number) => Math.floor((moment - offsetAt(moment) * MINUTE_MS) / DAY_MS);
  return day(endsAt) - day(now);
}

/** 'today', 'tomorrow', 'in 7 days'. */
export function describeDaysUntil(days: number): string {
  if (days <= 0) return 'today';
  return days === 1 ? 'tomorrow' : `in ${days} days`;
}
