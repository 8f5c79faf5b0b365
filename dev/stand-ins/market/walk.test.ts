import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokens } from './tokens.ts';
import { percentChange, priceAt } from './walk.ts';

const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const start = Date.UTC(2024, 0, 1);
const anyTime = fc.integer({ min: start, max: Date.UTC(2030, 0, 1) });
const anyPriced = fc.constantFrom(...tokens.filter((token) => token.anchorPrice !== null));

test('priceAt depends only on mint and time', () => {
  fc.assert(
    fc.property(anyPriced, anyTime, anyTime, ({ mint }, time, other) => {
      const first = priceAt(mint, time);
      priceAt(mint, other);
      expect(priceAt(mint, time)).toBe(first);
    }),
  );
  expect(priceAt(BONK, start)).toMatchInlineSnapshot(`0.0000087652376528`);
});

test('priceAt changes by at most 0.2% within a second', () => {
  fc.assert(
    fc.property(anyPriced, anyTime, ({ mint }, time) => {
      const before = priceAt(mint, time) ?? Number.NaN;
      const after = priceAt(mint, time + 1000) ?? Number.NaN;
      expect(Math.abs(after / before - 1)).toBeLessThan(0.002);
    }),
  );
});

test('priceAt changes by 0.5% to 6% in the median hour, and by a factor of more than 4 within a year', () => {
  const hourly = Array.from({ length: 400 }, (_, index) =>
    Math.abs(percentChange({ mint: BONK, timeMs: start + index * 7 * HOUR, overMs: HOUR }) ?? 0),
  );
  const typical = hourly.toSorted((a, b) => a - b)[200] ?? 0;
  expect(typical).toBeGreaterThan(0.5);
  expect(typical).toBeLessThan(6);
  const daily = Array.from({ length: 365 }, (_, index) => priceAt(BONK, start + index * DAY) ?? Number.NaN);
  expect(Math.max(...daily) / Math.min(...daily)).toBeGreaterThan(4);
});
