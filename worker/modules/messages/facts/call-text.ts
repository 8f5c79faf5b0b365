import { automaticEndTexts } from '#schema/rules/calls/ranking-texts.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { formatDuration } from '#schema/rules/text/format-durations.ts';
import { formatChange } from '#schema/rules/text/format.ts';
import type { messageColumns } from '../../market/calls/call-columns.ts';
import { showCaller, type CallerSummaryRow } from '../../money/callers/caller-summary.ts';
import { describeTime, showToken } from '../../../shared/plain-text.ts';
import type { SelectedRow } from '../../../shared/rows.ts';

type MessageCall = SelectedRow<typeof messageColumns> & CallerSummaryRow;

export const titleOf = (what: string, call: MessageCall, nameLength?: number): string =>
  `${what}: ${showToken(call, nameLength)} by ${showCaller(call, nameLength)}`;

type Levels = Pick<MessageCall, 'targetPrice' | 'stopPrice' | 'isPaidPromotion'> &
  Partial<Record<'targetHitAt' | 'stopHitAt', number | null>>;

export function termsOf(call: Levels): string[] {
  return [
    ...levelOf('Target', call.targetPrice, call.targetHitAt),
    ...levelOf('Stop', call.stopPrice, call.stopHitAt),
    ...(call.isPaidPromotion ? ['Paid promotion: the caller is paid for this call.'] : []),
  ];
}

export function levelOf(name: string, price: string | null, hitAt: number | null = null): string[] {
  if (price === null) return [];
  return [`${name}: $${formatPrice(price)}${hitAt === null ? '' : `, hit on ${describeTime(hitAt)}`}`];
}

export function endOf({ calledAt, endedAt, endPrice, changePercent, automaticEnd }: MessageCall): string[] {
  if (endedAt === null || endPrice === null || changePercent === null) return [];
  return [
    `Result: ${formatChange(changePercent)}`,
    `End: $${formatPrice(endPrice)}`,
    `Held: ${formatDuration(endedAt - calledAt)}`,
    ...(automaticEnd === null ? [] : [`${automaticEndTexts[automaticEnd]}.`]),
  ];
}
