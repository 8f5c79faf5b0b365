import { expect, it } from 'vitest';
import { DAY_MS } from '#schema/constants/time.ts';
import { priceAt } from '../stand-ins/market/walk.ts';
import { createFixtures } from './fixtures.ts';
import { planCalls } from './plan-calls.ts';

const now = Date.UTC(2026, 10, 30);
const from = now - 60 * DAY_MS;

/** The claims of an update's words about the change in percent, and about the share of the way to the target. */
const CLAIMS: readonly [RegExp, (change: number, way: number | null) => boolean][] = [
  [/costs nothing to wait/, (change) => change > 5],
  [/Halfway to the target/, (_change, way) => way !== null && way > 0.35 && way < 0.65],
  [/target is reached/, (_change, way) => way !== null && way >= 1],
  [/At the entry/, (change) => Math.abs(change) < 3],
  [/Down from the entry/, (change) => change < -3],
  [/Below my stop/, (change) => change < -5],
];

it('no update of a sample call contradicts the price at its time', () => {
  const calls = createFixtures({ from, now }).callers.flatMap((caller) => planCalls({ caller, from, now }));
  const counts = CLAIMS.map(() => 0);
  for (const { token, seenPrice, targetPrice, stopPrice, updates } of calls) {
    for (const { message, at } of updates) {
      const [price, entry] = [priceAt(token.mint, at) ?? 0, Number(seenPrice)];
      const way = targetPrice === null ? null : (price - entry) / (Number(targetPrice) - entry);
      for (const [index, [words, holds]] of CLAIMS.entries()) {
        if (!words.test(message)) continue;
        expect(holds((price / entry - 1) * 100, way), `${token.symbol}: ${message}`).toBe(true);
        counts[index] = (counts[index] ?? 0) + 1;
      }
      if (/stop\. I should/.test(message)) expect(price).toBeLessThanOrEqual(Number(stopPrice) * 1.001);
    }
  }
  expect(Math.min(...counts)).toBeGreaterThan(0);
});
