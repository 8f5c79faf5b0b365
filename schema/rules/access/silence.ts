import { DAY_MS } from '#schema/constants/time.ts';

/**
 * Moves the start or end of a period by a day for each silent day of the caller that it hasn't reached. The view
 * `periods` does the same in SQL.
 * @param days the caller's silent days (unix ms), oldest first
 * @param movesFrom earlier days are already part of `time`; null for a period that never moves
 */
export function movedTime(time: number, movesFrom: number | null, days: readonly number[]): number {
  if (movesFrom === null) return time;
  return days
    .filter((day) => day >= movesFrom)
    .reduce((moved, day) => (moved > day ? moved + DAY_MS : moved), time);
}

export const daysAdded = ({
  endsAt,
  writtenEnd,
}: {
  endsAt: number | null;
  writtenEnd: number | null;
}): number => (endsAt === null || writtenEnd === null ? 0 : Math.round((endsAt - writtenEnd) / DAY_MS));
