import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_FEE_LAMPORTS, PERIOD_LENGTHS } from '#schema/constants/money.ts';
import { findShortfall, lengthsOf, priceOf } from './lengths.ts';

it.each([
  [1_000_000_000n, 30, 1_000_000_000n, 100_000_000n],
  [1_000_000_000n, 7, 233_333_334n, 23_333_333n],
  [1_000_000_000n, 90, 3_000_000_000n, 300_000_000n],
  [31n, 7, 8n, 0n],
  [10n, 7, 3n, 0n],
  [100n, 90, 300n, 30n],
  [MAX_FEE_LAMPORTS, 90, 3n * MAX_FEE_LAMPORTS, (3n * MAX_FEE_LAMPORTS) / 10n],
] as const)(
  'at a fee of %s lamports, %s days cost %s, of which the platform gets %s',
  (fee, days, ...price) => {
    const { totalLamports, callerLamports, platformLamports } = priceOf(fee, days);
    expect([totalLamports, platformLamports]).toEqual(price);
    expect(callerLamports + platformLamports).toBe(totalLamports);
  },
);

it('a price is the fee’s part for the days, and less than a lamport more', () =>
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: MAX_FEE_LAMPORTS }),
      fc.constantFrom(...PERIOD_LENGTHS),
      (fee, days) => {
        const rest = 30n * priceOf(fee, days).totalLamports - fee * BigInt(days);
        expect(rest >= 0n && rest < 30n).toBe(true);
      },
    ),
  ));

it.each([
  ['no other terms', {}, [7, 30]],
  ['a steady record', { isSteady: true }, [7, 30, 90]],
  ['the 7 days switched off', { sellsWeek: false }, [30]],
  ['both', { sellsWeek: false, isSteady: true }, [30, 90]],
  ['the lowest fee for 7 days', { feeLamports: 39n, isSteady: true }, [7, 30, 90]],
  ['a fee too low for 7 days', { feeLamports: 38n, isSteady: true }, [30, 90]],
])('a caller with %s sells the right lengths', (_name, terms, lengths) =>
  expect(lengthsOf({ feeLamports: 1_000n, sellsWeek: true, isSteady: false, ...terms })).toEqual(lengths),
);

it.each([
  ['a new payout account', { caller: 0n }, null],
  [
    'a minimum one lamport above the share',
    { caller: 0n, minimum: 901n },
    { recipient: 'caller', lamports: 1n },
  ],
  ['a lamport that fills the gap', { caller: 1n, minimum: 901n }, null],
  ['a new platform account', { platform: 0n, minimum: 101n }, { recipient: 'platform', lamports: 1n }],
  [
    'two new accounts',
    { caller: 0n, platform: 0n, minimum: 1_000n },
    { recipient: 'caller', lamports: 100n },
  ],
])('a payment of 1,000 lamports with %s has its shortfall', (_name, balances, shortfall) => {
  const all = { minimum: 100n, caller: 1_000n, platform: 1_000n, ...balances };
  expect(findShortfall(priceOf(1_000n, 30), all)).toEqual(shortfall);
});
