import bs58 from 'bs58';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findToken, tokens } from './tokens.ts';
import { percentChange, priceAt } from './walk.ts';

const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const start = Date.UTC(2024, 0, 1);
const anyTime = fc.integer({ min: start, max: Date.UTC(2030, 0, 1) });
const anyPriced = fc.constantFrom(...tokens.filter((token) => token.anchorPrice !== null));

test('the market’s tokens have unique 32-byte mints', () => {
  for (const { mint } of tokens) expect(bs58.decode(mint), mint).toHaveLength(32);
  expect(new Set(tokens.map(({ mint }) => mint)).size).toBe(tokens.length);
});

test('the market’s tokens include about thirty real tokens, a fake BONK and a token without a price', () => {
  expect(tokens.filter(({ isReal }) => isReal).length).toBeGreaterThanOrEqual(28);
  const [realBonk, fakeBonk] = tokens.filter(({ symbol }) => symbol === 'BONK');
  expect(realBonk?.isReal).toBe(true);
  expect(fakeBonk?.isReal).toBe(false);
  expect(tokens.some(({ anchorPrice }) => anchorPrice === null)).toBe(true);
});

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

test('priceAt returns a positive, finite price at all times', () => {
  fc.assert(
    fc.property(anyPriced, anyTime, ({ mint }, time) => {
      const price = priceAt(mint, time) ?? Number.NaN;
      expect(price).toBeGreaterThan(0);
      expect(Number.isFinite(price)).toBe(true);
    }),
  );
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

test('priceAt of a stable coin is within 0.5% of a dollar', () => {
  const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  fc.assert(
    fc.property(anyTime, (time) => {
      expect(Math.abs((priceAt(usdc, time) ?? 0) - 1)).toBeLessThan(0.005);
    }),
  );
});

test('priceAt stays near the start price of cheap and expensive tokens, and is null for unknown mints', () => {
  const price = (symbol: string) =>
    priceAt(tokens.find((token) => token.symbol === symbol)?.mint ?? '', start);
  expect(price('DUST0')).toBeGreaterThan(2e-9);
  expect(price('DUST0')).toBeLessThan(5e-8);
  expect(price('HEAVY')).toBeGreaterThan(85_000);
  expect(price('NOPRICE')).toBeNull();
  expect(priceAt('unknown mint', start)).toBeNull();
  expect(findToken('unknown mint')).toBeUndefined();
});
