import type { CallerListItem } from '#schema/contracts/callers.ts';
import { formatMonthlyFee, formatRate, pluralize } from '#schema/rules/text/format.ts';
import { drawBrand, drawCard, drawLine, drawPerson, drawText, type CardPerson } from './card-drawing.ts';
import { faces } from './card-fonts.ts';
import { colours, LEFT, RIGHT, ROOM, SMALLEST_TEXT, toneOf } from './card-layout.ts';
import { abbreviate, fitFigure, measure, describeChange, type Variants } from './card-text.ts';

export type CallerRecord = Pick<
  CallerListItem,
  'winRate' | 'avgReturn' | 'proven' | 'rankedCalls' | 'monthlyFee'
>;

const COLUMN = ROOM / 3;
const FEE_BASELINE = 626;
const TAGLINE = { text: 'Solana token calls', size: 34 } as const;

export function drawCallerCard({ caller, record }: { caller: CardPerson; record: CallerRecord }): string {
  const { proven } = record;
  const provenFigure: Figure = {
    label: 'Proven',
    variants: proven === null ? null : describeChange(proven),
    note: [proven === null ? 'too few calls yet' : 'more SOL per call'],
    fill: toneOf(proven ?? 0).colour,
  };
  const figures = [averageOf(record), winRateOf(record), provenFigure];
  return drawFigures({ caller, changePercent: record.avgReturn, figures, below: [drawFee(record)] });
}

interface FiguresCard {
  readonly caller: CardPerson;
  readonly changePercent: number | null;
  readonly figures: readonly Figure[];
  readonly below: readonly string[];
}

/** Draws a card with a caller, a line, and three figures side by side. */
export const drawFigures = ({ caller, changePercent, figures, below }: FiguresCard): string =>
  drawCard([
    drawLine({ changePercent: changePercent ?? 0, y: 500, rise: { least: 14, most: 60 } }),
    drawPerson(caller, { top: 48, radius: 68, name: 56, handle: 38 }),
    drawBrand({ baseline: 100 }),
    ...figures.map(drawFigure),
    ...below,
  ]);

type Averages = Pick<CallerRecord, 'winRate' | 'avgReturn' | 'rankedCalls'>;

export const averageOf = (record: Averages): Figure => ({
  label: 'Avg Return',
  variants: record.avgReturn === null ? null : describeChange(record.avgReturn),
  note: describeSample(record),
  fill: toneOf(record.avgReturn ?? 0).colour,
});

export const winRateOf = (record: Averages): Figure => ({
  label: 'Win Rate',
  variants: record.winRate === null ? null : [formatRate(record.winRate)],
  note: describeSample(record),
});

function describeSample({ rankedCalls }: Averages): Variants {
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

function drawFee({ monthlyFee }: CallerRecord): string {
  const fee = formatMonthlyFee(monthlyFee);
  const period = { text: fee === 'Free' ? 'to follow' : 'a month', size: 38, gap: 20 };
  const periodWidth = period.gap + measure(period.text, faces.regular) * period.size;
  const taglineWidth = 48 + measure(TAGLINE.text, faces.regular) * TAGLINE.size;
  const maxWidth = ROOM - periodWidth - taglineWidth;
  const figure = fitFigure([fee], { face: faces.semibold, size: 64, smallest: SMALLEST_TEXT, maxWidth });
  const periodX = LEFT + measure(figure.text, faces.semibold) * figure.size + period.gap;
  const muted = { y: FEE_BASELINE, face: faces.regular, fill: colours.muted };
  return (
    drawText(figure.text, { x: LEFT, y: FEE_BASELINE, size: figure.size, face: faces.semibold }) +
    drawText(period.text, { ...muted, x: periodX, size: period.size }) +
    drawText(TAGLINE.text, { ...muted, x: RIGHT, size: TAGLINE.size, anchor: 'end' })
  );
}
