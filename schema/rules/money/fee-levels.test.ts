import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LAMPORTS_PER_SOL } from '#schema/constants/money.ts';
import { feeLevelOf, isTopOfFeeLevel, LAST_FEE_LEVEL } from './fee-levels.ts';

const sol = (amount: number) => BigInt(Math.round(amount * 10)) * (LAMPORTS_PER_SOL / 10n);

it.each([
  [0n, 0],
  [1n, 1],
  [sol(0.1), 1],
  [sol(0.1) + 1n, 2],
  [sol(4), 40],
  [sol(4) + 1n, 41],
  [sol(5), 41],
  [sol(50), 46],
  [sol(50) + 1n, 47],
  [sol(1_000_000), 47],
])('a fee of %d lamports has the fee level %d', (fee, level) => {
  expect(feeLevelOf(fee)).toBe(level);
  expect(level).toBeLessThanOrEqual(LAST_FEE_LEVEL);
});

it('each tenth of a SOL up to 4 SOL is the top of a fee level', () => {
  for (let tenths = 0; tenths <= 40; tenths++) expect(isTopOfFeeLevel(sol(tenths / 10))).toBe(true);
  expect([4.1, 4.9, 5.5, 50.1].map((fee) => isTopOfFeeLevel(sol(fee)))).toEqual([false, false, false, false]);
});

it('fee levels never fall as the fee rises', () => {
  const fee = fc.bigInt({ min: 0n, max: sol(60) });
  fc.assert(fc.property(fee, fee, (one, other) => feeLevelOf(one) <= feeLevelOf(one > other ? one : other)));
});
