import { DAY_MS, MINUTE_MS, RENEWAL_DAY_MS, RENEWAL_ENDED_MS, RENEWAL_WEEK_MS } from '#schema/constants.ts';

/**
 * The times at which subscribers are reminded that a subscription ends: a week before the end, a day before it,
 * and once it has passed.
 */
export const RENEWAL_STAGES = ['week', 'day', 'ended'] as const;
export type RenewalStage = (typeof RENEWAL_STAGES)[number];

/** A subscription is at this stage if it ends later than `after` and not later than `until` (unix ms). */
export function endsAtStage(
  stage: RenewalStage,
  now: number,
): { readonly after: number; readonly until: number } {
  if (stage === 'week') return { after: now + RENEWAL_DAY_MS, until: now + RENEWAL_WEEK_MS };
  if (stage === 'day') return { after: now, until: now + RENEWAL_DAY_MS };
  return { after: now - RENEWAL_ENDED_MS, until: now };
}

/** The reminder that is due. Null if the end is over a week away, or was more than three days ago. */
export function renewalStage(endsAt: number, now: number): RenewalStage | null {
  return (
    RENEWAL_STAGES.find(
      (stage) => endsAt > endsAtStage(stage, now).after && endsAt <= endsAtStage(stage, now).until,
    ) ?? null
  );
}

export interface StageInput {
  readonly stage: RenewalStage;
  /** Unix ms. */
  readonly endsAt: number;
  readonly now: number;
}

/** True if it's too late for a stage's reminder. */
export function isStageOver({ stage, endsAt, now }: StageInput): boolean {
  return endsAt <= endsAtStage(stage, now).after;
}

/** Returns this stage and the earlier ones. A reminder replaces the reminders of earlier stages. */
export function stagesUpTo(stage: RenewalStage): readonly RenewalStage[] {
  return RENEWAL_STAGES.slice(0, RENEWAL_STAGES.indexOf(stage) + 1);
}

export interface DaysInput {
  /** Unix ms. */
  readonly endsAt: number;
  readonly now: number;
  /** Returns the minutes from local time to UTC, like `Date#getTimezoneOffset`. By default, UTC. */
  readonly offsetAt?: (moment: number) => number;
}

/** Calendar days until `endsAt`. 0 means today. */
export function daysUntil({ endsAt, now, offsetAt = () => 0 }: DaysInput): number {
  const day = (moment: number) => Math.floor((moment - offsetAt(moment) * MINUTE_MS) / DAY_MS);
  return day(endsAt) - day(now);
}

/** 'today', 'tomorrow', 'in 7 days'. */
export function describeDaysUntil(days: number): string {
  if (days <= 0) return 'today';
  return days === 1 ? 'tomorrow' : `in ${days} days`;
}
