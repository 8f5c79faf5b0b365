import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#schema/constants.ts';
import { canUnfollow, isPeriodActiveAt, hasLapsed, nextPeriod, subscriptionStatus } from './subscription.ts';

const NOW = 300 * DAY_MS;

// Specification 4.5-4.7
it.each([
  ['that is open-ended and started long ago', 0, null, true, 'active'],
  ['that is open-ended and starts now', NOW, null, true, 'active'],
  ['that is open-ended and starts later', NOW + 1, null, false, 'active'],
  ['that is running', NOW - 1, NOW + 1, true, 'active'],
  ['that is in its last moment', NOW - 5, NOW + 1, true, 'active'],
  ['that ends now', NOW - 5, NOW, false, 'expired'],
  ['that has ended', NOW - 5, NOW - 1, false, 'expired'],
  ['that starts later', NOW + 1, NOW + 2, false, 'active'],
] as const)(
  'a period %s (%s to %s) covers now: %s, and has the status %s',
  (_name, startsAt, endsAt, covers, status) => {
    expect(isPeriodActiveAt({ startsAt, endsAt }, NOW)).toBe(covers);
    expect(subscriptionStatus({ startsAt, endsAt }, NOW)).toBe(status);
    expect(hasLapsed({ startsAt, endsAt }, NOW)).toBe(status === 'expired');
  },
);

describe('canUnfollow', () => {
  const free = { startsAt: NOW - 1, endsAt: null, isPaid: false };
  const freeUntilLater = { ...free, endsAt: NOW + 1 };
  const freeEnded = { ...free, endsAt: NOW };
  const freeLater = { ...free, startsAt: NOW + 1 };
  const paid = { startsAt: NOW - 5, endsAt: NOW + 1, isPaid: true };
  const paidEnded = { ...paid, endsAt: NOW };

  it.each([
    ['a free follow', true, [free]],
    ['a free follow that ends later', true, [freeUntilLater]],
    ['a free follow after paid time that has ended', true, [paidEnded, free]],
    ['no period', false, []],
    ['a free follow that has ended', false, [freeEnded]],
    ['a free follow that starts later', false, [freeLater]],
    ['paid time that has ended', false, [paidEnded]],
    ['paid time', false, [paid]],
    ['paid time before a free follow that starts later', false, [paid, freeLater]],
    ['paid time and a free follow', false, [free, paid]],
  ])('canUnfollow with %s is %s', (_name, expected, periods) => {
    expect(canUnfollow(periods, NOW)).toBe(expected);
  });
});

it('the next paid period starts now without a paid period or after a lapse', () => {
  expect(nextPeriod(NOW, null)).toEqual({ startsAt: NOW, endsAt: NOW + 30 * DAY_MS });
  expect(nextPeriod(NOW, NOW - 1)).toEqual({ startsAt: NOW, endsAt: NOW + 30 * DAY_MS });
});

it('the next paid period starts at the end of the last paid period', () => {
  expect(nextPeriod(NOW, NOW)).toEqual({ startsAt: NOW, endsAt: NOW + 30 * DAY_MS });
  expect(nextPeriod(NOW, NOW + 1)).toEqual({ startsAt: NOW + 1, endsAt: NOW + 1 + 30 * DAY_MS });
});

/** Returns the periods that payments at these times buy, oldest first. */
const stack = (paidAt: readonly number[]) => {
  const periods: { startsAt: number; endsAt: number }[] = [];
  for (const now of paidAt) periods.push(nextPeriod(now, periods.at(-1)?.endsAt ?? null));
  return periods;
};
const anyPayments = fc
  .array(fc.integer({ min: 0, max: 90 * DAY_MS }), { minLength: 1, maxLength: 12 })
  .map((waits) => {
    let now = NOW;
    return waits.map((wait) => (now += wait));
  });

it('several payments buy 30 days each, without overlaps or needless gaps', () => {
  fc.assert(
    fc.property(anyPayments, (paidAt) => {
      const periods = stack(paidAt);
      expect(periods.reduce((sum, { startsAt, endsAt }) => sum + endsAt - startsAt, 0)).toBe(
        paidAt.length * 30 * DAY_MS,
      );
      for (const [index, { startsAt, endsAt }] of periods.entries()) {
        const [before, paid] = [periods[index - 1]?.endsAt ?? 0, paidAt[index] ?? 0];
        expect(endsAt - startsAt).toBe(30 * DAY_MS);
        expect(startsAt).toBeGreaterThanOrEqual(paid);
        expect(startsAt).toBeGreaterThanOrEqual(before);
        expect([before, paid]).toContain(startsAt);
        expect(periods.filter((period) => isPeriodActiveAt(period, startsAt))).toHaveLength(1);
      }
    }),
  );
});
