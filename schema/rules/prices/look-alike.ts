import { rectifyConfusion } from 'unicode-confusables';
import type { TokenSafety } from './token-safety.ts';

const KNOWN_LIQUIDITY_USD = 10_000;
const LIQUIDITY_FACTOR = 10;
const MAX_LOOK_ALIKES = 5;

const readPairs = (pairs: string) =>
  new Map(pairs.split(' ').map((pair) => [pair.slice(0, -1), pair.slice(-1)]));

/** Pairs of a character and the Latin letter that it looks like, where Unicode's table has none (Ω has none). `spell` handles `1`. */
const OTHERS = readPairs(
  'вb єe зe кk ҝk мm нh пn ᴎn тt цu ьb ᴙr ӏl шw βb εe κk μu τt χx ωw ΩΩ ßb þp ᴀa ʙb ᴅd ᴇe ғf ɢg ʜh ᴊj ᴋk ĸk ʟl ᴍm ʍm ɴn ' +
    'ᴘp ʀr ᴛt ԼL ᑕc 0o 2z 3e 4a 5s 8b |l $s',
);

/** Signs that stand for a letter in some symbols and are added to others, like the boxed letters of which flags consist. */
const SIGN_LETTERS = readPairs(
  '💲s §s ₴s ₿b ฿b ₦n €e £L ₤L ₽p ©c ⊂c ○o ◯o ⭕o ⚪o ◎o ●o ' +
    '🇦a 🇧b 🇨c 🇩d 🇪e 🇫f 🇬g 🇭h 🇮i 🇯j 🇰k 🇱l 🇲m 🇳n 🇴o 🇵p 🇶q 🇷r 🇸s 🇹t 🇺u 🇻v 🇼w 🇽x 🇾y 🇿z',
);

/** Replaces a character by its look-alike in Unicode's table (version 13). ASCII stays, because the table turns m into rn. */
const similarTo = (character: string) => (character < '\x80' ? character : rectifyConfusion(character));

/**
 * Replaces a character that looks like a Latin letter. This comes before NFKD, which changes some of them to another
 * letter, and before punctuation is removed.
 */
function latinFirst(character: string): string {
  const similar = OTHERS.get(character) ?? similarTo(character);
  return /^[a-z]$/i.test(similar) ? similar : character;
}

/** Letters in filled circles and squares, which have no compatibility form. */
const BOXED = /[\u{1F150}-\u{1F169}\u{1F170}-\u{1F189}]/gu;

function unboxed(letter: string): string {
  return String.fromCodePoint(((letter.codePointAt(0) ?? 0) % 0x20) - 0x10 + 0x61);
}

/** The Braille blank looks like a space but isn't one in Unicode. */
const IGNORED = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\p{M}\p{P}\s\u2800]/gu;

function latinOf(character: string): string {
  const lower = character.toLowerCase();
  const other = OTHERS.get(character) ?? OTHERS.get(lower);
  if (other !== undefined) return other;
  const own = similarTo(character);
  const similar = own === character ? similarTo(lower) : own;
  if (similar === character || similar === lower) return lower;
  const bare = similar.normalize('NFKD').replaceAll(IGNORED, '');
  return bare === 'rn' ? 'm' : [...bare].map(latinOf).join('');
}

/** Characters that look alike in many fonts, like the digit one: a capital i, a small L, a vertical line. */
const STROKES = /[Il|]/;

/** @param stroke replaces each stroke; null leaves them as they are, in lower case */
function spell(text: string, stroke: string | null): string {
  const visible = [...text]
    .map(latinFirst)
    .join('')
    .normalize('NFKD')
    .replaceAll(BOXED, unboxed)
    .replaceAll(IGNORED, '');
  return [...visible]
    .map((character) => (stroke !== null && STROKES.test(character) ? stroke : latinOf(character)))
    .join('')
    .replaceAll('1', stroke ?? '1')
    .replaceAll('vv', 'w');
}

/** Dollar signs before a text, and any signs before these. */
const LEADING_DOLLARS = /^[^\p{L}\p{N}]*[$﹩＄💲](?=.)/u;

/** A key, equal for texts that look the same in upper or lower case. Empty for an invisible text. */
export function lookAlikeKey(text: string): string {
  return spell(text.replace(LEADING_DOLLARS, ''), 'l').replaceAll('i', 'l');
}

/** Imitators add a full stop and one letter to a symbol, or up to two signs such as ✅. */
const ADDED_LETTER = /(?<=..)\.\p{L}$/u;
const MAX_ADDED_SIGNS = 2;
const SIGN = /[^\p{L}\p{N}]/gu;
/** Superscripts, emoji and digits in a box aren't letters and digits, but signs: ᵀ, ℹ, 1️⃣. */
const LETTER_OR_DIGIT = /^(?!\p{Lm}|(?!\d)\p{Emoji})[\p{L}\p{Nd}][^\uFE0F]*$/u;
const graphemes = new Intl.Segmenter('en');

