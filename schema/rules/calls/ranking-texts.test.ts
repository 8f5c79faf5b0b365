import { expect, it } from 'vitest';
import { provenProgress, rankedSample } from './ranking-texts.ts';

it('the number of ranked calls is written with a thousands separator', () =>
  expect([1, 12_345].map(rankedSample)).toEqual(['of 1 ranked call', 'of 12,345 ranked calls']));

it('the progress to a Proven figure counts at most the ten mints that are needed', () =>
  expect(provenProgress({ provenDays: 4, provenMints: 31 })).toBe('4 of 10 days, 10 of 10 mints'));
