import { expect, it } from 'vitest';
import { memoryGrowth } from './memory.ts';

it('memoryGrowth compares the median of the last third of the samples with the median of the middle third', () => {
  expect(memoryGrowth([10, 50, 90, 100, 100, 100, 100, 101, 99])).toBe(0);
  expect(memoryGrowth([10, 50, 90, 100, 100, 100, 110, 120, 130])).toBeCloseTo(0.2);
  expect(memoryGrowth([1, 2])).toBe(0);
});
