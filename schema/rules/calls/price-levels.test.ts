import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contradictingLevel, readLevel } from './price-levels.ts';

it.each([
  ['2', '2'],
  ['2.50', '2.5'],
  ['.5', '0.5'],
  [' 0.00000001 ', '0.00000001'],
  ['007', '7'],
  ['123456789012345678901234567890', '123456789012345678901234567890'],
])('readLevel reads the typed target or stop %j as %s', (text, price) => expect(readLevel(text)).toBe(price));

const NO_LEVELS = '0 0.000 -1 +1 NaN Infinity abc 1e3 1E-7 1,5 0x10 5. 1.2.3 ٣'.split(' ');

it.each([...NO_LEVELS, '', ' ', '1 000', '$5', '9'.repeat(31), `0.${'0'.repeat(30)}1`])(
  'readLevel refuses the typed target or stop %j',
  (text) => expect(readLevel(text)).toBeNull(),
);

it('readLevel is idempotent and returns only prices above 0', () =>
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.double().map(String), fc.integer({ min: 0 }).map(String)),
      (text) => {
        const price = readLevel(text);
        if (price === null) return;
        expect(readLevel(price)).toBe(price);
        expect(price).toMatch(/^\d+(\.\d*[1-9])?$/);
        expect(Number(price)).toBeGreaterThan(0);
      },
    ),
  ));

it.each<
  [target: string | null, stop: string | null, entry: string, level: ReturnType<typeof contradictingLevel>]
>([
  [null, null, '2', null],
  ['2.04', '1.96', '2', null],
  ['2.0399999', null, '2', 'target'],
  [null, '1.9600001', '2', 'stop'],
  ['0.0714', '0.0686', '0.07', null],
  ['2', null, '2', 'target'],
  ['1.99', null, '2', 'target'],
  [null, '2', '2', 'stop'],
  [null, '2.01', '2', 'stop'],
  ['1', '3', '2', 'target'],
  ['10', '2', '9', null],
  ['0.0000001', null, '0.00000009', null],
  [null, '0.0000001', '0.00000009', 'stop'],
  ['20000', null, '2', null],
  ['20000.1', null, '2', 'target'],
  ['1020000000000000', '980000000000000', '1000000000000000', null],
])(
  'with the target %s, the stop %s and the entry %s, the refused level is: %s',
  (targetPrice, stopPrice, entryPrice, level) =>
    expect(contradictingLevel({ targetPrice, stopPrice }, entryPrice)).toBe(level),
);

it('a target is accepted only 2% or more above the entry, and a stop only 2% or more below it', () => {
  const cents = fc.integer({ min: 1, max: 10_000 });
  const price = (amount: number) => (amount / 100).toFixed(2);
  fc.assert(
    fc.property(cents, cents, cents, (target, stop, entry) => {
      const isAround = stop * 100 <= entry * 98 && entry * 102 <= target * 100;
      expect(
        contradictingLevel({ targetPrice: price(target), stopPrice: price(stop) }, price(entry)) === null,
      ).toBe(isAround);
    }),
  );
});
