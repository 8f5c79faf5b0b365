import { rankedSample } from '#schema/rules/calls/ranking-texts.ts';
import { formatChange, formatCompact, formatCount } from '#schema/rules/text/format.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { oneLine } from '#schema/rules/text/visible-text.ts';
import type { Face } from './card-fonts.ts';

const ELLIPSIS = '…';
/**
 * Matches invisible characters, which are often left over from an emoji. Doesn't match joiners between Arabic
 * letters, because they change the variant.
 */
const INVISIBLE =
  /(?!(?<=\p{Script=Arabic})[\u200C\u200D]\p{Script=Arabic})[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Matches letters, marks and digits. Leaving one out would misspell a name. */
const NAME_CHARACTER = /[\p{Alphabetic}\p{M}\p{N}]/u;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Removes emoji, invisible characters and line breaks. Returns an empty text if the font lacks a letter or
 * digit, because the rest would be another name.
 */
export function drawable(text: string, { metrics }: Face): string {
  const characters = [...oneLine(text.normalize('NFC').replace(INVISIBLE, ''))];
  const hasGlyph = (character: string) => metrics.advanceOf(character) !== null;
  if (characters.some((character) => !hasGlyph(character) && NAME_CHARACTER.test(character))) return '';
  return oneLine(characters.filter(hasGlyph).join(''));
}

/** Upper bound of a text's width at font size 1. Kerning and ligatures only make it narrower. */
export function measure(text: string, face: Face): number {
  return [...text].reduce((width, character) => width + (face.metrics.advanceOf(character) ?? 0), 0);
}

interface Fit {
  readonly face: Face;
  readonly size: number;
  readonly maxWidth: number;
}

export function truncate(text: string, { face, size, maxWidth }: Fit): string {
  if (measure(text, face) * size <= maxWidth) return text;
  const room = maxWidth / size - measure(ELLIPSIS, face);
  let included = '';
  for (const { segment } of segmenter.segment(text)) {
    if (measure(included + segment, face) > room) break;
    included += segment;
  }
  return included.trimEnd() + ELLIPSIS;
}

/** Formats of a number, longest first. */
export type Variants = readonly [string, ...string[]];

/**
 * Returns the first variant that fits with a font size of at least `smallest` and at most `size` px. Numbers
 * are never cut. If no variant fits, the last one gets a smaller font.
 */
export function fitFigure(
  variants: Variants,
  { face, size, smallest, maxWidth }: Fit & { smallest: number },
) {
  const fit = (text: string) => ({
    text,
    size: Math.min(size, Math.floor(maxWidth / measure(text, face))),
  });
  const fitted = variants.map(fit);
  return fitted.find((figure) => figure.size >= smallest) ?? fitted.at(-1) ?? fit(variants[0]);
}

/** Abbreviates a number, such as 1.2M. From 1e15 on, it uses an exponent, such as 1.2e21. */
export function abbreviate(value: number): string {
  if (Math.abs(value) >= 1e15) return formatCompact(value);
  return value.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 });
}

export function describeChange(percent: number): Variants {
  return [formatChange(percent), `${percent > 0 ? '+' : ''}${abbreviate(percent)}%`];
}

/** The caller's public record, as a card names it. */
export interface CallRecord {
  readonly winRate: number | null;
  readonly rankedCalls: number;
}

/** '23 of 31 ranked calls won' */
export function describeRecord({ winRate, rankedCalls }: CallRecord): Variants {
  if (winRate === null) return ['No ranked calls yet'];
  const won = Math.round((winRate * rankedCalls) / 100);
  return [
    `${formatCount(won)} ${rankedSample(rankedCalls)} won`,
    `${abbreviate(won)} of ${abbreviate(rankedCalls)} won`,
  ];
}

const SUBSCRIPT = /[₀-₉]/;

/** A tiny price is written with all of its zeros, because the font has no subscripts for the number of zeros. */
export function describePrice(price: string): Variants {
  const value = Number(price);
  const text = formatPrice(price);
  return SUBSCRIPT.test(text)
    ? [`$${value.toLocaleString('en-US', { maximumSignificantDigits: 4 })}`, `$${value.toExponential(1)}`]
    : [`$${text}`, `$${abbreviate(value)}`];
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const ARABIC_WORDS = /\p{Script=Arabic}[\p{Script=Arabic}\p{M}\u200C\u200D]*/gu;

/**
 * Adds Unicode direction marks, because resvg draws every line from left to right. The isolate takes the
 * direction of its first letter. resvg also shapes text of one direction as one script, so Arabic letters
 * beside Hebrew letters wouldn't join. Two embeddings around each Arabic word prevent this. A single embedding
 * might give the word only the embedding level that its neighbours have.
 */
export function withDirections(text: string): string {
  if (!RIGHT_TO_LEFT.test(text)) return text;
  const words = /\p{Script=Hebrew}/u.test(text)
    ? text.replace(ARABIC_WORDS, '\u202B\u202B$&\u202C\u202C')
    : text;
  return `\u2068${words}\u2069`;
}
