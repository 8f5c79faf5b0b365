import type { CallerListItem } from '#schema/contracts/callers.ts';
import { afterFeeText } from '#schema/rules/calls/after-fee-text.ts';
import { formatMonthlyFee } from '#schema/rules/text/format.ts';
import {
  drawCard,
  drawFact,
  drawLine,
  drawPerson,
  drawText,
  type CardPerson,
  type Fact,
} from './card-drawing.ts';
import { faces } from './card-fonts.ts';
import { colours, LEFT, RIGHT, ROOM, toneOf } from './card-layout.ts';
import {
  describeChange,
  describeRecord,
  fitFigure,
  measure,
  wrap,
  type CallRecord,
  type Variants,
} from './card-text.ts';

export type CallerRecord = CallRecord &
  Pick<CallerListItem, 'avgReturn' | 'proven' | 'monthlyFee' | 'afterFee'>;

interface CallerCard {
  readonly caller: CardPerson;
  readonly record: CallerRecord;
  readonly host: string;
}

const DETAILS = { face: faces.regular, size: 34, maxWidth: ROOM } as const;

/** Draws a caller's card as SVG. It leads with what a month made after the fee. */
export function drawCallerCard({ caller, record, host }: CallerCard): string {
  const { avgReturn, proven, monthlyFee, afterFee } = record;
  const { gainUsd, headline, details } = afterFeeText(afterFee);
  const [gain = headline, period = ''] = gainUsd === null ? [] : headline.split(/ (.*)/);
  const note = describeRecord(record);
  const changeOf = (percent: number | null) =>
    percent === null ? (['–'] as const) : describeChange(percent);
  return drawCard(
    [
      drawLine({ changePercent: gainUsd ?? 0, y: 490, rise: { least: 14, most: 44 } }),
      drawPerson(caller, { top: 48, radius: 68, name: 56, handle: 34, note, host }),
      drawHeadline({ gain, period, fill: toneOf(gainUsd ?? 0).colour }),
      ...wrap(details, DETAILS).map((line, at) =>
        drawText(line, { ...DETAILS, x: LEFT, y: 376 + at * 46, fill: colours.muted }),
      ),
      drawFigure('Avg Return', changeOf(avgReturn), { x: LEFT, anchor: 'start', maxWidth: 340 }),
      drawFigure('Proven', changeOf(proven), { x: LEFT + ROOM / 2, anchor: 'middle', maxWidth: 240 }),
      drawFigure('Monthly fee', [formatMonthlyFee(monthlyFee)], { x: RIGHT, anchor: 'end', maxWidth: 400 }),
    ],
    host,
  );
}

const drawFigure = (label: string, variants: Variants, place: Pick<Fact, 'x' | 'anchor' | 'maxWidth'>) =>
  drawFact({ ...place, label, variants, face: faces.semibold });

function drawHeadline({ gain, period, fill }: { gain: string; period: string; fill: string }): string {
  const [face, y] = [faces.semibold, 314];
  const size = period === '' ? 0 : 46;
  const room = ROOM - measure(period, face) * size - 24;
  const figure = fitFigure([gain], { face, size: 124, smallest: 56, maxWidth: room });
  const periodX = LEFT + measure(gain, face) * figure.size + 24;
  return (
    drawText(gain, { x: LEFT, y, size: figure.size, face, fill, spacing: -figure.size * 0.015 }) +
    (period === '' ? '' : drawText(period, { x: periodX, y, size, face }))
  );
}
