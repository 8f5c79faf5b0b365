import {
  MONTH_DAYS,
  RENEWAL_LAST_MS,
  RENEWAL_REMINDER_DAYS,
  SHORT_REMINDER_DAYS,
} from '#schema/constants/money.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';

/** A reminder that a subscription ends, as the number of days before the end. */
export type RenewalStage = number;

/** The ends at which a subscription is at this stage: later than `after`, at most `until` (unix ms). */
export function endsAtStage(
  stage: RenewalStage,
  now: number,
): { readonly after: number; readonly until: number } {
  const until = now + stage * DAY_MS;
  // Short and long periods have the same reminders after the first one.
  const next = RENEWAL_REMINDER_DAYS.find((days) => days < stage);
  return { after: next === undefined ? until - RENEWAL_LAST_MS : now + next * DAY_MS, until };
}

const stagesOf = (days: number | null): readonly RenewalStage[] =>
  days !== null && days < MONTH_DAYS ? SHORT_REMINDER_DAYS : RENEWAL_REMINDER_DAYS;

/**
 * Returns the reminder that is due. Null before the first stage and after the last one.
 * @param days the length that was bought; null if that's unknown or nothing was paid
 */
export function renewalStage(endsAt: number, now: number, days: number | null = null): RenewalStage | null {
  return (
    stagesOf(days).find(
      (stage) => endsAt > endsAtStage(stage, now).after && endsAt <= endsAtStage(stage, now).until,
    ) ?? null
  );
}

/** The time of the next reminder after now. Null after the last one. */
export function nextReminderAt(endsAt: number, now: number, days: number | null = null): number | null {
  const times = stagesOf(days).map((stage) => endsAt - stage * DAY_MS);
  return times.find((time) => time > now) ?? null;
}

export function isEndedStage(stage: RenewalStage): boolean {
  return stage <= 0;
}

export interface StageInput {
  readonly stage: RenewalStage;
  readonly endsAt: number;
  readonly now: number;
}

export function isStageOver({ stage, endsAt, now }: StageInput): boolean {
  return endsAt <= endsAtStage(stage, now).after;
}

export interface DaysInput {
  readonly endsAt: number;
  readonly now: number;
  /** Returns UTC minus local time in minutes, like `Date#getTimezoneOffset`. The default is UTC. */
  readonly offsetAt?: (timestamp: number) => number;
}

/** Calendar days until `endsAt`. 0 means today. */
export function daysUntil({ endsAt, now, offsetAt = () => 0 }: DaysInput): number {
  const day = (timestamp: number) => Math.floor((timestamp - offsetAt(timestamp) * MINUTE_MS) / DAY_MS);
  return day(endsAt) - day(now);
}

export function describeDaysUntil(days: number): string {
  if (days <= 0) return 'today';
  return days === 1 ? 'tomorrow' : `in ${days} days`;
}
