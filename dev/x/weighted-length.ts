export const MAX_TWEET_WEIGHT = 280;
const TWEET_URL_LENGTH = 23;
const EMOJI_WEIGHT = 2;
const LONGEST_LABEL = 63;
/** In code points. The longest emoji, such as couples with skin tones, have about ten. */
const LONGEST_EMOJI = 16;

/** Ranges of code points that X counts as one; all others count as two. */
const lightRanges: readonly (readonly [number, number])[] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
];

const latin = /[\u0300-\u036fa-zA-Z0-9À-ÖØ-öø-\u024f\u1e00-\u1eff]/;
const cyrillic = /[\u0400-\u052f]/;
const noDomain = /[\s\p{Cf}!-,/:-@[-^`{-~]/u;
const letter = /[\p{L}\p{M}]/u;
// TypeScript allows the `v` flag in a literal only from ES2024.
const emoji = new RegExp('^\\p{RGI_Emoji}$', 'v');

/**
 * Counts a text's length as X does, after NFC normalisation. A link counts as 23, an emoji as 2, a character of
 * Latin and similar scripts as 1, and any other character (such as Chinese) as 2.
 */
export function weightedLength(text: string): number {
  const points = [...text.normalize('NFC')];
  let total = 0;
  for (let at = 0; at < points.length;) {
    const linkEnd = endOfLink(points, at);
    const emojiEnd = endOfEmoji(points, at);
    if (linkEnd > at) total += TWEET_URL_LENGTH;
    else total += emojiEnd > at ? EMOJI_WEIGHT : weightOf(points[at] ?? '');
    at = Math.max(linkEnd > at ? linkEnd : emojiEnd, at + 1);
  }
  return total;
}

/** True if X would turn a part of the text into a link, which makes a post more expensive. */
export function hasLink(text: string): boolean {
  const points = [...text.normalize('NFC')];
  return points.some((_, at) => endOfLink(points, at) > at);
}

function weightOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return lightRanges.some(([from, to]) => point >= from && point <= to) ? 1 : 2;
}

/** Returns the end of the link that starts at `start`, or `start` if there is no link. */
function endOfLink(points: readonly string[], start: number): number {
  const before = points[start - 1] ?? ' ';
  if (/[a-zA-Z0-9@＠$#＃]/.test(before)) return start;
  const protocol = /^https?:\/\//i.exec(points.slice(start, start + 8).join(''))?.[0].length ?? 0;
  if (protocol === 0 && /[_./-]/.test(before)) return start;
  const hostEnd = endOfHost(points, { start: start + protocol, isBare: protocol === 0 });
  return hostEnd === undefined ? start : endOfQuery(points, endOfPath(points, endOfPort(points, hostEnd)));
}

interface Label {
  at: number;
  text: string[];
}

function splitLabels(
  points: readonly string[],
  { start, isInHost }: { start: number; isInHost: (point: string) => boolean },
): Label[] {
  const labels: Label[] = [{ at: start, text: [] }];
  for (let at = start; at < points.length; at += 1) {
    const point = points[at] ?? '';
    if (point === '.') labels.push({ at: at + 1, text: [] });
    else if (isInHost(point)) labels.at(-1)?.text.push(point);
    else break;
  }
  return labels;
}

/**
 * Returns the end of a host. A host is a list of labels with dots between them; the last label is a
 * top-level domain.
 */
function endOfHost(
  points: readonly string[],
  { start, isBare }: { start: number; isBare: boolean },
): number | undefined {
  const isInHost = (point: string) => (isBare ? latin.test(point) || point === '-' : !noDomain.test(point));
  const labels = splitLabels(points, { start, isInHost });
  const isLabel = ({ text }: Label) =>
    text.length > 0 && text.length <= LONGEST_LABEL && !/[-_]/.test(`${text[0]}${text.at(-1)}`);
  const firstWrong = labels.findIndex((label) => !isLabel(label));
  const last = Math.min(labels.length - 1, firstWrong === -1 ? Infinity : firstWrong);
  for (let index = last; index > 0; index -= 1) {
    const { at = 0, text = [] } = labels[index] ?? {};
    const length = lengthOfEnding(text.join(''), { isBare });
    const after = points[at + length] ?? ' ';
    const goesOn =
      /[a-zA-Z0-9@+-]/.test(after) || (after === '.' && /[a-zA-Z0-9]/.test(points[at + length + 1] ?? ' '));
    if (length > 0 && !goesOn) return at + length;
  }
  return undefined;
}

function lengthOfEnding(label: string, { isBare }: { isBare: boolean }): number {
  const ascii = /^(?:xn--[a-z0-9-]+|[a-z]+)/i.exec(label)?.[0].length ?? 0;
  if (ascii > 0) return ascii >= 2 && ascii <= LONGEST_LABEL ? ascii : 0;
  if (isBare) return 0;
  const points = [...label];
  const end = points.findIndex((point) => !letter.test(point) || /[a-z]/i.test(point));
  const length = end === -1 ? points.length : end;
  const isWhole = end === -1 || !letter.test(points[end] ?? '');
  return isWhole && length >= 2 && length <= LONGEST_LABEL ? length : 0;
}

function endOfPort(points: readonly string[], start: number): number {
  let at = start + 1;
  while (/^\d$/.test(points[at] ?? '')) at += 1;
  return points[start] === ':' && at > start + 1 ? at : start;
}

const isInPath = (point: string | undefined) =>
  point !== undefined &&
  (latin.test(point) || cyrillic.test(point) || "!*';:=+,.$/%#[]-–_~@|&".includes(point));

function endOfPath(points: readonly string[], start: number): number {
  if (points[start] !== '/') return start;
  let end = start + 1;
  for (let at = end; at < points.length;) {
    const next = points[at] === '(' ? endOfBrackets(points, at) : at + (isInPath(points[at]) ? 1 : 0);
    if (next === at) break;
    // Punctuation at the end of a link isn't part of the link.
    if (next > at + 1 || !"!*';:,.$%[]–~@|&".includes(points[at] ?? '')) end = next;
    at = next;
  }
  return end;
}

/**
 * Returns the end of a pair of brackets, which may contain another pair. `start` if the brackets are
 * unbalanced.
 */
function endOfBrackets(points: readonly string[], start: number): number {
  const skip = (from: number): number => {
    let at = from;
    while (isInPath(points[at])) at += 1;
    return at;
  };
  const first = skip(start + 1);
  if (points[first] === ')') return first > start + 1 ? first + 1 : start;
  const inner = skip(first + 1);
  if (points[first] !== '(' || inner === first + 1 || points[inner] !== ')') return start;
  const last = skip(inner + 1);
  return points[last] === ')' ? last + 1 : start;
}

function endOfQuery(points: readonly string[], start: number): number {
  if (points[start] !== '?') return start;
  let end = start;
  for (let at = start + 1; /^[a-zA-Z0-9!?*'@();:&=+$/%#[\]\-_.,~|]$/.test(points[at] ?? ''); at += 1) {
    if (/[a-zA-Z0-9\-_&=#/]/.test(points[at] ?? '')) end = at + 1;
  }
  return end;
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
