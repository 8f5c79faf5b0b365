import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changePercent } from '../calls/change-percent.ts';
import { deviationPercent, hasClearlyMoved, isTooFarApart, readPrice } from './prices.ts';

it.each([
  [1, '1'],
  [150.25, '150.25'],
  ['150.2500', '150.25'],
  [1e-9, '0.000000001'],
  [1.2e-7, '0.00000012'],
  ['1.2E-7', '0.00000012'],
  ['1e3', '1000'],
  ['1.5e3', '1500'],
  ['.5', '0.5'],
  [' 1.5 ', '1.5'],
  ['007', '7'],
  [98_765.4321, '98765.4321'],
  [1e21, '1000000000000000000000'],
  ['0.000000000000000000000000000001', '0.000000000000000000000000000001'],
])('readPrice reads %j as %s', (value, price) => {
  expect(readPrice(value)).toBe(price);
});

const NO_PRICES = '0 0.000 0e5 -1 +1 abc . 1. 1e e5 0x10 1,5 1_0 Infinity NaN 1e999 1e-999 1e-31'.split(' ');

it.each([...NO_PRICES, 0, -1, '', ' ', Infinity, -Infinity, NaN, 1e31, null, undefined, true, {}, [], [1]])(
  'readPrice refuses %j',
  (value) => {
    expect(readPrice(value)).toBeNull();
  },
);

it('readPrice preserves the value of every number', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-12, max: 1e20, noNaN: true, noDefaultInfinity: true }), (value) => {
      const price = readPrice(value);
      return price !== null && Number(price) === value && /^\d+(\.\d*[1-9])?$/.test(price);
    }),
  );
});

it('readPrice never throws and returns only plain decimals above 0', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double(), fc.anything()), (value) => {
      const price = readPrice(value);
      return price === null || (/^\d+(\.\d+)?$/.test(price) && Number(price) > 0);
    }),
  );
});

const anyPrice = fc
  .oneof(
    fc.double({ min: 0, noNaN: true }),
    fc.constantFrom<unknown>(
      '9'.repeat(30),
      `0.${'0'.repeat(29)}1`,
      1e-18,
      1e15,
      Number.MAX_VALUE,
      Number.MIN_VALUE,
      '1e308',
      '1e-308',
    ),
  )
  .map(readPrice)
  .filter((price) => price !== null);

it('any two prices from readPrice have a finite change in percent', () => {
  fc.assert(
    fc.property(
      anyPrice,
      anyPrice,
      (entry, end) => Number.isFinite(changePercent(entry, end)) && changePercent(entry, end) >= -100,
    ),
  );
});

it.each([
  ['103', '100', false],
  ['2.06', '2', false],
  ['0.0000000206', '0.00000002', false],
  ['103.0001', '100', true],
  ['97', '100', false],
  ['96.9999', '100', true],
  ['0.00000001', '0.00000001', false],
  ['0.000000011', '0.00000001', true],
  ['1', '1000000', true],
])('isTooFarApart of the price %s and the reference %s is %s', (price, reference, isTooFar) => {
  expect(isTooFarApart(price, reference)).toBe(isTooFar);
});

it.each([
  ['1.1', '1', false],
  ['0.9', '1', false],
  ['1.1001', '1', true],
  ['0.8999', '1', true],
  ['0.000000011', '0.00000001', false],
])('hasClearlyMoved of the seen price %s and the recent price %s is %s', (seen, recent, hasMoved) => {
  expect(hasClearlyMoved(seen, recent)).toBe(hasMoved);
});

it('deviationPercent returns a percentage of the reference price', () => {
  expect(deviationPercent('150', '100')).toBe(50);
  expect(deviationPercent('100', '150')).toBeCloseTo(33.333, 2);
});
