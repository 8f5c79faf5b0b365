import { expect, it } from 'vitest';
import { formatRankedCalls } from './ranking-texts.ts';

it.each([
  [0, '0 of 5 ranked calls'],
  [4, '4 of 5 ranked calls'],
  [5, '5 ranked calls'],
  [12_345, '12,345 ranked calls'],
])('the number of ranked calls %s is written as %s', (count, text) =>
  expect(formatRankedCalls(count)).toBe(text),
);
