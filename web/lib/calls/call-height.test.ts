import fc from 'fast-check';
import { expect, it } from 'vitest';
import { callHeight } from './call-height.ts';

const percent = fc.double({ min: -100, max: 1e9, noNaN: true });

it('the height of a call in a chart is 0 without a change, and 1 or -1 for a change that fills the chart', () => {
  expect(callHeight(0, 100)).toBe(0);
  expect(callHeight(40, 40)).toBe(1);
  expect(callHeight(-40, 40)).toBe(-1);
  expect(callHeight(1e12, 100)).toBe(1);
});

it("the height of a call in a chart has the change's sign and grows with it", () => {
  fc.assert(
    fc.property(percent, percent, (one, other) => {
      expect(callHeight(one, 100) * one).toBeGreaterThanOrEqual(0);
      if (one <= other) expect(callHeight(one, 100)).toBeLessThanOrEqual(callHeight(other, 100));
    }),
  );
});

it('the heights of a gain and a loss of the same size differ only in sign', () => {
  fc.assert(
    fc.property(percent, (change) => {
      expect(callHeight(-change, 100) + callHeight(change, 100)).toBe(0);
    }),
  );
});
