export const MAX_TWEET_WEIGHT = 280;
const TWEET_URL_LENGTH = 23;
const EMOJI_WEIGHT = 2;
/** In code points. The longest emoji, such as couples with skin tones, have about ten. */
const LONGEST_EMOJI = 16;

/** Ranges of code points that X counts as one; all others count as two. */
const lightRanges: readonly (readonly [number, number])[] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
];

const LATIN = String.raw`\u0300-\u036fa-zA-Z0-9À-ÖØ-öø-\u024f\u1e00-\u1eff`;
const CYRILLIC = String.raw`\u0400-\u052f`;
/** A host is labels with dots between them. The last label begins with a top-level domain. */
const host = (character: string, topLevel: string) =>
  String.raw`(?:(?![\-_])${character}{1,63}(?<![\-_])\.)+(?:${topLevel})(?![a-zA-Z0-9@+\-]|\.[a-zA-Z0-9])`;
const ASCII_TOP_LEVEL = String.raw`(?=[a-zA-Z0-9\-]{2,63}(?![a-zA-Z0-9\-]))[xX][nN]--[a-zA-Z0-9\-]+|[a-zA-Z]{2,63}`;
const ANY_TOP_LEVEL = String.raw`${ASCII_TOP_LEVEL}|[[\p{L}\p{M}]--[a-zA-Z]]{2,63}(?![\p{L}\p{M}])`;
const BARE_HOST = host(String.raw`[${LATIN}\-]`, ASCII_TOP_LEVEL);
const HOST = host(String.raw`[^\s\p{Cf}!-\,\/:-@\[-\^\`\{-~.]`, ANY_TOP_LEVEL);
const IN_PATH = String.raw`[${LATIN}${CYRILLIC}!*';:=+,.$\/%#\[\]\-–_~@\|\&]`;
/** A pair of brackets, which may contain another pair. */
const BRACKETS = String.raw`\((?:${IN_PATH}+|${IN_PATH}*\(${IN_PATH}+\)${IN_PATH}*)\)`;
/** Punctuation at the end of a link isn't part of the link. */
const PATH = String.raw`\/(?:(?:${IN_PATH}|${BRACKETS})*(?:${BRACKETS}|(?![!*';:,.$%\[\]–~@\|\&])${IN_PATH}))?`;
const QUERY = String.raw`\?[a-zA-Z0-9!?*'@\(\);:\&=+$\/%#\[\]\-_.,~\|]*[a-zA-Z0-9\-_\&=#\/]`;
const link = new RegExp(
  String.raw`(?<![a-zA-Z0-9@＠$#＃])(?:[hH][tT]{2}[pP][sS]?:\/\/${HOST}|(?<![_.\/\-])${BARE_HOST})(?::\d+)?(?:${PATH})?(?:${QUERY})?`,
  'gv',
);
// TypeScript allows the `v` flag in a literal only from ES2024.
const emoji = new RegExp('^\\p{RGI_Emoji}$', 'v');

/**
 * Counts a text's length as X does, after NFC normalisation. A link counts as 23, an emoji as 2, a character of
 * Latin and similar scripts as 1, and any other character (such as Chinese) as 2.
 */
export function weightedLength(text: string): number {
  const normalized = text.normalize('NFC');
  const links = normalized.match(link)?.length ?? 0;
  const weights = normalized.split(link).map((part) => weightWithoutLinks([...part]));
  return weights.reduce((sum, weight) => sum + weight, links * TWEET_URL_LENGTH);
}

/** True if X would turn a part of the text into a link, which makes a post more expensive. */
export function hasLink(text: string): boolean {
  return text.normalize('NFC').search(link) !== -1;
}

function weightWithoutLinks(points: readonly string[]): number {
  let total = 0;
  for (let at = 0; at < points.length;) {
    const end = endOfEmoji(points, at);
    total += end > at ? EMOJI_WEIGHT : weightOf(points[at] ?? '');
    at = Math.max(end, at + 1);
  }
  return total;
}

function weightOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return lightRanges.some(([from, to]) => point >= from && point <= to) ? 1 : 2;
}

/** Returns the end of the longest emoji that starts at `start`, with or without variation selectors. */
function endOfEmoji(points: readonly string[], start: number): number {
  for (let end = Math.min(points.length, start + LONGEST_EMOJI); end > start; end -= 1) {
    const sequence = points.slice(start, end);
    if (
      emoji.test(sequence.join('')) ||
      (sequence.length > 1 &&
        sequence.every(isSelectorAllowed) &&
        emoji.test(withVariationSelectors(sequence)))
    ) {
      return end;
    }
  }
  return start;
}

/**
 * True if a variation selector (U+FE0F) is in a valid place: after an emoji character, and before a
 * joiner, a keycap or the end. True for all other characters.
 */
function isSelectorAllowed(point: string, index: number, sequence: readonly string[]): boolean {
  if (point !== '\uFE0F') return true;
  const [before = '', first = ''] = [sequence[index - 1], sequence[index - 2]];
  const isImage =
    /^\p{Emoji}$/u.test(before) &&
    !/^\p{Regional_Indicator}$/u.test(before) &&
    (!/^\p{Emoji_Modifier}$/u.test(before) || ['', '\u200D'].includes(first));
  return isImage && ['\u200D', '\u20E3', undefined].includes(sequence[index + 1]);
}

function withVariationSelectors(sequence: readonly string[]): string {
  const bare = sequence.filter((point) => point !== '\uFE0F');
  return bare
    .map((point, index) => point + (needsVariationSelector(point, bare[index + 1]) ? '\uFE0F' : ''))
    .join('');
}

const needsVariationSelector = (point: string, next: string | undefined) =>
  /^\p{Emoji}$/u.test(point) &&
  !/^\p{Emoji_Presentation}$/u.test(point) &&
  !/^\p{Emoji_Modifier}$/u.test(next ?? '');
