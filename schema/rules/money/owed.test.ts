import fc from 'fast-check';
import { expect, it } from 'vitest';
import { owedLamports } from './owed.ts';

it.each([
  [130, 0n],
  [131, 0n],
  [115, 50n],
  [129, 3n],
  [100, 100n],
  [1, 100n],
])(
  'a period from 100 to 130 for which a caller got 100 lamports leaves, after a deletion at %s, %s owed',
  (at, owed) =>
    expect(
      owedLamports({ callerLamports: 100n, startsAt: 100, endsAt: 130 }, [{ from: at, until: null }]),
    ).toBe(owed),
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
  'a period from 100 to 130 for which a caller got 100 lamports leaves, after the absences %j, %s owed',
  (absences, owed) =>
    expect(owedLamports({ callerLamports: 100n, startsAt: 100, endsAt: 130 }, absences)).toBe(owed),
);

it('a caller never owes more than the period has brought, and nothing after its end', () =>
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 53n }),
      fc.nat(),
      fc.nat(),
      fc.nat(),
      (callerLamports, startsAt, days, at) => {
        const endsAt = startsAt + days + 1;
        const owed = owedLamports({ callerLamports, startsAt, endsAt }, [{ from: at, until: null }]);
        expect(owed >= 0n && owed <= callerLamports).toBe(true);
        if (at >= endsAt) expect(owed).toBe(0n);
        if (at <= startsAt) expect(owed).toBe(callerLamports);
      },
    ),
  ));
