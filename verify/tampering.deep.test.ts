import { expect, it } from 'vitest';
import { falseAlarms, missedTampers, missedWholeLogTampers } from './test-support/run.ts';

const MAX_MS = 60 * 60_000;

it('the verifier finds the right reason in each of 9,000 tampered records', { timeout: MAX_MS }, async () => {
  expect(await missedTampers({ seed: 1, count: 9_000 })).toEqual([]);
});

it(
  'the verifier finds the right reason in each of 1,000 scans of a tampered log',
  { timeout: MAX_MS },
  async () => {
    expect(await missedWholeLogTampers({ seed: 1_000_000, count: 1_000, calls: 30 })).toEqual([]);
  },
);

it('the verifier gives no false alarm in 10,000 honest logs', { timeout: MAX_MS }, async () => {
  expect(await falseAlarms({ seed: 2_000_000, count: 10_000 })).toEqual([]);
});
