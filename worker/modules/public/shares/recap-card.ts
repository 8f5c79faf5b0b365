import type { Recap } from '#schema/rules/calls/recap.ts';
import { formatCount } from '#schema/rules/text/format.ts';
import { averageOf, drawFigures, winRateOf } from './caller-card.ts';
import { drawText, type CardPerson } from './card-drawing.ts';
import { faces } from './card-fonts.ts';
import { LEFT, RIGHT, ROOM, SMALLEST_TEXT, type Anchor } from './card-layout.ts';
import { abbreviate, describeChange, drawable, fitFigure, truncate, type Variants } from './card-text.ts';

interface RecapCard {
  readonly caller: CardPerson;
  readonly recap: Recap;
  readonly period: string;
}

const BEST_CALLS = { y: 626, size: 40, maxWidth: ROOM / 2 - 24 } as const;

/** Draws a caller's week or month. Winning and losing ones have the same sizes. */
export function drawRecapCard({ caller, recap, period }: RecapCard): string {
  const { endedCalls, avgReturn, best, worst } = recap;
  const variants: Variants = [formatCount(endedCalls), abbreviate(endedCalls)];
  const ended = { label: 'Ended calls', variants, note: [period] } as const;
  return drawFigures({
    caller,
    changePercent: avgReturn,
    figures: [ended, winRateOf(recap), averageOf(recap)],
    below: [
      drawNamed('Best', best, { x: LEFT, anchor: 'start' }),
      drawNamed('Worst', worst, { x: RIGHT, anchor: 'end' }),
    ],
  });
}

function drawNamed(label: string, call: Recap['best'], place: { x: number; anchor: Anchor }): string {
  if (call === null) return '';
  const { y, size, maxWidth } = BEST_CALLS;
  const face = faces.semibold;
  const symbol = truncate(drawable(call.symbol, face), { face, size, maxWidth: maxWidth / 2 });
  const named = (change: string) => `${label}: ${change} ${symbol}`;
  const [long, ...shorter] = describeChange(call.countedChange);
  const variants: Variants = [named(long), ...shorter.map(named)];
  const fitted = fitFigure(variants, { face, size, smallest: SMALLEST_TEXT, maxWidth });
  return drawText(fitted.text, { ...place, y, size: fitted.size, face });
}
