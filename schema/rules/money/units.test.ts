import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatUnits } from './units.ts';

it.each([
  [0n, 0, '0'],
  [0n, 9, '0'],
  [7n, 0, '7'],
  [1_250_000n, 5, '12.5'],
  [1n, 9, '0.000000001'],
  [100n, 2, '1'],
  [18_446_744_073_709_551_615n, 6, '18446744073709.551615'],
])('formatUnits writes %s with %s decimals as %s', (amount, decimals, text) => {
  expect(formatUnits(amount, decimals)).toBe(text);
});

it('formatUnits loses no digit', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.integer({ min: 0, max: 20 }),
      (amount, decimals) => {
        const [whole = '', fraction = ''] = formatUnits(amount, decimals).split('.');
        return BigInt(whole + fraction.padEnd(decimals, '0')) === amount;
      },
    ),
  );
});
