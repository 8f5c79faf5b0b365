const KNOWN_LIQUIDITY_USD = 10_000;
const LIQUIDITY_FACTOR = 10;
const MAX_LOOK_ALIKES = 5;

/** Pairs of a character and the Latin letter that it looks like. `spell` handles `1`, which can look like i or l. */
const CYRILLIC =
  'аa Аa вb Вb еe Еe єe зe Зe іi Іi јj Јj кk Кk мm Мm нh Нh оo Оo пn рp Рp сc Сc ' +
  'ѕs Ѕs тt Тt уy Уy гr хx Хx ԁd ԛq ԝw Ԝw ьb һh ӏl Ӏl ѵv шw Шw';
// Has capital and small letters, because they may look like different Latin letters.
const GREEK = 'αa Αa βb Βb γy εe Εe Ζz ηn Ηh ιi Ιi κk Κk Μm νv Νn οo Οo ρp Ρp σo τt Τt υu Υy χx Χx ωw';
const OTHER_LETTERS =
  'օo սu հh ոn ıi łl Łl øo Øo đd Đd ɡg ᴀa ʙb ᴄc ᴅd ᴇe ғf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ' +
  'ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz';
const DIGITS_AND_SIGNS = '0o 2z 3e 4a 5s 8b |l $s';

const CONFUSABLES = new Map(
  `${CYRILLIC} ${GREEK} ${OTHER_LETTERS} ${DIGITS_AND_SIGNS}`
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

/** Letters in filled circles and squares, which have no compatibility form. */
const BOXED = /[\u{1F150}-\u{1F169}\u{1F170}-\u{1F189}]/gu;

function unboxed(letter: string): string {
  return String.fromCodePoint(((letter.codePointAt(0) ?? 0) % 0x20) - 0x10 + 0x61);
}

const IGNORED = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\p{M}\p{P}\s]/gu;

function latinOf(character: string): string {
  const lower = character.toLowerCase();
  return CONFUSABLES.get(character) ?? CONFUSABLES.get(lower) ?? lower;
}

function spell(symbol: string, one: 'i' | 'l'): string {
  const visible = symbol
    .normalize('NFKD')
    .replaceAll(BOXED, unboxed)
    .replaceAll(IGNORED, '')
    .replace(/^\$+/, '');
  return [...visible]
    .map((character) => (character === '1' ? one : latinOf(character)))
    .join('')
    .replaceAll('vv', 'w');
}

/** A key, equal for symbols that look the same. Empty for an invisible symbol. */
export function lookAlikeKey(symbol: string): string {
  return spell(symbol, 'l').replaceAll('i', 'l');
}

/** At most three different symbols to search for in order to find a symbol's look-alikes. */
export function canonicalForms(symbol: string): string[] {
  const asWritten = symbol.normalize('NFKC').replaceAll(IGNORED, '').replace(/^\$+/, '').toLowerCase();
  return [...new Set([asWritten, spell(symbol, 'i'), spell(symbol, 'l')])].filter((symbol) => symbol !== '');
}

export interface KnownToken {
  readonly mint: string;
  readonly symbol: string;
  readonly name: string;
  readonly liquidityUsd: number | null;
  readonly isVerified: boolean | null;
}

/**
 * True if `one` is better known than `other`. A verified token is better known than an unverified one. If
 * both or neither are verified, `one` needs ten times the liquidity of `other`, and at least 10,000 USD.
 */
export function isBetterKnown(one: KnownToken, other: KnownToken): boolean {
  const isOneVerified = one.isVerified === true;
  const isOtherVerified = other.isVerified === true;
  if (isOneVerified !== isOtherVerified) return isOneVerified;
  const liquidity = one.liquidityUsd ?? 0;
  return liquidity >= KNOWN_LIQUIDITY_USD && liquidity >= LIQUIDITY_FACTOR * (other.liquidityUsd ?? 0);
}

/** Returns the keys of the symbol and the name. Leaves out empty keys, which mean that the text is invisible. */
function keysOf({ symbol, name }: KnownToken): string[] {
  return [lookAlikeKey(symbol), lookAlikeKey(name)].filter((key) => key !== '');
}

/** Returns better-known tokens whose symbol or name looks like the symbol or name of `token`, best known first. */
export function findLookAlikes<Token extends KnownToken>(
  token: KnownToken,
  others: readonly Token[],
): Token[] {
  const keys = keysOf(token);
  const byMint = new Map(others.map((other) => [other.mint, other]));
  return [...byMint.values()]
    .filter(
      (other) =>
        other.mint !== token.mint &&
        keysOf(other).some((key) => keys.includes(key)) &&
        isBetterKnown(other, token),
    )
    .toSorted(
      (one, other) =>
        Number(other.isVerified === true) - Number(one.isVerified === true) ||
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
  const distinct = [...new Map(tokens.map((token) => [token.mint, token])).values()];
  const flagged = distinct.map((token) => ({ token, lookAlike: findLookAlikes(token, distinct)[0] ?? null }));
  return flagged.toSorted((one, other) => Number(one.lookAlike !== null) - Number(other.lookAlike !== null));
}
