import type { Recap } from '#schema/rules/calls/recap.ts';
import { formatCount, formatRate, pluralize } from '#schema/rules/text/format.ts';
import { drawCard, drawLine, drawPerson, drawText, type CardPerson } from './card-drawing.ts';
import { faces } from './card-fonts.ts';
import { colours, LEFT, RIGHT, ROOM, SMALLEST_TEXT, toneOf, type Anchor } from './card-layout.ts';
import { abbreviate, describeChange, drawable, fitFigure, truncate, type Variants } from './card-text.ts';

interface RecapCard {
  readonly caller: CardPerson;
  readonly recap: Recap;
  readonly period: string;
  readonly host: string;
}

const COLUMN = ROOM / 3;
const BEST_CALLS = { y: 626, size: 40, maxWidth: ROOM / 2 - 24 } as const;

/** Draws a caller's week or month. Winning and losing ones have the same sizes. */
export function drawRecapCard({ caller, recap, period, host }: RecapCard): string {
  const { endedCalls, avgReturn, best, worst } = recap;
  const variants: Variants = [formatCount(endedCalls), abbreviate(endedCalls)];
  const ended = { label: 'Ended calls', variants, note: [period] } as const;
  return drawCard(
    [
      drawLine({ changePercent: avgReturn ?? 0, y: 500, rise: { least: 14, most: 60 } }),
      drawPerson(caller, { top: 48, radius: 68, name: 56, handle: 38, host }),
      ...[ended, winRateOf(recap), averageOf(recap)].map(drawFigure),
      drawNamed('Best', best, { x: LEFT, anchor: 'start' }),
      drawNamed('Worst', worst, { x: RIGHT, anchor: 'end' }),
    ],
    host,
  );
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

const averageOf = (recap: Recap): Figure => ({
  label: 'Avg Return',
  variants: recap.avgReturn === null ? null : describeChange(recap.avgReturn),
  note: describeSample(recap),
  fill: toneOf(recap.avgReturn ?? 0).colour,
});

const winRateOf = (recap: Recap): Figure => ({
  label: 'Win Rate',
  variants: recap.winRate === null ? null : [formatRate(recap.winRate)],
  note: describeSample(recap),
});

function describeSample({ rankedCalls }: Recap): Variants {
  if (rankedCalls === 0) return ['none ranked yet'];
  return [pluralize(rankedCalls, 'ranked call'), `${abbreviate(rankedCalls)} ranked calls`];
}

interface Figure {
  readonly label: string;
  readonly variants: Variants | null;
  readonly note: Variants;
  readonly fill?: string;
}

function drawFigure({ label, variants, note, fill = colours.text }: Figure, column: number): string {
  const x = LEFT + column * COLUMN;
  const maxWidth = COLUMN - 28;
  const muted = { x, face: faces.regular, fill: colours.muted };
  const figure = fitFigure(variants ?? ['–'], { face: faces.semibold, size: 96, smallest: 56, maxWidth });
  const sample = fitFigure(note, { face: faces.regular, size: 34, smallest: SMALLEST_TEXT, maxWidth });
  return (
    drawText(label, { ...muted, y: 276, size: 36 }) +
    drawText(figure.text, {
      x,
      y: 368,
      size: figure.size,
      face: faces.semibold,
      fill: variants === null ? colours.muted : fill,
      spacing: -figure.size * 0.015,
    }) +
    drawText(sample.text, { ...muted, y: 420, size: sample.size })
  );
}
