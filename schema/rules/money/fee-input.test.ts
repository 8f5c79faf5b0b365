import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_FEE_LAMPORTS } from '#schema/constants/money.ts';
import { describeFeeProblem, normalizeFeeInput, readApplicationFee, readMonthlyFee } from './fee-input.ts';
import { formatSol } from './lamports.ts';

// Specification 5.6, 5.7
it.each([
  ['0.5', '0.5'],
  ['.5', '0.5'],
  ['0.5 SOL', '0.5'],
  ['.5sol', '0.5'],
  [' 1', ' 1'],
  ['1 ', '1 '],
  ['1 Sol ', '1 Sol '],
  ['SOL', ''],
  ['', ''],
  ['1 SOL SOL', '1 SOL'],
  ['SOL 1', 'SOL 1'],
  ['5\u00a0sol', '5'],
  ['0.5.', '0.5.'],
])('normalizeFeeInput turns %j into %j', (text, normalized) => {
  expect(normalizeFeeInput(text)).toBe(normalized);
});

// Specification 5.3, 9.8
it.each([
  ['', 0n],
  ['0.01', 10_000_000n],
  ['.01', 10_000_000n],
  ['0.01 SOL', 10_000_000n],
  ['1', 1_000_000_000n],
  ['1000000', MAX_FEE_LAMPORTS],
  ['0', 'below_minimum'],
  ['0.00', 'below_minimum'],
  ['0.0099', 'below_minimum'],
  ['0.009999999', 'below_minimum'],
  ['999999.999999999', MAX_FEE_LAMPORTS - 1n],
  ['1000000.000000001', 'too_high'],
  ['999999999999', 'too_high'],
  ['9'.repeat(40), 'too_high'],
  [' ', 'not_a_number'],
  [' 1', 'not_a_number'],
  ['1 ', 'not_a_number'],
  ['1 000', 'not_a_number'],
  ['-1', 'not_a_number'],
  ['1e3', 'not_a_number'],
  ['abc', 'not_a_number'],
  ['NaN', 'not_a_number'],
  ['SOL', 'not_a_number'],
  ['1,5', 'not_a_number'],
  ['0.0000000001', 'not_a_number'],
  ['free', 'not_a_number'],
])('the fee %j in an application is read as %s', (text, fee) => {
  expect(readApplicationFee(text)).toBe(fee);
});

// Specification 5.9, 9.6
it.each([
  [null, 0n],
  ['0.0001', 100_000n],
  ['0.00000001', 10n],
  ['0.000000009', 'too_low'],
  ['0.000000001', 'too_low'],
  ['.5 SOL', 500_000_000n],
  ['', 'not_a_number'],
  ['SOL', 'not_a_number'],
  ['0', 'below_minimum'],
  ['0.0', 'below_minimum'],
  ['   ', 'not_a_number'],
  ['-0.1', 'not_a_number'],
  ['1000000', MAX_FEE_LAMPORTS],
  ['1000000.000000001', 'too_high'],
  ['1000001', 'too_high'],
  ['999999999999', 'too_high'],
  [' 1', 'not_a_number'],
  ['\t1', 'not_a_number'],
  ['1\u00a0', 'not_a_number'],
])('the monthly fee %j is read as %s', (text, fee) => {
  expect(readMonthlyFee(text)).toBe(fee);
});

const anyFee = fc.bigInt({ min: 0n, max: 2n * MAX_FEE_LAMPORTS });

it('both fee fields accept a fee in any notation, within their limits', () => {
  fc.assert(
    fc.property(anyFee, fc.constantFrom('', ' SOL', 'sol', '  Sol'), (fee, unit) => {
      const text = `${formatSol(fee).replace(/^0\./, '.')}${unit}`;
      const within = (minimum: bigint) => {
        if (fee < minimum) return 'below_minimum';
        if (fee < 10n) return 'too_low';
        return fee > MAX_FEE_LAMPORTS ? 'too_high' : fee;
      };
      expect(readMonthlyFee(text)).toBe(within(1n));
      expect(readApplicationFee(text)).toBe(within(10_000_000n));
    }),
  );
});

it('both fee fields refuse text that is not a decimal number', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[ \d.eE+-]{1,12}( ?SOL)?$/)), (text) => {
      const isDecimal = /^(\d*\.)?\d+(\s*sol)?$/i.test(text);
      fc.pre(text !== '' && !isDecimal);
      expect(readMonthlyFee(text)).toBe('not_a_number');
      expect(readApplicationFee(text)).toBe('not_a_number');
    }),
  );
});

it.each([
  ['below_minimum', 'Too low.'],
  [
    'not_a_number',
    'Enter an amount in SOL without spaces or extra zeros in front, and with at most 9 decimals, such as 0.25.',
  ],
  ['too_low', 'The monthly fee must be at least 0.00000001 SOL. Enter a higher fee, or choose Free.'],
  ['too_high', 'The monthly fee can be at most 1,000,000 SOL. Enter a lower fee.'],
] as const)('the message for the fee problem %s is: %s', (problem, text) => {
  expect(describeFeeProblem(problem, 'Too low.')).toBe(text);
});
