import type { Rows } from '../support/row-queries.ts';
import { must } from './violation.ts';

// The rule of silent days, written again without the product: day by day, caller by caller.

const DAY_MS = 24 * 60 * 60 * 1000;
const SILENT_AFTER_MS = 7 * DAY_MS;
const MAX_DAYS = 30;

type Subscription = Rows['subscriptions'][number];

/** The periods with the times that their silent days have moved. */
export const withSilentDays = ({ subscriptions, silentDays }: Rows): Subscription[] =>
  subscriptions.map((period) => {
    let { starts_at, ends_at } = period;
    for (const { caller_id, at } of silentDays) {
      if (caller_id !== period.caller_id || period.moves_from === null || at < period.moves_from) continue;
      if (starts_at > at) starts_at += DAY_MS;
      if (ends_at !== null && ends_at > at) ends_at += DAY_MS;
    }
    return { ...period, starts_at, ends_at };
  });

const lastActBefore = ({ acts, callers }: Rows, callerId: string, at: number): number =>
  Math.max(
    callers.find(({ caller_id }) => caller_id === callerId)?.created_at ?? 0,
    ...acts.filter((act) => act.caller_id === callerId && act.at <= at).map((act) => act.at),
  );

/** Checks that each silent day is a midnight of a silence and that no silence has more than 30 silent days. */
export function checkSilentDays(rows: Rows): void {
  const streaks = Map.groupBy(rows.silentDays, ({ caller_id, since }) => `${caller_id} since ${since}`);
  for (const [silence, days] of streaks) {
    must(days.length <= MAX_DAYS, `${days.length} silent days of ${silence}`);
    must(new Set(days.map(({ at }) => at)).size === days.length, `a silent day of ${silence} counts twice`);
    for (const { caller_id, at, since } of days) {
      must(at % DAY_MS === 0, `a silent day of ${silence} is no midnight`);
      must(since === lastActBefore(rows, caller_id, at), `${caller_id} was not silent since ${since}`);
      must(at - since >= SILENT_AFTER_MS, `${caller_id} was silent for only ${at - since} ms`);
    }
  }
}

/** Checks after a cron run that the last midnight is a silent day of every Paid caller to whom the rule applies. */
export function checkLastMidnight(rows: Rows, now: number): void {
  const midnight = now - (now % DAY_MS);
  for (const { caller_id, fee_lamports, deletes_at, updated_at } of rows.callers) {
    // A caller who is leaving has no silent days. One whose terms changed since midnight may have been Free or leaving then.
    if (fee_lamports === 0 || deletes_at !== null || updated_at > midnight) continue;
    const since = lastActBefore(rows, caller_id, midnight);
    const days = rows.silentDays.filter((day) => day.caller_id === caller_id);
    const before = days.filter(({ at }) => at > since && at < midnight).length;
    const isRunning = withSilentDays(rows).some(
      (period) =>
        period.caller_id === caller_id &&
        period.payment_id !== null &&
        period.starts_at <= midnight &&
        (period.ends_at ?? 0) > midnight,
    );
    const isDue = isRunning && midnight - since >= SILENT_AFTER_MS && before < MAX_DAYS;
    must(
      !isDue || days.some(({ at }) => at === midnight),
      `the last midnight is no silent day of ${caller_id}`,
    );
  }
}
