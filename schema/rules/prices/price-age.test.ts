import { expect, it } from 'vitest';
import { MAX_FRESH_PRICE_AGE_MS } from '#schema/constants/prices.ts';
import { formatPriceAge, freshUntil, staleAge, youngerPrice } from './price-age.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const aged = (age: number) => ({ at: new Date(NOW - age).toISOString() });

it.each([
  [-5_000, null],
  [0, null],
  [MAX_FRESH_PRICE_AGE_MS, null],
  [MAX_FRESH_PRICE_AGE_MS + 1, MAX_FRESH_PRICE_AGE_MS + 1],
  [180_000, 180_000],
])('staleAge returns the age of a stale price and null for a fresh one: for %d ms, %s', (age, stale) => {
  expect(staleAge(aged(age), NOW)).toBe(stale);
});

it('a price is fresh until the time that freshUntil returns, and stale afterwards', () => {
  const price = aged(10_000);
  expect(staleAge(price, freshUntil(price))).toBeNull();
  expect(staleAge(price, freshUntil(price) + 1)).not.toBeNull();
});

it.each([
  [61_000, '1m old'],
  [180_000, '3m old'],
  [7_500_000, '2h 5m old'],
])('the label of a price that is %d ms old is "%s"', (age, words) => {
  expect(formatPriceAge(age)).toBe(words);
});

const [old, young] = [aged(60_000), aged(1_000)];
it.each([
  [old, young, young],
  [young, old, young],
  [undefined, old, old],
  [old, undefined, old],
  [undefined, undefined, undefined],
])('youngerPrice of %j and %j is %j', (one, other, younger) => {
  expect(youngerPrice(one, other)).toBe(younger);
});
