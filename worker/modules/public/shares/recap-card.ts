import type { Recap } from '#schema/rules/calls/recap.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import type { CardPerson } from './card-drawing.ts';
import { faces } from './card-fonts.ts';
import { describeChange, describeRecord, drawable, truncate } from './card-text.ts';
import { drawHeadlineCard } from './headline-card.ts';

interface RecapCard {
  readonly caller: CardPerson;
  readonly recap: Recap;
  readonly period: string;
  readonly host: string;
}

/** Draws a caller's week or month. */
export function drawRecapCard({ caller, recap, period, host }: RecapCard): string {
  const { endedCalls, avgReturn, best, worst } = recap;
  return drawHeadlineCard({
    caller,
    note: describeRecord(recap),
    figure: avgReturn === null ? ['–'] : describeChange(avgReturn),
    changePercent: avgReturn ?? 0,
    unit: 'average of ranked calls',
    details: [`${pluralize(endedCalls, 'call')} ended ${period}.`],
    facts: [...named('Best', best), ...named('Worst', worst)],
    host,
  });
}

function named(label: string, call: Recap['best']) {
  if (call === null) return [];
  const symbol = truncate(drawable(call.symbol, faces.regular), {
    face: faces.regular,
    size: 34,
    maxWidth: 260,
  });
  return [{ label: `${label}: ${symbol}`, variants: describeChange(call.countedChange) }];
}
