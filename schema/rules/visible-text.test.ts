import { describe, expect, it } from 'vitest';
import { trimUnseen } from './visible-text.ts';

describe('trimUnseen', () => {
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
  ])('returns an empty text for the invisible %j', (text) => expect(trimUnseen(text)).toBe(''));

  it.each([
    ['  a b\n', 'a b'],
    ['\u200Ba', '\u200Ba'],
    ['\u2800a', '\u2800a'],
    ['👩‍🚀', '👩‍🚀'],
    ['❤️', '❤️'],
    ['می‌خواهم', 'می‌خواهم'],
  ])('keeps the visible characters of %j as %j', (text, kept) => expect(trimUnseen(text)).toBe(kept));
});
