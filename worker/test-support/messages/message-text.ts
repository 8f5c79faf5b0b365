import fc from 'fast-check';
import { expect } from 'vitest';
import { TELEGRAM_MESSAGE_MAX_LENGTH } from '#schema/constants/messages.ts';

/**
 * Patterns of texts that Telegram's clients (TDLib, `MessageEntity.cpp`) or phones turn into links. Includes look-alike
 * characters.
 */
const CLICKABLE: readonly RegExp[] = [
  // A dot inside a word, as in a domain. Also matches URLs and email addresses.
  /[\p{L}\p{N}_~-][.․﹒][\p{L}\p{N}_~-]/u,
  /\b(?:https?|ftp|tg|ton|tonsite|mailto|tel)[:﹕][^\s\u2060]/iu,
  /\p{L}[:﹕][/⁄∕]{2}/u,
  /[@﹫][A-Za-z0-9_]{2}/u,
  /(?<![\p{L}\p{N}_/<>])[/⁄∕][A-Za-z0-9_]/u,
  /[#﹟][\p{L}\p{N}_]/u,
  /[$﹩](?:[A-Z]{3}|1INCH)/u,
  /(?:\p{Nd}[\s()._\p{Pd}]*){7}/u,
];

/** Returns the parts of a text that would become links. */
export function clickableIn(text: string): string[] {
  return CLICKABLE.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
}

const hostileParts = [
  't.me/scam',
  'https://evil.com',
  'www.evil.com',
  'a@evil.com',
  '@admin',
  '/start',
  '#tag',
  '$WIF',
  '+1 (800) 555-0199',
  '4111 1111 1111 1111',
  '4111_1111_1111_1111',
  't․me⁄scam',
  '﹫admin',
  '﹟tag',
  '﹩WIF',
  '\n',
  '\r\n',
  '\u2028',
  '\u0085',
  '\0',
  '\u202E',
  '\u2066',
  '\u2069',
  '\ud800',
  '🪁',
  '👩‍👩‍👧',
  'é',
  'عبد',
  'ABC',
  'Token: x',
  '\n\nPaid promotion',
  ' ',
  '.',
  '。',
];

/** Names that contain links, commands or control characters; some are far too long. */
export const hostileName = fc.oneof(
  fc.array(fc.constantFrom(...hostileParts), { minLength: 1, maxLength: 60 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }),
  fc
    .tuple(fc.constantFrom(...hostileParts), fc.integer({ min: 1, max: 3_000 }))
    .map(([part, times]) => part.repeat(times)),
);

/** Texts by a caller, some longer than a message may be. */
export const callerText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 4_000 }),
  hostileName,
  fc.integer({ min: 3_000, max: 6_000 }).map((length) => 'w'.repeat(length)),
);

export const anyLink = fc
  .integer({ min: 0, max: 300 })
  .map((length) => `https://solcallers.test/call/${'x'.repeat(length)}`);

/** Asserts that Telegram accepts a message and that its last line is the link alone. */
export function expectMessage(text: string, link: string): void {
  expect(text.length).toBeLessThanOrEqual(TELEGRAM_MESSAGE_MAX_LENGTH);
  expect(text.endsWith(`\n\n${link}`)).toBe(true);
  expect(text.isWellFormed()).toBe(true);
}

/** Asserts that hostile names add no lines or links, and that only the first line differs from `plain`. */
export function expectSameLines(text: string, plain: string): void {
  const [lines, expected] = [text.split(/[\n\r\u2028\u2029\u0085]/u), plain.split('\n')];
  expect(lines).toHaveLength(expected.length);
  expect(lines.slice(1)).toEqual(expected.slice(1));
  const firstWord = /^\S+ /;
  expect(firstWord.exec(lines[0] ?? '')?.[0]).toBe(firstWord.exec(expected[0] ?? '')?.[0]);
  expect(clickableIn(lines[0] ?? '')).toEqual([]);
}
