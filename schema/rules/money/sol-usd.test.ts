import { expect, it } from 'vitest';
import { MAX_SOL_PRICE_AGE_MS } from '#schema/constants/money.ts';
import { describeSolInUsd } from './sol-usd.ts';

const now = Date.parse('2026-11-20T10:00:00.000Z');
const at = new Date(now).toISOString();

it.each([
  ['0.5', '150', '≈ $75.00'],
  ['0.0001', '150', '≈ $0.02'],
  ['0.000005', '150', '< $0.01'],
  ['1', '151.237', '≈ $151.24'],
  ['66.66', '150', '≈ $9,999.00'],
  ['66.66666', '150', '≈ $10,000'],
  ['1234.5', '150', '≈ $185,175'],
  ['10000000', '150', '≈ $1.5B'],
])('%s SOL at $%s is shown as %s', (sol, price, text) => {
  expect(describeSolInUsd({ sol, price: { price, at }, now })).toBe(text);
});

it.each([null, '', '0', '0.0000', 'abc', '1e3', '-1', ' 1', '.5', '1.0000000001'])(
  'the amount %j in SOL has no value in dollars',
  (sol) => {
    expect(describeSolInUsd({ sol, price: { price: '150', at }, now })).toBeNull();
  },
);

it.each(['0', '-1', 'NaN', '', 'abc', 'Infinity'])(
  'an amount in SOL has no value in dollars at the price %j',
  (price) => {
    expect(describeSolInUsd({ sol: '1', price: { price, at }, now })).toBeNull();
  },
);

it('an amount in SOL has no value in dollars without a recent price', () => {
  expect(describeSolInUsd({ sol: '1', price: null, now })).toBeNull();
  const price = { price: '150', at };
  expect(describeSolInUsd({ sol: '1', price, now: now + MAX_SOL_PRICE_AGE_MS })).toBe('≈ $150.00');
  expect(describeSolInUsd({ sol: '1', price, now: now + MAX_SOL_PRICE_AGE_MS + 1 })).toBeNull();
  expect(describeSolInUsd({ sol: '1', price: { price: '150', at: '' }, now })).toBeNull();
});
