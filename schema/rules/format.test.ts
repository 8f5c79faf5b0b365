import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants.ts';
import {
  formatCallerListPrice,
  formatChange,
  formatDuration,
  formatMonthlyFee,
  formatPrice,
  formatProfilePrice,
  formatRate,
  formatRecentCallPrice,
  formatRelativeTime,
  formatSolAmount,
  shortenAddress,
} from './format.ts';

describe('prices, each place with its own decimals', () => {
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
  ])('%s', (price, anywhere, callerList, profile, recentCalls) => {
    expect([formatPrice(price), formatCallerListPrice(price), formatProfilePrice(price), formatRecentCallPrice(price)]).toEqual([anywhere, callerList, profile, recentCalls]);
    expect(formatPrice(Number(price))).toBe(anywhere);
  });

  it.each([null, undefined, '', '0', 0, '-1', 'abc', NaN])('%j is N/A on Recent Calls', (price) => {
    expect(formatRecentCallPrice(price)).toBe('N/A');
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
  ])('a change of %s', (percent, text) => {
    expect(formatChange(percent)).toBe(text);
  });

  it.each([
    [62.5, '62.5%'],
    [0, '0.0%'],
    [100, '100.0%'],
    [33.3333, '33.3%'],
  ])('a rate of %s', (percent, text) => {
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
  ])('the monthly fee %j', (fee, text) => {
    expect(formatMonthlyFee(fee)).toBe(text);
  });

  it.each([
    ['1.5', '1.5000'],
    ['0.0001', '0.0001'],
    ['0.000012345', '0.000012345'],
    ['what', 'what'],
  ])('the amount %j', (amount, text) => {
    expect(formatSolAmount(amount)).toBe(text);
  });
});

describe('relative time', () => {
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
  ])('%s ms ago', (elapsed, text) => {
    expect(formatRelativeTime(now - elapsed, now)).toBe(text);
    expect(formatRelativeTime(new Date(now - elapsed).toISOString(), now)).toBe(text);
  });

  it.each([null, undefined, '', 'yesterday', NaN])('%j is Unknown', (at) => {
    expect(formatRelativeTime(at, now)).toBe('Unknown');
  });
});

describe('formatDuration', () => {
  it.each([
    [0, 'under a minute'],
    [MINUTE_MS - 1, 'under a minute'],
    [5 * MINUTE_MS, '5m'],
    [HOUR_MS, '1h'],
    [3 * HOUR_MS + 20 * MINUTE_MS, '3h 20m'],
    [DAY_MS + 59 * MINUTE_MS, '1d'],
    [2 * DAY_MS + 4 * HOUR_MS + 5 * MINUTE_MS, '2d 4h'],
    [400 * DAY_MS, '400d'],
  ])('%i ms is %s', (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text));
});

describe('shortenAddress', () => {
  it.each([
    ['7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU', '7xKX…gAsU'],
    ['short', 'short'],
    ['123456789', '123456789'],
  ])('%s', (address, text) => {
    expect(shortenAddress(address)).toBe(text);
  });
});
