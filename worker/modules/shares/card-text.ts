import type { CardFont, Face } from './card-fonts.ts';

const ELLIPSIS = '…';
/** Format characters, often what is left of an emoji. Between Arabic letters a joiner is a matter of spelling. */
const UNSEEN = /(?!(?<=\p{Script=Arabic})[\u200C\u200D]\p{Script=Arabic})[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * What of a text can be drawn: letters in fancy dress become plain ones, and what no font has (emoji,
 * controls, other scripts) or nobody sees is left out. Empty when nothing remains.
 */
export function drawable(text: string, face: Face): string {
  const known = [...text.normalize('NFKC').normalize('NFC')].filter((character) => widthOf(character, face) !== null);
  return known.join('').replace(UNSEEN, '').replace(/\s+/g, ' ').trim();
}

/** Width of a text at font size 1. Kerning and joining only make it narrower. */
export function measure(text: string, face: Face): number {
  return [...text].reduce((width, character) => width + (widthOf(character, face) ?? 0), 0);
}

/** A text cut, with an ellipsis, to what fits. `size` and `maxWidth` in pixels. */
export function truncate(text: string, { face, size, maxWidth }: { face: Face; size: number; maxWidth: number }): string {
  if (measure(text, face) * size <= maxWidth) return text;
  const room = maxWidth / size - measure(ELLIPSIS, face);
  let kept = '';
  for (const { segment } of segmenter.segment(text)) {
    if (measure(kept + segment, face) > room) break;
    kept += segment;
  }
  return kept.trimEnd() + ELLIPSIS;
}

/** Ways to write one figure, the fullest first. */
export type Ways = readonly [string, ...string[]];

/** A figure and the size in pixels at which it is written. */
export interface FittedFigure {
  readonly text: string;
  readonly size: number;
}

/**
 * The first of some ways to write a figure, the fullest first, that fits at `smallest` or larger, as large as it fits up
 * to `size`. Figures are never cut; where none fits, the last is as large as it has to be to fit.
 */
export function fitFigure(ways: Ways, { face, size, smallest, maxWidth }: { face: Face; size: number; smallest: number; maxWidth: number }): FittedFigure {
  const fitted = ways.map((text) => ({ text, size: Math.min(size, Math.floor(maxWidth / measure(text, face))) }));
  return fitted.find((figure) => figure.size >= smallest) ?? (fitted.at(-1) as FittedFigure);
}

/** A figure that is too long to be written out: 1.2M, and 1.2e+21 where even trillions have no end. */
export function inShort(value: number): string {
  if (Math.abs(value) >= 1e15) return value.toExponential(1);
  return value.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 });
}

type Script = 'arabic' | 'hebrew' | 'other';

function scriptOf(text: string): Script {
  if (/\p{Script=Arabic}/u.test(text)) return 'arabic';
  return /\p{Script=Hebrew}/u.test(text) ? 'hebrew' : 'other';
}

/**
 * A text in the order in which its pieces (`fontRuns`) stand from left to right. A line that begins in Arabic or Hebrew
 * has its end on the left, an ellipsis too. Arabic is one piece, which the rasteriser orders; Hebrew is one a word, because
 * its font has no space.
 */
export function inVisualOrder(text: string): string {
  const isFromTheRight = scriptOf(/\p{L}/u.exec(text)?.[0] ?? '') !== 'other';
  const [ending = ''] = (isFromTheRight ? /[ .,:;!?…]+$/.exec(text) : null) ?? [];
  const runs: { script: Script; words: string[] }[] = [];
  for (const word of text.slice(0, text.length - ending.length).split(' ')) {
    const run = runs.at(-1);
    const script = /[\p{L}\p{N}]/u.test(word) ? scriptOf(word) : (run?.script ?? 'other');
    if (run?.script === script) run.words.push(word);
    else runs.push({ script, words: [word] });
  }
  const line = runs.map(({ script, words }) => (script === 'hebrew' ? words.toReversed() : words).join(' '));
  return isFromTheRight ? ending + line.toReversed().join(' ') : line.join(' ');
}

/** A piece of a text that one font draws. `width` at font size 1. */
export interface FontRun {
  readonly family: string;
  readonly text: string;
  readonly width: number;
}

/**
 * A text by the fonts that draw it, each piece to be drawn by itself: where one font lacks a letter, the rasteriser shapes
 * all of it with the next, and leaves boxes when that joins letters (لا). What is no letter stays with the piece before it
 * where that font has it.
 */
export function fontRuns(text: string, face: Face): FontRun[] {
  const runs: { font: CardFont; text: string }[] = [];
  for (const character of text) {
    const run = runs.at(-1);
    const isLetter = /[\p{L}\p{N}]/u.test(character);
    const fonts = !isLetter && run !== undefined ? [run.font, ...face.fonts] : face.fonts;
    const font = fonts.find(({ metrics }) => metrics.advanceOf(character) !== null) ?? face.fonts[0];
    if (run?.font === font) run.text += character;
    else runs.push({ font, text: character });
  }
  return runs.map((run) => ({ family: run.font.family, text: run.text, width: measure(run.text, { ...face, fonts: [run.font] }) }));
}

function widthOf(character: string, face: Face): number | null {
  for (const { metrics } of face.fonts) {
    const advance = metrics.advanceOf(character);
    if (advance !== null) return advance;
  }
  return null;
}
