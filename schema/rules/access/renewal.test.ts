import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RENEWAL_REMINDER_DAYS } from '#schema/constants/money.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import {
  daysUntil,
  describeDaysUntil,
  endsAtStage,
  isStageOver,
  nextReminderAt,
  renewalStage,
} from './renewal.ts';

const NOW = Date.parse('2026-11-21T09:00:00.000Z');
const timestamps = fc.integer({ min: 0, max: 4_000_000_000_000 });
const distances = fc.integer({ min: -10 * DAY_MS, max: 10 * DAY_MS });

it.each([
  ['more than a week away', 7 * DAY_MS + 1, null],
  ['a week away', 7 * DAY_MS, 7],
  ['just over a day away', DAY_MS + 1, 7],
  ['a day away', DAY_MS, 1],
  ['a moment away', 1, 1],
  ['now', 0, 0],
  ['not yet three days past', -3 * DAY_MS + 1, 0],
  ['three days past', -3 * DAY_MS, null],
  ['long past', -300 * DAY_MS, null],
] as const)('renewalStage of a subscription whose end is %s (%d ms) is %s', (_name, distance, stage) => {
  expect(renewalStage(NOW + distance, NOW)).toBe(stage);
});

it.each([
  ['more than three days away', 3 * DAY_MS + 1, null, 3],
  ['three days away', 3 * DAY_MS, 3, 1],
  ['a day away', DAY_MS, 1, 0],
  ['now', 0, 0, null],
] as const)(
  'the reminder of 7 days whose end is %s is of the right stage',
  (_name, distance, stage, next) => {
    const endsAt = NOW + distance;
    expect(renewalStage(endsAt, NOW, 7)).toBe(stage);
    expect(nextReminderAt(endsAt, NOW, 7)).toBe(next === null ? null : endsAt - next * DAY_MS);
  },
);

it('endsAtStage and isStageOver agree with renewalStage for any end date', () => {
  fc.assert(
    fc.property(timestamps, distances, (now, distance) => {
      const endsAt = now + distance;
      const at = renewalStage(endsAt, now);
      for (const stage of RENEWAL_REMINDER_DAYS) {
        const { after, until } = endsAtStage(stage, now);
        expect(endsAt > after && endsAt <= until).toBe(stage === at);
        expect(isStageOver({ stage, endsAt, now })).toBe(at === null ? endsAt <= now : at < stage);
      }
    }),
  );
});

it.each([
  [8 * DAY_MS, 7],
  [7 * DAY_MS, 1],
  [DAY_MS + 1, 1],
  [DAY_MS, 0],
  [1, 0],
  [0, null],
])('with %i ms left, the next reminder is due %s days before the end', (left, days) => {
  const endsAt = NOW + left;
  expect(nextReminderAt(endsAt, NOW)).toBe(days === null ? null : endsAt - days * DAY_MS);
});

it.each([
  ['later the same day', '2026-11-21T23:59:59.999Z', 0, 0, 'today'],
  ['at the next midnight', '2026-11-22T00:00:00.000Z', 0, 1, 'tomorrow'],
  ['late the next day, more than 24 hours away', '2026-11-22T20:00:00.000Z', 0, 1, 'tomorrow'],
  ['in a week', '2026-11-28T08:59:00.000Z', 0, 7, 'in 7 days'],
  ['later the same day, east of UTC', '2026-11-21T14:59:00.000Z', -9 * 60, 0, 'today'],
  ['after midnight, east of UTC', '2026-11-21T15:00:00.000Z', -9 * 60, 1, 'tomorrow'],
  ['later the same day, west of UTC', '2026-11-22T04:00:00.000Z', 5 * 60, 0, 'today'],
  ['earlier the same day', '2026-11-21T08:00:00.000Z', 0, 0, 'today'],
])('daysUntil for an end $0 is $3 days, described as “$4”', (_name, end, offset, days, words) => {
  expect(daysUntil({ endsAt: Date.parse(end), now: NOW, offsetAt: () => offset })).toBe(days);
  expect(describeDaysUntil(days)).toBe(words);
});

it('daysUntil counts in UTC by default', () => {
  expect(daysUntil({ endsAt: Date.parse('2026-11-22T00:00:00.000Z'), now: NOW })).toBe(1);
});

it('daysUntil counts calendar days across a daylight saving change', () => {
  const change = Date.parse('2026-11-22T01:00:00.000Z');
  const offsetAt = (timestamp: number) => (timestamp < change ? -120 : -60);
  expect(daysUntil({ endsAt: Date.parse('2026-11-22T22:59:00.000Z'), now: NOW, offsetAt })).toBe(1);
  expect(daysUntil({ endsAt: Date.parse('2026-11-22T23:00:00.000Z'), now: NOW, offsetAt })).toBe(2);
});

it('daysUntil matches the local calendar in every time zone', () => {
  fc.assert(
    fc.property(
      timestamps,
      fc.integer({ min: 0, max: 9 * DAY_MS }),
      fc.integer({ min: -14 * 60, max: 12 * 60 }),
      (now, wait, offset) => {
        const localDay = (timestamp: number) =>
          Date.parse(new Date(timestamp - offset * MINUTE_MS).toISOString().slice(0, 10));
        const days = daysUntil({ endsAt: now + wait, now, offsetAt: () => offset });
        expect(days).toBe((localDay(now + wait) - localDay(now)) / DAY_MS);
        expect(Math.abs(days * DAY_MS - wait)).toBeLessThan(24 * HOUR_MS);
      },
    ),
  );
});
