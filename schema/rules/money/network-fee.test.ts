import { expect, it } from 'vitest';
import {
  COMPUTE_UNIT_LIMIT,
  MAX_PRIORITY_FEE_LAMPORTS,
  MIN_PRIORITY_FEE_LAMPORTS,
  chooseComputeBudget,
  networkFeeOf,
  priorityFeeOf,
} from './network-fee.ts';

const repeat = (count: number, price: bigint) => Array.from({ length: count }, () => price);
const feeOf = (prices: readonly bigint[]) => priorityFeeOf(chooseComputeBudget(prices));

it.each<[what: string, prices: bigint[], lamports: bigint]>([
  ['is the lower bound without recent prices', [], MIN_PRIORITY_FEE_LAMPORTS],
  ['is the lower bound on a quiet network', repeat(150, 0n), MIN_PRIORITY_FEE_LAMPORTS],
  ['is the price of a busy network times the compute unit limit', repeat(150, 100_000n), 20_000n],
  [
    'ignores a high price in fewer than a tenth of the newest slots',
    [...repeat(46, 0n), ...repeat(4, 10n ** 9n)],
    MIN_PRIORITY_FEE_LAMPORTS,
  ],
  [
    'follows a high price in more than a tenth of the newest slots',
    [...repeat(44, 0n), ...repeat(6, 100_000n)],
    20_000n,
  ],
  [
    'ignores all but the newest fifty slots',
    [...repeat(100, 10n ** 9n), ...repeat(50, 0n)],
    MIN_PRIORITY_FEE_LAMPORTS,
  ],
  ['never exceeds the upper bound', repeat(150, 10n ** 15n), MAX_PRIORITY_FEE_LAMPORTS],
])('the priority fee %s', (_what, prices, lamports) => {
  expect(feeOf(prices)).toBe(lamports);
});

it('the priority fee is rounded up to whole lamports', () => {
  expect(priorityFeeOf({ computeUnitLimit: COMPUTE_UNIT_LIMIT, microLamports: 1n })).toBe(1n);
  expect(priorityFeeOf({ computeUnitLimit: 1_000_000, microLamports: 1n })).toBe(1n);
  expect(priorityFeeOf({ computeUnitLimit: 1_000_001, microLamports: 1n })).toBe(2n);
});

it('the network fee is the priority fee plus the fee for one signature', () => {
  expect(networkFeeOf({ computeUnitLimit: COMPUTE_UNIT_LIMIT, microLamports: 50_000n })).toBe(15_000n);
});
