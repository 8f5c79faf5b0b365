import type { Recap } from '#schema/rules/calls/recap.ts';
import { formatCount, formatRate } from '#schema/rules/text/format.ts';
import { describeSample, drawFigure } from './caller-card.ts';
import { drawBrand, drawCard, drawLine, drawPerson, drawText, type CardPerson } from './card-drawing.ts';
import { faces } from './card-fonts.ts';
import { LEFT, RIGHT, ROOM, SMALLEST_TEXT, toneOf, type Anchor } from './card-layout.ts';
import { abbreviate, describeChange, drawable, fitFigure, truncate, type Variants } from './card-text.ts';

interface RecapCard {
  readonly caller: CardPerson;
  readonly recap: Recap;
  readonly period: string;
}

const BEST_CALLS = { y: 626, size: 40, maxWidth: ROOM / 2 - 24 } as const;

/** Draws a caller's week or month. Winning and losing ones have the same sizes. */
export function drawRecapCard({ caller, recap, period }: RecapCard): string {
  const { endedCalls, winRate, avgReturn, best, worst } = recap;
  const sample = describeSample(recap);
  return drawCard([
    drawLine({ changePercent: avgReturn ?? 0, y: 500, rise: { least: 14, most: 60 } }),
    drawPerson(caller, { top: 48, radius: 68, name: 56, handle: 38 }),
    drawBrand({ baseline: 100 }),
    drawFigure({
      label: 'Ended calls',
      variants: [formatCount(endedCalls), abbreviate(endedCalls)],
      note: [period],
      column: 0,
    }),
    drawFigure({
      label: 'Win Rate',
      variants: winRate === null ? null : [formatRate(winRate)],
      note: sample,
      column: 1,
    }),
    drawFigure({
      label: 'Avg Return',
      variants: avgReturn === null ? null : describeChange(avgReturn),
      note: sample,
      column: 2,
      fill: toneOf(avgReturn ?? 0).colour,
    }),
    drawNamed('Best', best, { x: LEFT, anchor: 'start' }),
    drawNamed('Worst', worst, { x: RIGHT, anchor: 'end' }),
  ]);
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
