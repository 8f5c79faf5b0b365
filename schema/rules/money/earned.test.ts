import { expect, it } from 'vitest';
import { explainCommission, monthRange } from './earned.ts';

const month = '2026-11';
const { until } = monthRange(month);
const late = until + 86_400_000;

it.each([
  ['everything is compared', [5n, 5n, 5n], late, [0n, 0n]],
  ['newer payments aren’t compared yet', [7n, 5n, 5n], until, [2n, 0n]],
  ['older payments were never compared', [7n, 5n, 5n], late, [0n, 2n]],
  ['the ledger has more than we received', [4n, 5n, 5n], until, [0n, 1n]],
  ['the chain has one lamport less', [5n, 5n, 4n], until, [0n, 1n]],
  ['two differences don’t cancel out', [6n, 5n, 6n], late, [0n, 2n]],
] as const)('explains a month’s commission if %s', (_, [received, ledger, chain], comparedUntil, result) => {
  const { pending, unexplained } = explainCommission({ month, received, ledger, chain }, comparedUntil);
  expect([pending, unexplained]).toEqual(result);
});

it('a month in December ends with the year', () => {
  expect(new Date(monthRange('2026-12').until).toISOString()).toBe('2027-01-01T00:00:00.000Z');
});
