import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, NOTIFICATION_LIFETIME_MS, SECOND_MS } from '#schema/constants.ts';
import { inLifetime, retryDelay, unansweredDelay } from './letters.ts';

/** At which ages (in minutes) a message is tried that fails each time. */
function triedAt({
  delayOf,
  lifetimeMs,
}: {
  delayOf: (attempts: number) => number;
  lifetimeMs: number;
}): number[] {
  const ages: number[] = [];
  for (let age = 0, attempts = 1; age < lifetimeMs; attempts += 1) {
    ages.push(age / MINUTE_MS);
    age += inLifetime({ delaySeconds: delayOf(attempts), leftMs: lifetimeMs - age }) * SECOND_MS;
  }
  return ages;
}

it('what got no answer is tried seven times in its hour: after 1, after 5, then every 15 minutes, and a minute before its end', () => {
  expect(triedAt({ delayOf: unansweredDelay, lifetimeMs: NOTIFICATION_LIFETIME_MS })).toEqual([
    0, 1, 6, 21, 36, 51, 59,
  ]);
});

it('what was refused is tried twice as late each time, and a minute before its end', () => {
  const ages = triedAt({ delayOf: retryDelay, lifetimeMs: NOTIFICATION_LIFETIME_MS });
  expect(ages.slice(0, 4)).toEqual([0, 10 / 60, 30 / 60, 70 / 60]);
  expect(ages.at(-1)).toBe(59);
  expect(triedAt({ delayOf: retryDelay, lifetimeMs: 24 * HOUR_MS }).at(-1)).toBe(24 * 60 - 1);
});
