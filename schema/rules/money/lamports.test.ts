import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { MAX_FEE_LAMPORTS } from '#schema/constants/money.ts';
import { formatSol, formatSolForDisplay, isFreeFee, parseSol, splitFee } from './lamports.ts';

declare module 'vitest' {
  interface ProvidedContext {
    isDeep: boolean;
  }
}

const anyLamports = fc.bigInt({ min: 0n, max: 9_999_999_999_999_999_999n });

// Specification 9.6
it.each([
  ['0', 0n],
  ['1', 1_000_000_000n],
  ['1.5', 1_500_000_000n],
  ['0.000000001', 1n],
  ['0.0001', 100_000n],
  ['1000000', MAX_FEE_LAMPORTS],
  ['9999999999.999999999', 9_999_999_999_999_999_999n],
  ['1.500000000', 1_500_000_000n],
  ['999999999999', 999_999_999_999_000_000_000n],
])('parseSol reads %s as %s lamports', (text, lamports) => {
  expect(parseSol(text)).toBe(lamports);
});

const NO_AMOUNTS = `
  . 1. .5 01 00.1 -1 +1 1e3 1E-3 0x10 1,5 1_000 0.0000000001 0.1234567891 NaN Infinity 1.2.3 ٣ １
  null 1n
`;

it.each([...NO_AMOUNTS.trim().split(/\s+/), '', ' ', ' 1', '1 ', '1 000', '1\n'])(
  'parseSol refuses %j',
  (text) => {
    expect(parseSol(text)).toBeNull();
  },
);

it('parseSol reads a text only if it is a plain decimal number with at most nine decimals', () => {
  const nearNumbers = fc.stringMatching(/^[-+]?[0-9]{0,3}[.,]?[0-9]{0,11}[eEn ]?[0-9]?$/);
  fc.assert(
    fc.property(fc.oneof(nearNumbers, fc.string()), (text) => {
      expect(parseSol(text) !== null).toBe(/^(0|[1-9]\d*)(\.\d{1,9})?$/.test(text));
    }),
    { numRuns: 2_000 },
  );
});

// Specification 9.1, 9.2, 9.6, 9.7
it('edge-case and random amounts are formatted, parsed and split exactly', () => {
  fc.assert(
    fc.property(fc.oneof(anyLamports, fc.bigInt({ min: 0n, max: 10n ** 10n })), (lamports) => {
      // The platform's tenth is the number without its last digit.
      const digits = lamports.toString();
      const padded = digits.padStart(10, '0');
      const text = `${padded.slice(0, -9)}.${padded.slice(-9)}`.replace(/\.?0*$/, '');
      const [whole, decimals = ''] = text.split('.');
      const shown = `${whole}.${decimals.padEnd(4, '0')}`;
      expect([formatSol(lamports), formatSolForDisplay(lamports)]).toEqual([text, shown]);
      expect([parseSol(text), parseSol(shown)]).toEqual([lamports, lamports]);
      const platformLamports = BigInt(digits.slice(0, -1));
      const callerLamports = lamports - platformLamports;
      expect(splitFee(lamports)).toEqual({ totalLamports: lamports, callerLamports, platformLamports });
    }),
    {
      numRuns: inject('isDeep') ? 1_000_000 : 5_000,
      examples: [[0n], [1n], [9n], [10n], [19n], [12_345n], [100_000n], [1_500_000_000n]],
    },
  );
});

it.each([
  [null, true],
  [0n, true],
  [1n, false],
])('isFreeFee of %s is %s', (fee, isFree) => {
  expect(isFreeFee(fee)).toBe(isFree);
});
