import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import {
  formatChange,
  formatCompact,
  formatCount,
  formatMarketCap,
  formatMonthlyFee,
  formatPowerOfTen,
  formatRate,
  formatRelativeTime,
  formatUsd,
  shortenAddress,
} from './format.ts';
import {
  formatCallerListPrice,
  formatPrice,
  formatProfilePrice,
  formatRecentCallPrice,
} from '../prices/format-prices.ts';
import {
  formatMultiple,
  formatProfitFactor,
  formatSolAmount,
  formatSolBalance,
  formatTokenAmount,
} from './format-amounts.ts';
import { describeHeld, formatDuration } from './format-durations.ts';

// Specification 2.129, 2.173, 2.174, 9.30-9.34
it.each([
  ['0.00000001', '0.00000001', '0.00000001', '0.00000001', '0.00000001'],
  ['0.0000214', '0.00002140', '0.00002140', '0.00002140', '0.00002140'],
  ['0.00999999', '0.00999999', '0.00999999', '0.00999999', '0.00999999'],
  ['0.01', '0.0100', '0.010000', '0.01000000', '0.01000000'],
  ['0.82', '0.8200', '0.820000', '0.82000000', '0.82000000'],
  ['1', '1.0000', '1.000000', '1.00000000', '1.00'],
  ['150.255', '150.2550', '150.255000', '150.25500000', '150.26'],
  ['98765.4321', '98,765.4321', '98,765.432100', '98,765.43210000', '98,765.43'],
])(
  'the price %s is shown as %s, in a caller’s lists as %s, on a profile as %s and on Recent Calls as %s',
  (price, anywhere, callerList, profile, recentCalls) => {
    expect([
      formatPrice(price),
      formatCallerListPrice(price),
      formatProfilePrice(price),
      formatRecentCallPrice(price),
    ]).toEqual([anywhere, callerList, profile, recentCalls]);
    expect(formatPrice(Number(price))).toBe(anywhere);
  },
);

it.each([
  ['0.00000000012', '0.0₉12'],
  ['0.000000001', '0.0₈1'],
  ['0.000000014', '0.0₇14'],
  ['0.0000000123456', '0.0₇1235'],
  ['0.00000009', '0.00000009'],
  ['0.000000123456', '0.00000012'],
  ['0.000000000000000000012', '0.0₁₉12'],
  ['0.000000000099999', '0.0₉1'],
])('the price %s is shown with counted zeros if eight decimals are not enough: %s', (price, text) => {
  const formats = [formatPrice, formatCallerListPrice, formatProfilePrice, formatRecentCallPrice];
  expect(formats.map((format) => format(price))).toEqual(formats.map(() => text));
});

it.each([
  ['999999999', '999,999,999.0000'],
  ['3429354166', '3.4B'],
  ['1234567890123456789', '1.2e18'],
])('the large price %s is shown as %s', (price, text) => expect(formatPrice(price)).toBe(text));

it('a price above zero is never shown as zero', () => {
  const exponents = fc.double({ min: -30, max: 30, noNaN: true });
  fc.assert(
    fc.property(exponents, (exponent) => {
      const price = 10 ** exponent;
      for (const format of [formatPrice, formatCallerListPrice, formatProfilePrice]) {
        expect(format(price)).toMatch(/[1-9]/);
        expect(format(price).length).toBeLessThanOrEqual('999,999,999.00000000'.length);
      }
    }),
  );
});

// Specification 2.171, 2.172
it.each([null, undefined, '', '0', 0, '-1', 'abc', NaN])(
  'the missing price %j is shown as N/A on Recent Calls',
  (price) => {
    expect(formatRecentCallPrice(price)).toBe('N/A');
  },
);

const POWERS: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };

/** Reads the number in a text such as '12,345x', '3.4Bx' or '1.0e16x'. */
function readBack(text: string): number {
  const [, digits = '', letter = ''] = /^([\d.,e]+)([KMBT]?)x$/.exec(text) ?? [];
  return Number(digits.replaceAll(',', '')) * (POWERS[letter] ?? 1);
}

it.each([
  ['formatProfilePrice', formatProfilePrice, 8],
  ['formatCount', (value: number) => formatCount(Math.round(value)), 0],
])('%s formats numbers as toLocaleString does', (_name, format, decimals) => {
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e9, maxExcluded: true, noNaN: true }), (value) => {
      expect(format(value)).toBe(
        (decimals === 0 ? Math.round(value) : value).toLocaleString('en-US', options),
      );
    }),
  );
});

