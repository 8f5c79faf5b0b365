import type { CallerListItem } from '#schema/contracts/callers.ts';
import { afterFeeText } from '#schema/rules/calls/after-fee-text.ts';
import { formatMonthlyFee } from '#schema/rules/text/format.ts';
import type { CardPerson } from './card-drawing.ts';
import { describeChange, describeRecord, type CallRecord } from './card-text.ts';
import { drawHeadlineCard } from './headline-card.ts';

export type CallerRecord = CallRecord &
  Pick<CallerListItem, 'avgReturn' | 'proven' | 'monthlyFee' | 'afterFee'>;

interface CallerCard {
  readonly caller: CardPerson;
  readonly record: CallerRecord;
  readonly host: string;
}

/** Draws a caller's card as SVG. It leads with what a month made after the fee. */
export function drawCallerCard({ caller, record, host }: CallerCard): string {
  const { avgReturn, proven, monthlyFee, afterFee } = record;
  const { gainUsd, headline, details, breakEven } = afterFeeText(afterFee);
  const [gain = headline, unit = ''] = gainUsd === null ? [] : headline.split(/ (.*)/);
  return drawHeadlineCard({
    caller,
    note: describeRecord(record),
    figure: [gain],
    unit,
    changePercent: gainUsd ?? 0,
    details: breakEven === '' ? [details] : [details, breakEven],
    facts: [
      { label: 'Avg Return', variants: avgReturn === null ? ['–'] : describeChange(avgReturn) },
      { label: 'Monthly fee', variants: [formatMonthlyFee(monthlyFee)] },
      { label: 'Proven', variants: proven === null ? ['–'] : describeChange(proven) },
    ],
    host,
  });
}
