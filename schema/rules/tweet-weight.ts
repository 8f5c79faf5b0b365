import { TWEET_LINK_LENGTH } from '#schema/constants.ts';

const EMOJI_WEIGHT = 2;
/** Ranges of code points that X counts as one; each other counts as two. */
const LIGHT_RANGES: readonly (readonly [number, number])[] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
];

/* What X takes for a link: with a protocol any domain, without one a domain in Latin letters; never behind a letter, '@', '$' or '#'. */
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
/* What ends a sentence ends no link, and a bracket is the link's only with its partner. */
const IN_PATH = String.raw`[${LATIN}\u0400-\u052f!*';:=+,.$/%#\[\]–_~@|&-]`;
const BRACKETS = String.raw`\((?:${IN_PATH}+|${IN_PATH}*\(${IN_PATH}+\)${IN_PATH}*)\)`;
const PATH = String.raw`\/(?:(?:${IN_PATH}|${BRACKETS})*(?:[${LATIN}\u0400-\u052f+=_#/-]|${BRACKETS}))?`;
const QUERY = String.raw`\?[a-zA-Z0-9!?*'@();:&=+$/%#\[\]\-_.,~|]*[a-zA-Z0-9\-_&=#/]`;
/* Labels that no ending follows are no link from any place within them either: they are taken whole, or each place would be read on from to their end. */
const LINK = new RegExp(String.raw`(?<link>${HOST}(?::\d+)?(?:${PATH})?(?:${QUERY})?)|${LATIN_LABELS}`, 'gu');

const AS_EMOJI = '\uFE0F';
/** Of a flag's region there are five and its end. */
const MOST_TAGS = 8;
const ELEMENT = String.raw`(?:\p{RI}\p{RI}|\p{Emoji}(?:\p{EMod}|[\u{E0020}-\u{E007E}]{1,${MOST_TAGS}}\u{E007F}|\uFE0F?\u20E3|\uFE0F)?)`;
/* Whatever has the form of an emoji; no emoji has more than four elements. */
const SEQUENCE = new RegExp(`${ELEMENT}(?:\\u200D${ELEMENT}){0,3}`, 'uy');
// Built at run time: TypeScript allows the literal's `v` flag from ES2024 on only.
const EMOJI = new RegExp('^\\p{RGI_Emoji}$', 'v');

/**
 * How long X says a text is that is in NFC: a link is 23 whatever its length, an emoji two, Latin and its neighbours one a code
 * point and everything else (Chinese, say) two. X knows which endings of domains exist; here any word behind a dot is one.
 */
export function weigh(text: string): number {
  let weight = 0;
  let at = 0;
  for (const { index, groups } of text.matchAll(LINK)) {
    const link = groups?.['link'];
    if (link === undefined) continue;
    weight += weighWords(text.slice(at, index)) + TWEET_LINK_LENGTH;
    at = index + link.length;
  }
  return weight + weighWords(text.slice(at));
}

function weighWords(text: string): number {
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

/** The longest emoji that stands here. */
function emojiAt(text: string, at: number): string | null {
  SEQUENCE.lastIndex = at;
  const points = [...(SEQUENCE.exec(text)?.[0] ?? '')];
  for (let count = points.length; count > 0; count--) {
    const sequence = points.slice(0, count).join('');
    if (EMOJI.test(sequence) || (count > 1 && EMOJI.test(qualify(sequence)))) return sequence;
  }
  return null;
}

/** The same sequence with every mark that says 'as an emoji', which people's keyboards leave out. */
function qualify(sequence: string): string {
  return sequence
    .replaceAll(AS_EMOJI, '')
    .replaceAll(/\p{Emoji}(?!\p{EMod})/gu, (part) =>
      /[\p{EPres}\p{RI}]/u.test(part) ? part : part + AS_EMOJI,
    );
}
