import { expect, it } from 'vitest';
import { DAY_MS } from '#schema/constants/time.ts';
import type { CopiedCall } from './calculator.ts';
import { feeWorth } from './fee-worth.ts';

const START = Date.parse('2026-01-01T00:00:00Z');

const call = (day: number, endPrice: string, liquidityUsd = 1e12): CopiedCall => ({
  id: `${day}`,
  tokenSymbol: 'JUP',
  callTimestamp: new Date(START + day * DAY_MS).toISOString(),
  endTimestamp: new Date(START + (day + 1) * DAY_MS).toISOString(),
  endPrice,
  changePercent: (Number(endPrice) - 1) * 100,
  countedChange: (Number(endPrice) - 1) * 100,
  open: { price: '1', liquidityUsd, solPriceUsd: '100' },
  end: { price: endPrice, liquidityUsd, solPriceUsd: '100' },
});
const now = START + 60 * DAY_MS;
const question = { stakeUsd: 100, feeUsd: 64, now };

it('feeWorth returns the monthly gain after two ended calls, and the lowest amount per call that covers the fee', () => {
  // 0.997² × 2 = 1.988018: 98.80 USD for each of two calls in two months.
  const worth = feeWorth({ ...question, calls: [call(0, '2'), call(30, '2')] });
  expect(worth).toEqual({
    calls: 2,
    monthlyGainUsd: 98.8018,
    coveringStakeUsd: 65,
    highestCoveringUsd: null,
  });
});

it('feeWorth returns the monthly loss for losing calls, and no amount per call that covers the fee', () => {
  const worth = feeWorth({ ...question, calls: [call(0, '0.5'), call(30, '0.5')] });
  expect(worth).toEqual({
    calls: 2,
    monthlyGainUsd: -50.2996,
    coveringStakeUsd: null,
    highestCoveringUsd: null,
  });
});

it('feeWorth returns the lowest and the highest amount per call that cover the fee', () => {
  const calls = [call(0, '2', 100_000)];
  const worth = feeWorth({ ...question, calls });
  const covers = (stakeUsd: number) =>
    (feeWorth({ ...question, calls, stakeUsd })?.monthlyGainUsd ?? 0) >= question.feeUsd;
  const [low, high] = [worth?.coveringStakeUsd ?? 0, worth?.highestCoveringUsd ?? 0];
  expect([low - 1, low, high, high + 1].map(covers)).toEqual([false, true, true, false]);
});

it('no amount per call covers the fee for a token with little liquidity', () => {
  expect(feeWorth({ ...question, calls: [call(0, '1.1', 500)] })?.coveringStakeUsd).toBeNull();
});

it('feeWorth returns null until 30 days after the first call, and if no call has a result', () => {
  expect(feeWorth({ ...question, calls: [call(31, '2')] })).toBeNull();
  expect(feeWorth({ ...question, calls: [] })).toBeNull();
  expect(feeWorth({ ...question, calls: [{ ...call(0, '2'), end: null }] })).toBeNull();
});
