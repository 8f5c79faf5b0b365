import { STATISTICS_WINDOWS_DAYS } from '#schema/constants.ts';
import type { StatisticsWindow } from '#schema/contracts/callers.ts';

const [MONTH, QUARTER] = STATISTICS_WINDOWS_DAYS;

/** Length of each window in days; null for all calls. */
export const windowDays: Record<StatisticsWindow, number | null> = {
  '30d': MONTH,
  '90d': QUARTER,
  all: null,
};

export const windowOptions = [
  { value: '30d', label: `${MONTH} d` },
  { value: '90d', label: `${QUARTER} d` },
  { value: 'all', label: 'All' },
] as const satisfies readonly { value: StatisticsWindow; label: string }[];

/** Text that follows the word 'ended'. */
export const windowPhrases: Record<StatisticsWindow, string> = {
  '30d': `in the last ${MONTH} days`,
  '90d': `in the last ${QUARTER} days`,
  all: 'so far',
};
