import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants.ts';
import { coversMoment, hasLapsed, nextPeriod, subscriptionStatus } from './subscription.ts';

const NOW = 10 * SUBSCRIPTION_PERIOD_MS;

describe('a period', () => {
  it.each([
    ['open since long', 0, null, true, 'active'],
    ['open from now on', NOW, null, true, 'active'],
    ['open from later on', NOW + 1, null, false, 'active'],
    ['running', NOW - 1, NOW + 1, true, 'active'],
    ['in its last moment', NOW - 5, NOW + 1, true, 'active'],
    ['ending now', NOW - 5, NOW, false, 'expired'],
    ['over', NOW - 5, NOW - 1, false, 'expired'],
    ['to come', NOW + 1, NOW + 2, false, 'active'],
  ] as const)('%s', (_name, startsAt, endsAt, covers, status) => {
    expect(coversMoment({ startsAt, endsAt }, NOW)).toBe(covers);
    expect(subscriptionStatus({ startsAt, endsAt }, NOW)).toBe(status);
    expect(hasLapsed({ startsAt, endsAt }, NOW)).toBe(status === 'expired');
  });
});

describe('nextPeriod', () => {
  it('starts now without anything paid before, or after a lapse', () => {
    expect(nextPeriod(NOW, null)).toEqual({ startsAt: NOW, endsAt: NOW + 30 * DAY_MS });
    expect(nextPeriod(NOW, NOW - 1)).toEqual({ startsAt: NOW, endsAt: NOW + 30 * DAY_MS });
  });

  it('chained in any rhythm never overlaps, never gaps while paid, and never loses a day', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 90 * DAY_MS }), { minLength: 1, maxLength: 12 }), (waits) => {
        let now = NOW;
        let paidUntil: number | null = null;
        for (const wait of waits) {
          now += wait;
          const { startsAt, endsAt } = nextPeriod(now, paidUntil);
          expect(endsAt - startsAt).toBe(SUBSCRIPTION_PERIOD_MS);
          expect(startsAt).toBeGreaterThanOrEqual(now);
          expect(startsAt).toBe(paidUntil !== null && paidUntil > now ? paidUntil : now);
          paidUntil = endsAt;
        }
      }),
    );
  });
});
