import { oneLine } from '#schema/rules/visible-text.ts';
import type { Face } from './card-fonts.ts';

const ELLIPSIS = '…';
/** Format characters, often what is left of an emoji. Between Arabic letters a joiner is a matter of spelling. */
const UNSEEN =
  /(?!(?<=\p{Script=Arabic})[\u200C\u200D]\p{Script=Arabic})[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** What a name is spelled with. */
const SPELLING = /[\p{Alphabetic}\p{M}\p{N}]/u;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * What of a text can be drawn, on one line: what nobody sees and what no font has (emoji) is left out. Empty when nothing
 * remains, and when a letter or a digit would have to be left out or be changed: that would be another name.
 */
export function drawable(text: string, { metrics }: Face): string {
  const characters = [...oneLine(text.normalize('NFC').replace(UNSEEN, ''))];
  const isDrawn = (character: string) => metrics.advanceOf(character) !== null;
  if (characters.some((character) => !isDrawn(character) && SPELLING.test(character))) return '';
  return oneLine(characters.filter(isDrawn).join(''));
}

/** Width of a text at font size 1. Kerning and joining only make it narrower. */
export function measure(text: string, face: Face): number {
  return [...text].reduce((width, character) => width + (face.metrics.advanceOf(character) ?? 0), 0);
}

/** A text cut, with an ellipsis, to what fits. `size` and `maxWidth` in pixels. */
export function truncate(
  text: string,
  { face, size, maxWidth }: { face: Face; size: number; maxWidth: number },
): string {
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
export function fitFigure(
  ways: Ways,
  { face, size, smallest, maxWidth }: { face: Face; size: number; smallest: number; maxWidth: number },
): FittedFigure {
  const fitted = ways.map((text) => ({
    text,
    size: Math.min(size, Math.floor(maxWidth / measure(text, face))),
  }));
  return fitted.find((figure) => figure.size >= smallest) ?? (fitted.at(-1) as FittedFigure);
}

/** A figure that is too long to be written out: 1.2M, and 1.2e+21 where even trillions have no end. */
export function inShort(value: number): string {
  if (Math.abs(value) >= 1e15) return value.toExponential(1);
  return value.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 });
}

const FROM_THE_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const ARABIC_WORDS = /\p{Script=Arabic}[\p{Script=Arabic}\p{M}\u200C\u200D]*/gu;

/**
 * A line as the rasteriser is to have it. It knows the bidirectional algorithm, but takes every line as one from left to
 * right: an isolate of its own goes the way of its first letter. And it shapes what goes one way as one script: beside
 * Hebrew each Arabic word is embedded a level deeper (two, as the first may be the level that it has), else it is not joined.
 */
export function withDirections(text: string): string {
  if (!FROM_THE_RIGHT.test(text)) return text;
  const words = /\p{Script=Hebrew}/u.test(text)
    ? text.replace(ARABIC_WORDS, '\u202B\u202B$&\u202C\u202C')
    : text;
  return `\u2068${words}\u2069`;
}
