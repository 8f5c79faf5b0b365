import { drawCard, drawFact, drawLine, drawPerson, drawText, type CardPerson } from './card-drawing.ts';
import { faces } from './card-fonts.ts';
import { colours, LEFT, RIGHT, ROOM, SMALLEST_TEXT, toneOf } from './card-layout.ts';
import { fitFigure, measure, type Variants } from './card-text.ts';

interface HeadlineCard {
  readonly caller?: CardPerson;
  readonly note?: Variants;
  /** The largest text. Its colour and the line follow `changePercent`. */
  readonly figure: Variants;
  readonly changePercent: number;
  readonly unit?: string;
  readonly details: readonly string[];
  /** Below the line: at the left, then at the right, with a third one between them. */
  readonly facts?: readonly Fact[];
  readonly host: string;
}

interface Fact {
  readonly label: string;
  readonly variants: Variants;
}

const FIGURE = { face: faces.semibold, size: 124, smallest: 56 } as const;
const UNIT = { face: faces.semibold, size: 46, gap: 24 } as const;
const DETAILS = { face: faces.regular, size: 34, smallest: SMALLEST_TEXT, maxWidth: ROOM } as const;
const PLACES = [
  { x: LEFT, anchor: 'start', maxWidth: 340 },
  { x: RIGHT, anchor: 'end', maxWidth: 400 },
  { x: LEFT + ROOM / 2, anchor: 'middle', maxWidth: 240 },
] as const;

/** Draws a card that leads with one figure. Gains and losses have the same sizes. */
export function drawHeadlineCard(card: HeadlineCard): string {
  const { caller, note = null, changePercent, unit = '', details, facts = [], host } = card;
  const unitWidth = unit === '' ? 0 : measure(unit, UNIT.face) * UNIT.size + UNIT.gap;
  const { text, size } = fitFigure(card.figure, { ...FIGURE, maxWidth: ROOM - unitWidth });
  const fill = toneOf(changePercent).colour;
  const unitX = LEFT + measure(text, FIGURE.face) * size + UNIT.gap;
  return drawCard(
    [
      drawLine({ changePercent, y: 490, rise: { least: 14, most: 44 } }),
      caller === undefined
        ? ''
        : drawPerson(caller, { top: 48, radius: 68, name: 56, handle: 34, note, host }),
      drawText(text, { ...FIGURE, x: LEFT, y: 314, size, fill, spacing: -size * 0.015 }),
      drawText(unit, { ...UNIT, x: unitX, y: 314 }),
      ...details.map((line, at) =>
        drawText(line, {
          ...DETAILS,
          ...fitFigure([line], DETAILS),
          x: LEFT,
          y: 376 + at * 46,
          fill: colours.muted,
        }),
      ),
      ...PLACES.slice(0, facts.length).map((place, at) =>
        drawFact({ ...place, label: '', variants: ['–'], ...facts[at], face: faces.semibold }),
      ),
    ],
    host,
  );
}
