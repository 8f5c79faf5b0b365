import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_FEE_LAMPORTS, PLATFORM_FEE_BPS } from '#schema/constants.ts';
import { formatSol, formatSolForDisplay, isFreeFee, parseSol, splitFee } from './lamports.ts';

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

it.each([
  '',
  ' ',
  '.',
  '1.',
  '.5',
  '01',
  '00.1',
  '-1',
  '+1',
  '1e3',
  '1E-3',
  '0x10',
  ' 1',
  '1 ',
  '1 000',
  '1,5',
  '1_000',
  '0.0000000001',
  '0.1234567891',
  'NaN',
  'Infinity',
  '1.2.3',
  '٣',
  '１',
  '1\n',
  'null',
  '1n',
])('parseSol refuses %j', (text) => {
  expect(parseSol(text)).toBeNull();
});

it('parseSol reads back the text of formatSol', () => {
  fc.assert(fc.property(anyLamports, (lamports) => parseSol(formatSol(lamports)) === lamports));
});

it('parseSol reads back the text of formatSolForDisplay', () => {
  fc.assert(fc.property(anyLamports, (lamports) => parseSol(formatSolForDisplay(lamports)) === lamports));
});

it('parseSol refuses text that is not a decimal number', () => {
  fc.assert(fc.property(fc.string(), (text) => parseSol(text) === null || /^\d+(\.\d{1,9})?$/.test(text)));
});

it.each([
  [0n, '0'],
  [1n, '0.000000001'],
  [1_500_000_000n, '1.5'],
  [100_000n, '0.0001'],
  [2_000_000_000n, '2'],
])('formatSol writes %s lamports as %s', (lamports, text) => {
  expect(formatSol(lamports)).toBe(text);
});

// Specification 9.7
it.each([
  [0n, '0.0000'],
  [1_500_000_000n, '1.5000'],
  [100_000n, '0.0001'],
  [12_345n, '0.000012345'],
  [1_234_567_891n, '1.234567891'],
])(
  'formatSolForDisplay writes %s lamports as %s, with at least four decimals and every lamport',
  (lamports, text) => {
    expect(formatSolForDisplay(lamports)).toBe(text);
  },
);

// Specification 9.1, 9.2
it.each([
  [0n, 0n, 0n],
  [1n, 1n, 0n],
  [9n, 9n, 0n],
  [10n, 9n, 1n],
  [19n, 18n, 1n],
  [1_000_000_000n, 900_000_000n, 100_000_000n],
])(
  'splitFee splits %s lamports into %s for the caller and %s for the platform',
  (totalLamports, callerLamports, platformLamports) => {
    expect(splitFee(totalLamports)).toEqual({ totalLamports, callerLamports, platformLamports });
  },
);

// Specification 9.1
it('splitFee returns parts that add up, with at most its commission for the platform', () => {
  fc.assert(
    fc.property(anyLamports, (total) => {
      const { callerLamports, platformLamports } = splitFee(total);
      return (
        callerLamports + platformLamports === total &&
        platformLamports * 10_000n <= total * BigInt(PLATFORM_FEE_BPS) &&
        total * BigInt(PLATFORM_FEE_BPS) - platformLamports * 10_000n < 10_000n
      );
    }),
  );
});

it.each([
  [null, true],
  [0n, true],
  [1n, false],
])('isFreeFee of %s is %s', (fee, isFree) => {
  expect(isFreeFee(fee)).toBe(isFree);
});
