import type { TokenCall } from '#schema/contracts/calls.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';

/** Returns the change in percent, or null if a price is missing. */
export function endedChange({ entryPrice, endPrice }: TokenCall): number | null {
  return endPrice === undefined || !(Number(entryPrice) > 0) ? null : changePercent(entryPrice, endPrice);
}
