import fc from 'fast-check';
import { expect, it } from 'vitest';
import { owedLamports } from './owed.ts';

const owed = (absences: Parameters<typeof owedLamports>[1]) =>
  owedLamports({ callerLamports: 100n, startsAt: 100, endsAt: 130 }, absences);

it.each([
  [130, 0n],
  [131, 0n],
  [115, 50n],
  [129, 3n],
  [100, 100n],
  [1, 100n],
])('a caller who got 100 lamports for the period 100 to 130 and is deleted at %s owes %s', (at, lamports) =>
  expect(owed([{ from: at, until: null }])).toBe(lamports),
);

it.each([
  [[{ from: 90, until: 95 }], 0n],
  [[{ from: 90, until: 115 }], 50n],
  [[{ from: 115, until: 118 }], 10n],
  [
    [
      { from: 115, until: 118 },
      { from: 127, until: null },
    ],
    20n,
  ],
  [
    [
      { from: 110, until: 140 },
      { from: 150, until: null },
    ],
    66n,
  ],
  [[], 0n],
])(
  'a caller who got 100 lamports for the period 100 to 130 and had the absences %j owes %s',
  (absences, lamports) => expect(owed(absences)).toBe(lamports),
);

it('a caller never owes more than the payment for a period, and nothing after its end', () =>
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 53n }),
      fc.nat(),
      fc.nat(),
      fc.nat(),
      (callerLamports, startsAt, days, at) => {
        const endsAt = startsAt + days + 1;
        const left = owedLamports({ callerLamports, startsAt, endsAt }, [{ from: at, until: null }]);
        expect(left >= 0n && left <= callerLamports).toBe(true);
        if (at >= endsAt) expect(left).toBe(0n);
        if (at <= startsAt) expect(left).toBe(callerLamports);
      },
    ),
  ));
