import { describe, expect, it } from 'vitest';
import { HOUR_MS, SECOND_MS } from '#schema/constants.ts';
import { findTrend } from './memory.ts';

const EVERY_MS = 5 * SECOND_MS;
const SAMPLES = 360;

/** Half an hour of samples that swing by 20 MiB, like a heap between two collections. */
const samples = (mibAt: (hours: number) => number) =>
  Array.from({ length: SAMPLES }, (_, index) => {
    const at = index * EVERY_MS;
    return { at, mib: mibAt(at / HOUR_MS) + ((index * 7) % 11) * 2 };
  });

describe('the trend of the memory', () => {
  it('is within noise if the memory only grows while caches fill', () => {
    const trend = findTrend(samples((hours) => 300 + Math.min(hours, 1 / 6) * 600));
    expect(trend.isWithinNoise).toBe(true);
    expect(Math.abs(trend.perHour)).toBeLessThan(5);
  });

  it('is a leak if the memory keeps growing', () => {
    const trend = findTrend(samples((hours) => 300 + hours * 200));
    expect(trend.isWithinNoise).toBe(false);
    expect(trend.perHour).toBeCloseTo(200, 0);
    expect(trend.low).toBeGreaterThan(0);
  });
});
