import { expect, it } from 'vitest';
import { provenText, rankedSample } from './ranking-texts.ts';

it('the number of ranked calls is written with a thousands separator', () =>
  expect([1, 12_345].map(rankedSample)).toEqual(['of 1 ranked call', 'of 12,345 ranked calls']));

it.each([
  [{ proven: 4.12 }, 'At least +4.1% more SOL per call than holding it.'],
  [{ proven: -2.3 }, 'Not proven: it may be 2.3% less SOL per call than holding it.'],
  [{ provenResults: 12 }, 'Too early: 12 of 20 results.'],
  [{ provenTokens: 6 }, 'Too early: 6 of 10 tokens.'],
  [{ provenResults: 12, provenTokens: 5, provenBets: 4 }, 'Too early: 4 of 10 separate bets.'],
  [{ provenResults: 0, provenTokens: 0, provenBets: 1 }, 'Too early: 0 of 20 results.'],
])('the text of Proven for %o is “%s”', (figures, text) =>
  expect(provenText({ proven: null, provenResults: 40, provenTokens: 31, provenBets: 15, ...figures })).toBe(
    text,
  ),
);
