import { expect, it } from 'vitest';
import { MAX_CALLS_PER_DAY, MAX_CALLS_PER_HOUR } from '#schema/constants/market.ts';
import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { callLimitWait } from './call-limits.ts';

const NOW = 1_800_000_000_000;
/** Returns the opening times of `count` calls at this interval, newest first. The newest is at NOW. */
const every = (intervalMs: number, count: number) =>
  Array.from({ length: count }, (_, index) => NOW - index * intervalMs);

it.each<[string, number[], number]>([
  ['without a call', [], 0],
  ['below the limit of an hour', every(1, MAX_CALLS_PER_HOUR - 1), 0],
  ['at the limit of an hour', every(MINUTE_MS, MAX_CALLS_PER_HOUR), HOUR_MS - 9 * MINUTE_MS],
  ['when the oldest of ten calls is an hour old', every(HOUR_MS / 9, MAX_CALLS_PER_HOUR), 0],
  ['at the limit of a day', every(HOUR_MS / 2, MAX_CALLS_PER_DAY), 9.5 * HOUR_MS],
  ['at both limits', every(MINUTE_MS, MAX_CALLS_PER_DAY), 24 * HOUR_MS - 29 * MINUTE_MS],
])('callLimitWait returns $2 ms $0', (_name, calledAt, wait) =>
  expect(callLimitWait({ calledAt, now: NOW })).toBe(wait),
);
