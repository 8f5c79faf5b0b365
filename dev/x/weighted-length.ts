const TWEET_URL_LENGTH = 23;
const urlPattern = /https?:\/\/[^\s]+/gi;
// Built at run time: TypeScript allows the literal's `v` flag from ES2024 on only.
const emojiPattern = new RegExp('^\\p{RGI_Emoji}$', 'v');
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Ranges of code points that X counts as one; everything else counts as two. */
const lightRanges: readonly (readonly [number, number])[] = [[0, 4351], [8192, 8205], [8208, 8223], [8242, 8247]];

/**
 * How long X says a text is: a link is always 23, an emoji 2, Latin and its neighbours 1 each
 * and everything else (Chinese, say) 2, after normalising to NFC.
 */
export function weightedLength(text: string): number {
  const normal = text.normalize('NFC');
  const links = normal.match(urlPattern) ?? [];
  let total = links.length * TWEET_URL_LENGTH;
  for (const { segment } of segmenter.segment(normal.replace(urlPattern, ''))) {
    if (emojiPattern.test(segment)) total += 2;
    else for (const character of segment) total += weightOf(character);
  }
  return total;
}

function weightOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return lightRanges.some(([from, to]) => point >= from && point <= to) ? 1 : 2;
}
