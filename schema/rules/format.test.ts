import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants.ts';
import {
  formatCallerListPrice,
  formatChange,
  formatDuration,
  formatMonthlyFee,
  formatMultiple,
  formatPrice,
  formatProfilePrice,
  formatRate,
  formatRecentCallPrice,
  formatRelativeTime,
  formatSolAmount,
  formatSolBalance,
  formatTokenAmount,
  shortenAddress,
} from './format.ts';

describe('price formats', () => {
  it.each([
    ['0.00000001', '0.00000001', '0.00000001', '0.00000001', '0.00000001'],
    ['0.000000001', '0.00000000', '0.00000000', '0.00000000', '0.00000000'],
    ['0.0000214', '0.00002140', '0.00002140', '0.00002140', '0.00002140'],
    ['0.00999999', '0.00999999', '0.00999999', '0.00999999', '0.00999999'],
    ['0.01', '0.0100', '0.010000', '0.01000000', '0.01000000'],
    ['0.82', '0.8200', '0.820000', '0.82000000', '0.82000000'],
    ['1', '1.0000', '1.000000', '1.00000000', '1.00'],
    ['150.255', '150.2550', '150.255000', '150.25500000', '150.26'],
    ['98765.4321', '98,765.4321', '98,765.432100', '98,765.43210000', '98,765.43'],
  ])(
    '[2.129, 2.173, 2.174, 9.30-9.34] show the price %s with the decimals of each screen',
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

  it.each([null, undefined, '', '0', 0, '-1', 'abc', NaN])(
    '[2.171, 2.172] show %j as N/A on Recent Calls',
    (price) => {
      expect(formatRecentCallPrice(price)).toBe('N/A');
    },
  );
});

describe('formatMultiple', () => {
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
    [1_234_567.8, '1,234,568x'],
    [0.0999, '0.10x'],
    [0.0949, '0.095x'],
    [0.05, '0.05x'],
    [0.001, '0.001x'],
    [0.001234, '0.0012x'],
    [0.00001, '0.00001x'],
    [0.0000099, '<0.00001x'],
    [1e-20, '<0.00001x'],
  ])('writes %s as %s', (multiple, text) => expect(formatMultiple(multiple)).toBe(text));

  it('never writes a larger multiple as a smaller number', () => {
    const value = fc.double({ min: 0.00001, max: 1e15, noNaN: true });
    fc.assert(
      fc.property(value, value, (one, other) => {
        const shown = (multiple: number) => Number(formatMultiple(multiple).replace(/[,x]/g, ''));
        expect(shown(Math.min(one, other))).toBeLessThanOrEqual(shown(Math.max(one, other)));
        expect(Math.abs(shown(one) - one) / one).toBeLessThan(0.051);
      }),
    );
  });
});

describe('percentages', () => {
  it.each([
    [12.34, '+12.3%'],
    [-4, '-4.0%'],
    [0, '0.0%'],
    [-0, '0.0%'],
    [-0.04, '0.0%'],
    [0.04, '0.0%'],
    [1234.56, '+1,234.6%'],
  ])('[2.169, 9.29] show a change of %s as %s', (percent, text) => {
    expect(formatChange(percent)).toBe(text);
  });

  it.each([
    [62.5, '62.5%'],
    [0, '0.0%'],
    [100, '100.0%'],
    [33.3333, '33.3%'],
    [null, '–'],
  ])('[9.27] show a rate of %s as %s', (percent, text) => {
    expect(formatRate(percent)).toBe(text);
  });
});

describe('amounts in SOL', () => {
  it.each([
    [null, 'Free'],
    [undefined, 'Free'],
    ['0', 'Free'],
    ['0.00', 'Free'],
    ['0.5', '0.5 SOL'],
    ['', 'Not Set'],
    ['abc', 'Not Set'],
    ['-1', 'Not Set'],
  ])('[2.97-2.99] show the monthly fee %j as %s', (fee, text) => {
    expect(formatMonthlyFee(fee)).toBe(text);
  });

  it.each([
    ['1.5', '1.5000'],
    ['0.0001', '0.0001'],
    ['0.000012345', '0.000012345'],
    ['what', 'what'],
  ])('show the amount %j as %s', (amount, text) => {
    expect(formatSolAmount(amount)).toBe(text);
  });
});

describe('formatSolBalance', () => {
  it.each([
    ['0', '0.0000'],
    ['10', '10.0000'],
    ['1.5', '1.5000'],
    ['0.00009999', '0.0000'],
    ['12.345678999', '12.3456'],
  ])('writes %s as %s', (sol, text) => {
    expect(formatSolBalance(sol)).toBe(text);
  });
});

describe('formatTokenAmount', () => {
  it.each([
    ['0', '0'],
    ['1250', '1,250'],
    ['3100000.000000', '3,100,000'],
    ['15.5', '15.5'],
    ['1.23456789', '1.2346'],
    ['0.123456789', '0.1235'],
    ['0.000000001', '0.000000001'],
    ['18446744073709551615', '18,446,744,073,709,552,000'],
  ])('writes %s as %s', (amount, text) => {
    expect(formatTokenAmount(amount)).toBe(text);
  });
});

describe('formatRelativeTime', () => {
  const now = Date.UTC(2026, 5, 1);
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
  ])('[9.35-9.38] shows %s ms ago as %s', (elapsed, text) => {
    expect(formatRelativeTime(now - elapsed, now)).toBe(text);
    expect(formatRelativeTime(new Date(now - elapsed).toISOString(), now)).toBe(text);
  });

  it.each([null, undefined, '', 'yesterday', NaN])('shows %j as Unknown', (at) => {
    expect(formatRelativeTime(at, now)).toBe('Unknown');
  });
});

describe('formatDuration', () => {
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
  ])('writes %s ms as %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });
});

describe('shortenAddress', () => {
  it.each([
    ['7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU', '7xKX…gAsU'],
    ['short', 'short'],
    ['123456789', '123456789'],
  ])('shortens %s to %s', (address, text) => {
    expect(shortenAddress(address)).toBe(text);
  });
});
