import { MIN_RANKED_LIQUIDITY_USD } from '#schema/constants.ts';

/** How many times as much has to be behind a token for it to be the better known of two. */
const MUCH_DEEPER = 10;
const MAX_LOOK_ALIKES = 5;

/** Each letter or digit behind the Latin letter that it is taken for. `1` is told apart by what is asked. */
const CONFUSABLES = new Map(
  [
    // Cyrillic
    'аa',
    'Аa',
    'вb',
    'Вb',
    'еe',
    'Еe',
    'єe',
    'зe',
    'Зe',
    'іi',
    'Іi',
    'јj',
    'Јj',
    'кk',
    'Кk',
    'мm',
    'Мm',
    'нh',
    'Нh',
    'оo',
    'Оo',
    'пn',
    'рp',
    'Рp',
    'сc',
    'Сc',
    'ѕs',
    'Ѕs',
    'тt',
    'Тt',
    'уy',
    'Уy',
    'хx',
    'Хx',
    'ԁd',
    'ԛq',
    'ԝw',
    'Ԝw',
    'ьb',
    'һh',
    'ӏl',
    'Ӏl',
    'ѵv',
    'шw',
    'Шw',
    // Greek: capitals and small letters look like different ones
    'αa',
    'Αa',
    'βb',
    'Βb',
    'γy',
    'εe',
    'Εe',
    'Ζz',
    'ηn',
    'Ηh',
    'ιi',
    'Ιi',
    'κk',
    'Κk',
    'Μm',
    'νv',
    'Νn',
    'οo',
    'Οo',
    'ρp',
    'Ρp',
    'σo',
    'τt',
    'Τt',
    'υu',
    'Υy',
    'χx',
    'Χx',
    'ωw',
    // Letters of other alphabets and small capitals
    'օo',
    'սu',
    'հh',
    'ոn',
    'ıi',
    'łl',
    'Łl',
    'øo',
    'Øo',
    'đd',
    'Đd',
    'ɡg',
    'ᴀa',
    'ʙb',
    'ᴄc',
    'ᴅd',
    'ᴇe',
    'ғf',
    'ɢg',
    'ʜh',
    'ɪi',
    'ᴊj',
    'ᴋk',
    'ʟl',
    'ᴍm',
    'ɴn',
    'ᴏo',
    'ᴘp',
    'ʀr',
    'ꜱs',
    'ᴛt',
    'ᴜu',
    'ᴠv',
    'ᴡw',
    'ʏy',
    'ᴢz',
    // Digits and signs
    '0o',
    '2z',
    '3e',
    '4a',
    '5s',
    '8b',
    '|l',
    '$s',
  ].map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

/** What nobody sees (zero-width and other format characters, marks, spaces), and what parts letters. */
const UNREAD = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\p{M}\p{P}\s]/gu;

/** A symbol in small Latin letters as far as it can be read so; signs of other kinds stay. */
function spell(symbol: string, one: 'i' | 'l'): string {
  const seen = symbol.normalize('NFKD').replaceAll(UNREAD, '').replace(/^\$+/, '');
  return [...seen]
    .map((character) =>
      character === '1'
        ? one
        : (CONFUSABLES.get(character) ?? CONFUSABLES.get(character.toLowerCase()) ?? character.toLowerCase()),
    )
    .join('')
    .replaceAll('vv', 'w');
}

/** What a symbol is read as at a glance: two symbols that read the same are equal here. Empty for one that nobody can see. */
export function readsAs(symbol: string): string {
  return spell(symbol, 'l').replaceAll('i', 'l');
}

/** The symbols to search for, to find the tokens that one may be taken for; at most three, none twice. */
export function spellings(symbol: string): string[] {
  const asWritten = symbol.normalize('NFKC').replaceAll(UNREAD, '').replace(/^\$+/, '').toLowerCase();
  return [...new Set([asWritten, spell(symbol, 'i'), spell(symbol, 'l')])].filter((words) => words !== '');
}

/** What says how well a token is known; null where nobody says. */
export interface KnownToken {
  readonly mint: string;
  readonly symbol: string;
  readonly liquidityUsd: number | null;
  readonly isVerified: boolean | null;
}

/** Whether of two tokens the first is the better known: it alone is verified, or has much more behind it. */
export function isBetterKnown(one: KnownToken, other: KnownToken): boolean {
  const isOneVerified = one.isVerified === true;
  const isOtherVerified = other.isVerified === true;
  if (isOneVerified !== isOtherVerified) return isOneVerified;
  const depth = one.liquidityUsd ?? 0;
  return depth >= MIN_RANKED_LIQUIDITY_USD && depth >= MUCH_DEEPER * (other.liquidityUsd ?? 0);
}

/** Of some tokens those that a token may be taken for: they read the same and are better known. The best known first. */
export function findLookAlikes<Token extends KnownToken>(
  token: KnownToken,
  others: readonly Token[],
): Token[] {
  const reading = readsAs(token.symbol);
  if (reading === '') return [];
  const byMint = new Map(others.map((other) => [other.mint, other]));
  return [...byMint.values()]
    .filter(
      (other) =>
        other.mint !== token.mint && readsAs(other.symbol) === reading && isBetterKnown(other, token),
    )
    .toSorted(
      (one, other) =>
        Number(other.isVerified === true) - Number(one.isVerified === true) ||
        (other.liquidityUsd ?? 0) - (one.liquidityUsd ?? 0),
    )
    .slice(0, MAX_LOOK_ALIKES);
}
