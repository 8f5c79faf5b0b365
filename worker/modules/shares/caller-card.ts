import { formatChange, formatMonthlyFee, formatRate } from '#schema/rules/format.ts';
import {
  BESIDE_BRAND,
  colours,
  drawBrand,
  drawCard,
  drawLine,
  drawPerson,
  drawText,
  LEFT,
  RIGHT,
  ROOM,
  SMALLEST_TEXT,
  toneOf,
  type CardPerson,
} from './card-drawing.ts';
import { faces } from './card-fonts.ts';
import { fitFigure, inShort, measure, type Ways } from './card-text.ts';

/** A caller's record as everybody may see it. Rates in percent, null before the first ended call (`provenRate`: ranked one). */
export interface CallerRecord {
  readonly winRate: number | null;
  readonly avgReturn: number | null;
  readonly provenRate: number | null;
  readonly endedCalls: number;
  /** Decimal string in SOL; null is Free. */
  readonly monthlyFee: string | null;
}

const COLUMN = ROOM / 3;
const TAGLINE = { text: 'Solana token calls', size: 34 } as const;

/** The card of a caller as SVG: who they are, what their ended calls came to, and what following them costs. */
export function drawCallerCard({ caller, record }: { caller: CardPerson; record: CallerRecord }): string {
  const { avgReturn, winRate, provenRate } = record;
  const sample = describeSample(record);
  const change =
    avgReturn === null
      ? null
      : ([formatChange(avgReturn), `${avgReturn > 0 ? '+' : ''}${inShort(avgReturn)}%`] as const);
  return drawCard([
    // The line of the average call; level for who has ended none.
    drawLine({ changePercent: avgReturn ?? 0, y: 500, rise: { least: 14, most: 60 } }),
    drawPerson(caller, { top: 48, maxWidth: BESIDE_BRAND, sizes: { radius: 68, name: 56, handle: 38 } }),
    drawBrand({ baseline: 100 }),
    drawFigure({
      label: 'Avg Return',
      ways: change,
      note: sample,
      column: 0,
      fill: toneOf(avgReturn ?? 0).colour,
    }),
    drawFigure({
      label: 'Win Rate',
      ways: winRate === null ? null : [formatRate(winRate)],
      note: sample,
      column: 1,
    }),
    drawFigure({
      label: 'Proven',
      ways: provenRate === null ? null : [formatRate(provenRate)],
      note: [provenRate === null ? 'none ranked yet' : 'at least, 95% sure'],
      column: 2,
    }),
    drawFee(record),
  ]);
}

function describeSample({ endedCalls }: CallerRecord): Ways {
  if (endedCalls === 0) return ['none ended yet'];
  if (endedCalls === 1) return ['1 ended call'];
  return [`${endedCalls.toLocaleString('en-US')} ended calls`, `${inShort(endedCalls)} ended calls`];
}

function drawFigure({
  label,
  ways,
  note,
  column,
  fill = colours.text,
}: {
  label: string;
  ways: Ways | null;
  note: Ways;
  column: number;
  fill?: string;
}): string {
  const x = LEFT + column * COLUMN;
  const figure = fitFigure(ways ?? ['–'], {
    face: faces.semibold,
    size: 96,
    smallest: 56,
    maxWidth: COLUMN - 28,
  });
  const sample = fitFigure(note, {
    face: faces.regular,
    size: 34,
    smallest: SMALLEST_TEXT,
    maxWidth: COLUMN - 28,
  });
  return (
    drawText(label, { x, y: 276, size: 36, face: faces.regular, fill: colours.muted }) +
    drawText(figure.text, {
      x,
      y: 368,
      size: figure.size,
      face: faces.semibold,
      fill: ways === null ? colours.muted : fill,
      spacing: -figure.size * 0.015,
    }) +
    drawText(sample.text, { x, y: 420, size: sample.size, face: faces.regular, fill: colours.muted })
  );
}

function drawFee({ monthlyFee }: CallerRecord): string {
  const fee = formatMonthlyFee(monthlyFee);
  const period = fee === 'Free' ? 'to follow' : 'a month';
  const size = { period: 38, gap: 20 };
  const beside =
    size.gap +
    measure(period, faces.regular) * size.period +
    48 +
    measure(TAGLINE.text, faces.regular) * TAGLINE.size;
  const figure = fitFigure([fee], {
    face: faces.semibold,
    size: 64,
    smallest: SMALLEST_TEXT,
    maxWidth: ROOM - beside,
  });
  return (
    drawText(figure.text, { x: LEFT, y: 626, size: figure.size, face: faces.semibold }) +
    drawText(period, {
      x: LEFT + measure(figure.text, faces.semibold) * figure.size + size.gap,
      y: 626,
      size: size.period,
      face: faces.regular,
      fill: colours.muted,
    }) +
    drawText(TAGLINE.text, {
      x: RIGHT,
      y: 626,
      size: TAGLINE.size,
      face: faces.regular,
      fill: colours.muted,
      anchor: 'end',
    })
  );
}