/** A text with and without the signs at each of its ends, because a sign is added (USDT™) or stands for a letter ($OL). */
function withoutOuterSigns(text: string): string[] {
  const all = Array.from(graphemes.segment(text), ({ segment }) => segment);
  const isLetter = (grapheme: string) => LETTER_OR_DIGIT.test(grapheme);
  const [start, end] = [Math.max(0, all.findIndex(isLetter)), all.findLastIndex(isLetter) + 1];
  const ranges = [0, start].flatMap((from) => [all.length, end].map((to) => all.slice(from, to)));
  return ranges.filter((each) => all.length - each.length <= MAX_ADDED_SIGNS).map((each) => each.join(''));
}

function withoutAddedSigns(spelled: string): string {
  const bare = spelled.replaceAll(SIGN, '');
  const signs = [...spelled].length - [...bare].length;
  return bare === '' || signs > MAX_ADDED_SIGNS ? spelled : bare;
}

function spellings(text: string, strokes: readonly (string | null)[]): string[] {
  const ranges = withoutOuterSigns(text.replace(LEADING_DOLLARS, '$'));
  const lettered = ranges.map((each) => Array.from(each, (sign) => SIGN_LETTERS.get(sign) ?? sign).join(''));
  const texts = [...lettered, ranges.at(-1) ?? ''].flatMap((each) => [each, each.replace(ADDED_LETTER, '')]);
  return strokes.flatMap((stroke) =>
    [...new Set(texts)].map((each) => withoutAddedSigns(spell(each, stroke))),
  );
}

/**
 * Keys of a token's symbol or name. Two texts that share a key look alike: they differ only in case, in strokes, or by
 * what an imitator adds. BIT and BLT share no key, because a capital L is no stroke. An invisible text has no keys.
 */
export function tokenKeys(text: string): string[] {
  return [...new Set(spellings(text, [null, 'i', 'ǀ']))].filter((key) => key !== '');
}

/** Different symbols to search for in order to find a symbol's look-alikes: mostly one or two. */
export function canonicalForms(symbol: string): string[] {
  const asWritten = symbol
    .replace(LEADING_DOLLARS, '')
    .normalize('NFKC')
    .replaceAll(IGNORED, '')
    .toLowerCase();
  const forms = [...new Set([asWritten, ...spellings(symbol, ['i', 'l'])])];
  return forms.filter((form) => form !== '');
}

export interface KnownToken {
  readonly mint: string;
  readonly symbol: string;
  readonly name: string;
  readonly liquidityUsd: number | null;
  readonly safety: Pick<TokenSafety, 'isVerified'>;
}

/**
 * True if `one` is better known than `other`. A verified token is better known than an unverified one. If
 * both or neither are verified, `one` needs ten times the liquidity of `other`, and at least 10,000 USD.
 */
export function isBetterKnown(one: KnownToken, other: KnownToken): boolean {
  const isOneVerified = one.safety.isVerified === true;
  const isOtherVerified = other.safety.isVerified === true;
  if (isOneVerified !== isOtherVerified) return isOneVerified;
  const liquidity = one.liquidityUsd ?? 0;
  return liquidity >= KNOWN_LIQUIDITY_USD && liquidity >= LIQUIDITY_FACTOR * (other.liquidityUsd ?? 0);
}

interface Keyed<Token> {
  readonly token: Token;
  readonly keys: readonly string[];
}

const withKeys = <Token extends KnownToken>(token: Token): Keyed<Token> => ({
  token,
  keys: [...tokenKeys(token.symbol), ...tokenKeys(token.name)],
});

/** Returns better-known tokens whose symbol or name looks like the symbol or name of `token`, best known first. */
export function findLookAlikes<Token extends KnownToken>(
  token: KnownToken,
  others: readonly Token[],
): Token[] {
  return lookAlikesOf(withKeys(token), eachOnce(others).map(withKeys));
}

const eachOnce = <Token extends KnownToken>(tokens: readonly Token[]): Token[] => [
  ...new Map(tokens.map((token) => [token.mint, token])).values(),
];

function lookAlikesOf<Token extends KnownToken>(
  { token, keys }: Keyed<KnownToken>,
  others: readonly Keyed<Token>[],
): Token[] {
  return others
    .filter(
      (other) =>
        other.token.mint !== token.mint &&
        other.keys.some((key) => keys.includes(key)) &&
        isBetterKnown(other.token, token),
    )
    .map((other) => other.token)
    .toSorted(
      (one, other) =>
        Number(other.safety.isVerified === true) - Number(one.safety.isVerified === true) ||
        (other.liquidityUsd ?? 0) - (one.liquidityUsd ?? 0),
    )
    .slice(0, MAX_LOOK_ALIKES);
}

export interface LookAlikeMatch<Token> {
  readonly token: Token;
  readonly lookAlike: Token | null;
}

/** Keeps the order, but moves look-alikes of better-known tokens to the end. Lists each mint once. */
export function flagLookAlikes<Token extends KnownToken>(tokens: readonly Token[]): LookAlikeMatch<Token>[] {
  const keyed = eachOnce(tokens).map(withKeys);
  const flagged = keyed.map((each) => ({
    token: each.token,
    lookAlike: lookAlikesOf(each, keyed)[0] ?? null,
  }));
  return flagged.toSorted((one, other) => Number(one.lookAlike !== null) - Number(other.lookAlike !== null));
}
