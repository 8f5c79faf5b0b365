import { expect, it } from 'vitest';
import { describePaperEnd, formatExactGain, formatGain } from './gains.ts';

it.each([
  [43.4, '+$43', '+$43.40'],
  [-19, '-$19', '-$19.00'],
  [1234.5, '+$1,235', '+$1,234.50'],
  [0.4, '$0', '+$0.40'],
  [-0.001, '$0', '$0'],
])('a gain of %s USD is %s, or %s with cents', (usd, whole, exact) => {
  expect([formatGain(usd), formatExactGain(usd)]).toEqual([whole, exact]);
});

it('the text about an ended call has the result on paper only if the paper follow has an amount', () => {
  const end = { symbol: 'JUP', changePercent: 12 };
  expect(describePaperEnd({ ...end, gainUsd: 9.8 })).toBe('JUP ended +12.0%. On paper: +$9.80.');
  expect(describePaperEnd({ ...end, gainUsd: undefined })).toBe('JUP ended +12.0%.');
  expect(describePaperEnd({ ...end, gainUsd: null })).toBe(
    'JUP ended +12.0%. On paper: no result, because there was no price a minute later.',
  );
});
