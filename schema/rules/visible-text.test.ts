import { describe, expect, it } from 'vitest';
import { trimUnseen } from './visible-text.ts';

describe('a text that is trimmed', () => {
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
  ])('is empty when nothing of it can be seen: %j', (text) => expect(trimUnseen(text)).toBe(''));

  it.each([
    ['  a b\n', 'a b'],
    ['\u200Ba', '\u200Ba'],
    ['\u2800a', '\u2800a'],
    ['👩‍🚀', '👩‍🚀'],
    ['❤️', '❤️'],
    ['می‌خواهم', 'می‌خواهم'],
  ])('keeps what can be: %j', (text, kept) => expect(trimUnseen(text)).toBe(kept));
});
