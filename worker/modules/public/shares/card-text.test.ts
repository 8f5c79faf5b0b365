import { expect, it } from 'vitest';
import { faces } from './card-fonts.ts';
import { SMALLEST_TEXT } from './card-layout.ts';
import {
  abbreviate,
  drawable,
  fitFigure,
  measure,
  describePrice,
  truncate,
  withDirections,
} from './card-text.ts';

const face = faces.semibold;
it.each([
  ['plain', 'plain'],
  ['Ada 🪁 Byron', 'Ada Byron'],
  ['a\u202Eb\u0000c', 'ab c'],
  ['  much   space\n', 'much space'],
  ['line1\nline2\u00A0\u2003line3', 'line1 line2 line3'],
  ['e\u0301', 'é'],
  ['½ SOL x²', '½ SOL x²'],
  ['🇫🇷 Ada 👍🏽', 'Ada'],
  ['Ōé Žižek', 'Ōé Žižek'],
  ['山🪁', ''],
  ['👩‍🚀❤️ Ada', 'Ada'],
  ['A\u200Bd\u2060a\u00AD', 'Ada'],
  ['\u200B\u200D\u2060\uFEFF\u200F', ''],
  ['می‌خواهم\u200C', 'می‌خواهم'],
  ['\u3164', ''],
])('drawable keeps only the characters that the font has: %j becomes %j', (text, drawn) =>
  expect(drawable(text, face)).toBe(drawn),
);

it.each([
  '𝐁𝐎𝐍𝐊',
  '𝓐𝓭𝓪 Byron',
  'ＢＯＮＫ',
  'BONK𝟐',
  'BONKⓈ',
  'CO₂',
  'ﬁ',
  'B\u0336ONK',
  'BONK山',
  '1\uFE0F\u20E3INCH',
  'BONK\u{1F172}',
])('drawable returns an empty text if the font lacks a letter or digit: %j', (text) =>
  expect(drawable(text, face)).toBe(''),
);

it('truncate cuts a text only if it is too wide', () => {
  expect(truncate('Ada', { face, size: 38, maxWidth: 400 })).toBe('Ada');
  const cut = truncate('W'.repeat(40), { face, size: 38, maxWidth: 400 });
  expect(cut).toMatch(/^W+…$/);
  expect(measure(cut, face) * 38).toBeLessThanOrEqual(400);
  expect(measure(`${cut.slice(0, -1)}W…`, face) * 38).toBeGreaterThan(400);
});

it('fitFigure reduces the font size, and abbreviates a figure that would get too small', () => {
  const room = { face: faces.mono, size: 44, smallest: SMALLEST_TEXT, maxWidth: 400 };
  expect(fitFigure(['$1'], room)).toEqual({ text: '$1', size: 44 });
  expect(fitFigure(['$0.0000000001', '$0'], room)).toEqual({ text: '$0.0000000001', size: 44 });
  const long = fitFigure(['$100,000,000.0000', '$100M'], room);
  expect(long.text).toBe('$100,000,000.0000');
  expect(long.size).toBeLessThan(44);
  expect(measure(long.text, faces.mono) * long.size).toBeLessThanOrEqual(400);
  expect(fitFigure(['$1,000,000,000,000,000.0000', '$1e+15'], room)).toEqual({ text: '$1e+15', size: 44 });
});

it.each([
  [0, '0'],
  [1_234_567, '1.2M'],
  [-2_500, '-2.5K'],
  [1.2e21, '1.2e21'],
])('abbreviate shortens %s to %s', (value, text) => expect(abbreviate(value)).toBe(text));

it('describePrice returns the whole price and a shorter form', () => {
  expect(describePrice('0.00000000012')).toEqual(['$0.00000000012', '$1.2e-10']);
  expect(describePrice('0.82')).toEqual(['$0.8200', '$0.8']);
});

it.each([
  ['Ada Byron!', 'Ada Byron!'],
  ['נועה לוי!', '\u2068נועה לוי!\u2069'],
  ['Ada (محمد علي)', '\u2068Ada (محمد علي)\u2069'],
  ['Ada לוי محمد', '\u2068Ada לוי \u202B\u202Bمحمد\u202C\u202C\u2069'],
  ['', ''],
])('withDirections marks only right-to-left text: %j becomes %j', (text, directed) =>
  expect(withDirections(text)).toBe(directed),
);
