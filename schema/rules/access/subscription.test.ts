import { expect, it } from 'vitest';
import { DAY_MS } from '#schema/constants/time.ts';
import { canUnfollow, isPeriodActiveAt, hasLapsed, subscriptionStatus } from './subscription.ts';

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
  'isPeriodActiveAt of a period $0 is $3, and the period’s status is “$4”',
  (_name, startsAt, endsAt, covers, status) => {
    expect(isPeriodActiveAt({ startsAt, endsAt }, NOW)).toBe(covers);
    expect(subscriptionStatus({ startsAt, endsAt }, NOW)).toBe(status);
    expect(hasLapsed({ startsAt, endsAt }, NOW)).toBe(status === 'expired');
  },
);

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
