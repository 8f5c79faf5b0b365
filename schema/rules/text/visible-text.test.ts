import { expect, it } from 'vitest';
import { cleanLines, oneLine, trimUnseen } from './visible-text.ts';

it.each([
  '',
  ' \n\t',
  '\u200B',
  ' \u200B\u2060 \uFEFF',
  '\u202E\u202C',
  '\u2066\u2069',
  '\u00AD',
  '\u200D\uFE0F',
  '\u3164',
  '\u2800',
  ' \u2800\u200B\u2800',
  '\u{E0020}',
])('trimUnseen returns an empty text for the invisible %j', (text) => expect(trimUnseen(text)).toBe(''));

it.each([
  ['  a b\n', 'a b'],
  ['\u200Ba', '\u200Ba'],
  ['\u2800a', '\u2800a'],
  ['👩‍🚀', '👩‍🚀'],
  ['❤️', '❤️'],
  ['می‌خواهم', 'می‌خواهم'],
])('trimUnseen turns %j into %j without losing a visible character', (text, included) =>
  expect(trimUnseen(text)).toBe(included),
);

it.each([
  ['Cafe\u0301', 'Caf\u00E9'],
  ['a\u202Eb\u2066c', 'abc'],
  ['a\u0000b\u0007c\u009Bd', 'abcd'],
  ['one\r\ntwo\rthree\n', 'one\ntwo\nthree'],
  ['\u202E\u0000', ''],
  ['\uD800a', '\uFFFDa'],
])('text that people enter loses control characters and direction marks: %j becomes %j', (text, clean) =>
  expect(cleanLines(text)).toBe(clean),
);

it.each([
  ['Cafe\u0301  Ada', 'Caf\u00E9 Ada'],
  ['Ada\u202E\nByron', 'Ada Byron'],
])('a name that people enter becomes one line: %j becomes %j', (text, clean) =>
  expect(oneLine(text)).toBe(clean),
);