it('formatCompact abbreviates numbers as toLocaleString does', () => {
  const options = { notation: 'compact', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
  fc.assert(
    fc.property(fc.double({ min: 0, max: 999e12, noNaN: true }), (value) => {
      expect(formatCompact(value)).toBe(value.toLocaleString('en-US', options));
    }),
    { examples: [[999.949], [999.95], [999_949.99], [999_950], [999_950_000]] },
  );
});

it.each([
  [1_250_000, '1.3M'],
  [-3_429_354_166, '-3.4B'],
  [3_429_354_166_667_000, '3.4e15'],
  [999.94e12, '999.9T'],
  [999.96e12, '1.0e15'],
  [9.96e20, '1.0e21'],
  [-2e16, '-2.0e16'],
])('formatCompact writes %s as %s', (value, text) => expect(formatCompact(value)).toBe(text));

it('formatPowerOfTen formats powers of ten beyond the range of numbers', () => {
  expect(formatPowerOfTen(400)).toBe('1.0e400');
  expect(formatPowerOfTen(400.6)).toBe('4.0e400');
});

it.each([
  [1.5, '1.50x'],
  [1, '1.00x'],
  [0.74, '0.74x'],
  [2, '2.00x'],
  [99.994, '99.99x'],
  [99.999, '100.0x'],
  [124.456, '124.5x'],
  [9_999.94, '9,999.9x'],
  [9_999.96, '10,000x'],
  [99_999.4, '99,999x'],
  [99_999.6, '100.0Kx'],
  [1_234_567.8, '1.2Mx'],
  [1e16, '1.0e16x'],
  [0.0999, '0.10x'],
  [0.0949, '0.095x'],
  [0.05, '0.05x'],
  [0.001, '0.001x'],
  [0.001234, '0.0012x'],
  [0.00001, '0.00001x'],
  [0.0000099, '<0.00001x'],
  [1e-20, '<0.00001x'],
])('formatMultiple writes %s as %s', (multiple, text) => expect(formatMultiple(multiple)).toBe(text));

it('formatMultiple never writes a larger multiple as a smaller number', () => {
  const value = fc.double({ min: 0.00001, max: 1e18, noNaN: true });
  fc.assert(
    fc.property(value, value, (one, other) => {
      const shown = (multiple: number) => readBack(formatMultiple(multiple));
      expect(shown(Math.min(one, other))).toBeLessThanOrEqual(shown(Math.max(one, other)));
      expect(Math.abs(shown(one) - one) / one).toBeLessThan(0.051);
    }),
  );
});

it.each([
  [0, '$0'],
  [940.2, '$940'],
  [999.5, '$1.0K'],
  [819_100, '$819.1K'],
  [3_138_136_898, '$3.1B'],
  [9e15, '$9.0e15'],
])('the market cap %s is shown as %s', (usd, text) => {
  expect(formatMarketCap(usd)).toBe(text);
});

it.each([
  [{ profitFactor: null, bestReturn: null }, '–'],
  [{ profitFactor: null, bestReturn: 0 }, '–'],
  [{ profitFactor: null, bestReturn: 0.5 }, 'No losses'],
  [{ profitFactor: 0, bestReturn: -3 }, '0'],
  [{ profitFactor: 2.314, bestReturn: 80 }, '2.31'],
  [{ profitFactor: 1, bestReturn: 80 }, '1.00'],
  [{ profitFactor: 124.46, bestReturn: 80 }, '124.5'],
  [{ profitFactor: 3_429_354_166.7, bestReturn: 80 }, '3.4B'],
])('the profit factor of %j is shown as %s', (figures, text) => {
  expect(formatProfitFactor(figures)).toBe(text);
});

// Specification 2.169, 9.29
it.each([
  [12.34, '+12.3%'],
  [-4, '-4.0%'],
  [0, '0.0%'],
  [-0, '0.0%'],
  [-0.04, '0.0%'],
  [0.04, '0.0%'],
  [1234.56, '+1,234.6%'],
  [99_999.94, '+99,999.9%'],
  [99_999.96, '+100.0K%'],
  [3_429_354_166.7, '+3.4B%'],
  [3_429_354_166_667_000, '+3.4e15%'],
])('a change of %s percent is shown as %s', (percent, text) => {
  expect(formatChange(percent)).toBe(text);
});

// Specification 9.27
it.each([
  [62.5, '62.5%'],
  [0, '0.0%'],
  [100, '100.0%'],
  [33.3333, '33.3%'],
  [null, '–'],
])('a rate of %s percent is shown as %s', (percent, text) => {
  expect(formatRate(percent)).toBe(text);
});

// Specification 2.97-2.99
it.each([
  [null, 'Free'],
  [undefined, 'Free'],
  ['0', 'Free'],
  ['0.00', 'Free'],
  ['0.5', '0.5 SOL'],
  ['', 'Not Set'],
  ['abc', 'Not Set'],
  ['-1', 'Not Set'],
])('the monthly fee %j is shown as %s', (fee, text) => {
  expect(formatMonthlyFee(fee)).toBe(text);
});

it.each([
  ['1.5', '1.5000'],
  ['0.0001', '0.0001'],
  ['0.000012345', '0.000012345'],
  ['what', 'what'],
])('the amount %j in SOL is shown as %s', (amount, text) => {
  expect(formatSolAmount(amount)).toBe(text);
});

it.each([
  ['0', '0.0000'],
  ['10', '10.0000'],
  ['1.5', '1.5000'],
  ['0.00009999', '0.0000'],
  ['12.345678999', '12.3456'],
])('the balance %s in SOL is shown as %s', (sol, text) => {
  expect(formatSolBalance(sol)).toBe(text);
});

it.each([
  ['0', '0'],
  ['1250', '1,250'],
  ['3100000.000000', '3,100,000'],
  ['15.5', '15.5'],
  ['1.23456789', '1.2346'],
  ['0.123456789', '0.1235'],
  ['0.000000001', '0.000000001'],
  ['999999999', '999,999,999'],
  ['420690000000', '420.7B'],
  ['18446744073709551615', '1.8e19'],
])('the token amount %s is shown as %s', (amount, text) => {
  expect(formatTokenAmount(amount)).toBe(text);
});

it.each([
  [1_234_567.8, '$1,234,568'],
  [1_234_567_890, '$1.2B'],
])('the amount %s in dollars is shown as %s', (amount, text) => expect(formatUsd(amount)).toBe(text));

const now = Date.UTC(2026, 5, 1);
// Specification 9.35-9.38
it.each([
  [0, 'Just now'],
  [MINUTE_MS - 1, 'Just now'],
  [MINUTE_MS, '1m ago'],
  [HOUR_MS - 1, '59m ago'],
  [HOUR_MS, '1h ago'],
  [DAY_MS - 1, '23h ago'],
  [DAY_MS, '1d ago'],
  [400 * DAY_MS, '400d ago'],
  [-5 * MINUTE_MS, 'Just now'],
])('a time %s ms ago is shown as %s', (elapsed, text) => {
  expect(formatRelativeTime(now - elapsed, now)).toBe(text);
  expect(formatRelativeTime(new Date(now - elapsed).toISOString(), now)).toBe(text);
});

it.each([null, undefined, '', 'yesterday', NaN])('the invalid time %j is shown as Unknown', (at) => {
  expect(formatRelativeTime(at, now)).toBe('Unknown');
});

it.each([
  ['2026-01-01T00:00:30Z', 'held under 1m'],
  ['2026-01-03T04:00:00Z', 'held 2d 4h'],
])('the holding time of a call that ended at %s is described as "%s"', (endTimestamp, text) => {
  expect(describeHeld({ callTimestamp: '2026-01-01T00:00:00Z', endTimestamp })).toBe(text);
});

it.each([
  [0, 'Under 1m'],
  [MINUTE_MS - 1, 'Under 1m'],
  [MINUTE_MS, '1m'],
  [HOUR_MS - 1, '59m'],
  [HOUR_MS, '1h'],
  [HOUR_MS + MINUTE_MS - 1, '1h'],
  [3 * HOUR_MS + 20 * MINUTE_MS, '3h 20m'],
  [DAY_MS - 1, '23h 59m'],
  [DAY_MS, '1d'],
  [DAY_MS + HOUR_MS - 1, '1d'],
  [2 * DAY_MS + 4 * HOUR_MS + 59 * MINUTE_MS, '2d 4h'],
  [400 * DAY_MS, '400d'],
  [-1, 'Unknown'],
  [NaN, 'Unknown'],
  [Infinity, 'Unknown'],
])('a duration of %s ms is shown as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});

it.each([
  ['7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU', '7xKX…gAsU'],
  ['short', 'short'],
  ['123456789', '123456789'],
])('the address %s is shortened to %s', (address, text) => {
  expect(shortenAddress(address)).toBe(text);
});
