import { FOLLOWER_STAKE_USD } from '#schema/constants/market.ts';
import { MIN_RANKED_QUOTES } from '#schema/constants/prices.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { changePercent, isWin } from '#schema/rules/calls/change-percent.ts';
import { followerFigures } from '#schema/rules/calls/follower-figures.ts';
import {
  followerResult,
  PPM_PER_PERCENT,
  proceedsOf,
  tokensFor,
} from '#schema/rules/calls/follower-return.ts';
import {
  averagePeakMultiple,
  averageReturn,
  bestReturn,
  countedCall,
  shareOfDoubledCalls,
  markToMarket,
  medianReturn,
  profitFactor,
  winRate,
  worstReturn,
} from '#schema/rules/calls/performance.ts';
import { uncountedGainReason } from '#schema/rules/calls/ranking.ts';

export const exampleCalls = [
  { symbol: 'AAA', entryPrice: '1', endPrice: '2', peakPrice: '2.4' },
  { symbol: 'BBB', entryPrice: '4', endPrice: '2', peakPrice: '4.4' },
  { symbol: 'CCC', entryPrice: '5', endPrice: '4', peakPrice: '4.9' },
  { symbol: 'DDD', entryPrice: '10', endPrice: '13', peakPrice: '15' },
  { symbol: 'EEE', entryPrice: '2', endPrice: '5', peakPrice: '6' },
].map((call) => ({ ...call, changePercent: changePercent(call.entryPrice, call.endPrice) }));

const changes = exampleCalls.map((call) => call.changePercent);
const wins = changes.filter(isWin).length;

export const exampleFigures = {
  calls: exampleCalls.length,
  wins,
  winRate: winRate(changes) ?? 0,
  averageReturn: averageReturn(changes) ?? 0,
  medianReturn: medianReturn(changes) ?? 0,
  bestReturn: bestReturn(changes) ?? 0,
  worstReturn: worstReturn(changes) ?? 0,
  shareOfDoubledCalls: shareOfDoubledCalls(exampleCalls) ?? 0,
  profitFactor: profitFactor(changes) ?? 0,
  averagePeakMultiple: averagePeakMultiple(exampleCalls) ?? 0,
} as const;

/** The figures of results in percent, each on another day and token. */
function figuresOf(percents: readonly number[]) {
  const results = percents.map((percent, index) => ({
    mint: String(index),
    calledAt: index * DAY_MS,
    ppm: percent * PPM_PER_PERCENT,
    isLate: false,
  }));
  const { followerReturn, proven } = followerFigures(results, null);
  return { followerReturn: followerReturn ?? 0, proven: proven ?? 0 };
}

export const steadyFigures = figuresOf([20, 4, 20, 4, 20, 4, 20, 4, 20, 4]);
export const luckyFigures = figuresOf([200, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
export const exampleMark =
  markToMarket([
    { entryPrice: '2', lastPrice: '0.8' },
    { entryPrice: '1', lastPrice: '1.5' },
  ]) ?? 0;

const bought = { price: '2.00', liquidityUsd: 100_000 };
const sold = { price: '3.00', liquidityUsd: 80_000 };
const exampleTokens = tokensFor(FOLLOWER_STAKE_USD, { price: 2, reserveUsd: bought.liquidityUsd / 2 });
export const exampleTrade = {
  entry: bought,
  end: sold,
  stakeUsd: FOLLOWER_STAKE_USD,
  tokens: exampleTokens,
  proceeds: proceedsOf(exampleTokens, { price: 3, reserveUsd: sold.liquidityUsd / 2 }),
  percent:
    (followerResult({
      endPrice: sold.price,
      changePercent: changePercent(bought.price, sold.price),
      countedChange: changePercent(bought.price, sold.price),
      open: bought,
      end: sold,
    }).ppm ?? 0) / PPM_PER_PERCENT,
};
export const exampleTradeChange = changePercent(bought.price, sold.price);

interface EndExample {
  readonly entryPrice: string;
  readonly endPrice: string;
  readonly heldMinutes: number;
}

function countEnd({ entryPrice, endPrice, heldMinutes }: EndExample) {
  const change = changePercent(entryPrice, endPrice);
  const reason = uncountedGainReason({
    isRanked: true,
    changePercent: change,
    heldMs: heldMinutes * MINUTE_MS,
    usableCount: MIN_RANKED_QUOTES,
  });
  const counted = countedCall({
    entryPrice,
    endPrice,
    changePercent: change,
    endedAt: 0,
    peakPrice: null,
    uncountedGainReason: reason,
  });
  return { heldMinutes, changePercent: change, countedPercent: counted.changePercent };
}

export const quickGain = countEnd({ entryPrice: '1', endPrice: '3', heldMinutes: 4 });
export const quickLoss = countEnd({ entryPrice: '4', endPrice: '2', heldMinutes: 4 });
export const unpricedEnd = countEnd({ entryPrice: '2', endPrice: '0', heldMinutes: 7 * 24 * 60 });
