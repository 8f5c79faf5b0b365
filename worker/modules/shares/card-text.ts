import type { Face } from './card-fonts.ts';

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

/** The largest size, at most `size`, at which a text is no wider than `maxWidth`: for figures, which are never cut. */
export function fitSize(text: string, { face, size, maxWidth }: { face: Face; size: number; maxWidth: number }): number {
  return Math.min(size, Math.floor(maxWidth / measure(text, face)));
}

function widthOf(character: string, face: Face): number | null {
  for (const font of face.fonts) {
    const advance = font.advanceOf(character);
    if (advance !== null) return advance;
  }
  return null;
}
