import { TWEET_LINK_LENGTH } from '#schema/constants/public.ts';

const EMOJI_WEIGHT = 2;
/** Code points that X counts as one. All others count as two. */
const LIGHT_RANGES: readonly (readonly [number, number])[] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
];

/**
 * X treats any domain after http(s):// as a link. Without a protocol, the domain must be in Latin letters. A
 * link never follows a letter, '@', '$' or '#'.
 */
const LATIN = String.raw`a-zA-Z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0300-\u036f\u1e00-\u1eff`;
const IN_LABEL = String.raw`[^\s\p{Cf}!-,./:-@\[-\^\x60{-~]`;
const AT_LABEL_END = String.raw`[^\s\p{Cf}!-/:-@\[-\x60{-~]`;
const ANY_LABEL = `${AT_LABEL_END}(?:${IN_LABEL}{0,61}${AT_LABEL_END})?`;
const LATIN_LABEL = `[${LATIN}](?:[${LATIN}-]{0,61}[${LATIN}])?`;
const NO_MORE_DOMAIN = String.raw`(?![a-zA-Z0-9@+-]|\.[a-zA-Z0-9])`;
const LATIN_ENDING = `(?:[a-zA-Z]{2,63}|[xX][nN]--[a-zA-Z0-9-]{1,59})${NO_MORE_DOMAIN}`;
const ANY_ENDING = String.raw`(?:${LATIN_ENDING}|(?:(?![a-zA-Z])[\p{L}\p{M}]){2,63}(?![\p{L}\p{M}])${NO_MORE_DOMAIN})`;
const LATIN_LABELS = String.raw`(?<![a-zA-Z0-9@＠$#＃_./-])(?:${LATIN_LABEL}\.)+`;
const HOST = String.raw`(?:(?<![a-zA-Z0-9@＠$#＃])[hH][tT][tT][pP][sS]?:\/\/(?:${ANY_LABEL}\.)+${ANY_ENDING}|${LATIN_LABELS}${LATIN_ENDING})`;
/** A link can't end with sentence punctuation. Round brackets in a link must come in pairs. */
const IN_PATH = String.raw`[${LATIN}\u0400-\u052f!*';:=+,.$/%#\[\]–_~@|&-]`;
const BRACKETS = String.raw`\((?:${IN_PATH}+|${IN_PATH}*\(${IN_PATH}+\)${IN_PATH}*)\)`;
const PATH = String.raw`\/(?:(?:${IN_PATH}|${BRACKETS})*(?:[${LATIN}\u0400-\u052f+=_#/-]|${BRACKETS}))?`;
const QUERY = String.raw`\?[a-zA-Z0-9!?*'@();:&=+$/%#\[\]\-_.,~|]*[a-zA-Z0-9\-_&=#/]`;
/**
 * The second alternative skips domain labels that form no link. Without it, the search would start again at
 * each character of these labels, which takes quadratic time.
 */
const LINK = new RegExp(String.raw`(?<link>${HOST}(?::\d+)?(?:${PATH})?(?:${QUERY})?)|${LATIN_LABELS}`, 'gu');

const AS_EMOJI = '\uFE0F';
/** Upper limit for the tags in a flag emoji. Real regional flags have five tags before the end tag. */
const MAX_TAGS = 8;
const ELEMENT = String.raw`(?:\p{RI}\p{RI}|\p{Emoji}(?:\p{EMod}|[\u{E0020}-\u{E007E}]{1,${MAX_TAGS}}\u{E007F}|\uFE0F?\u20E3|\uFE0F)?)`;
/** Matches any sequence that could be an emoji. No emoji has more than four elements. */
const SEQUENCE = new RegExp(`${ELEMENT}(?:\\u200D${ELEMENT}){0,3}`, 'uy');
// Built at run time, because TypeScript allows a literal with the `v` flag only from ES2024 on.
const EMOJI = new RegExp('^\\p{RGI_Emoji}$', 'v');

/**
 * Returns a text's length as X counts it. The text must be in NFC. A link counts as 23, an emoji as two, a
 * Latin code point as one, and any other code point (such as Chinese) as two. X knows all top-level domains.
 * This function accepts any word after a dot instead.
 */
export function weightedLength(text: string): number {
  let weight = 0;
  let at = 0;
  for (const { index, groups } of text.matchAll(LINK)) {
    const link = groups?.['link'];
    if (link === undefined) continue;
    weight += weighPlain(text.slice(at, index)) + TWEET_LINK_LENGTH;
    at = index + link.length;
  }
  return weight + weighPlain(text.slice(at));
}

function weighPlain(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length;) {
    const emoji = emojiAt(text, at);
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    weight += emoji === null ? weightOf(character) : EMOJI_WEIGHT;
    at += (emoji ?? character).length;
  }
  return weight;
}

function weightOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return LIGHT_RANGES.some(([from, to]) => point >= from && point <= to) ? 1 : 2;
}

function emojiAt(text: string, at: number): string | null {
  SEQUENCE.lastIndex = at;
  const points = [...(SEQUENCE.exec(text)?.[0] ?? '')];
  for (let count = points.length; count > 0; count--) {
    const sequence = points.slice(0, count).join('');
    if (EMOJI.test(sequence) || (count > 1 && EMOJI.test(qualify(sequence)))) return sequence;
  }
  return null;
}

/** Adds the emoji variation selectors, which keyboards leave out. */
function qualify(sequence: string): string {
  return sequence
    .replaceAll(AS_EMOJI, '')
    .replaceAll(/\p{Emoji}(?!\p{EMod})/gu, (part) =>
      /[\p{EPres}\p{RI}]/u.test(part) ? part : part + AS_EMOJI,
    );
}
