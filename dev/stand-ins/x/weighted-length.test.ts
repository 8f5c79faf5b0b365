import fc from 'fast-check';
import { expect, test } from 'vitest';
import { weightedTweetLength } from '#schema/rules/text/tweet-text.ts';
import { trimUnseen } from '#schema/rules/text/visible-text.ts';
import { weightedLength } from './weighted-length.ts';

/** Parts of generated texts. Most look like a link or an emoji but aren't. */
const fragments = [
  ...'http:// HTTPS:// /call/1 ?a=b solcallers.example пример.рф x.co jp comこれ xn--p1ai 日本 é a Z 7'.split(
    ' ',
  ),
  ...". / - _ : 8787 ? = & # @ ＠ $ ( ) (( )) ! , ' … – ’".split(' '),
  'a'.repeat(64),
  ' ',
  '\n',
];
const emoji = [
  ...'👩 👩🏽 👨‍👩‍👧‍👦 🐱 ❤ 🔥 🏳 🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏽 🇳🇴 🇽 © 1 ☺'.split(' '),
  ...'\u200D \uFE0F \u20E3 e\u0301 \u{1F468} \u2066 \uD83D'.split(' '),
];
const text = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...fragments, ...emoji) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''));

test('the product and the local X count the same length for any text', () => {
  fc.assert(
    fc.property(text, (sample) => {
      expect(weightedTweetLength(sample)).toBe(weightedLength(trimUnseen(sample)));
    }),
    { numRuns: 3_000 },
  );
});
