import { describe, expect, it } from 'vitest';
import { formatRankedCalls } from './ranking-texts.ts';

describe('formatRankedCalls', () => {
  it.each([
    [0, '0 of 5 ranked calls'],
    [4, '4 of 5 ranked calls'],
    [5, '5 ranked calls'],
    [12_345, '12,345 ranked calls'],
  ])('writes %s as %s', (count, text) => expect(formatRankedCalls(count)).toBe(text));
});
