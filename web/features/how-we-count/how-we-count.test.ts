import { expect, it } from 'vitest';
import { CALCULATOR_STAKE_USD, FOLLOWER_STAKE_USD } from '#schema/constants/market.ts';
import { MIN_RANKED_QUOTES } from '#schema/constants/prices.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { afterFee } from '#schema/rules/calls/after-fee.ts';
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
  markToMarket,
  medianReturn,
  profitFactor,
  shareOfDoubledCalls,
  winRate,
  worstReturn,
} from '#schema/rules/calls/performance.ts';
import { afterFeeSentence } from '#schema/rules/calls/after-fee-text.ts';
import { uncountedGainReason } from '#schema/rules/calls/ranking.ts';
import { formatChange, formatRate, formatUsd, grouped } from '#schema/rules/text/format.ts';
import { formatMultiple, formatProfitFactor } from '#schema/rules/text/format-amounts.ts';
import { exampleCalls } from './example-calls.ts';
import text from './how-we-count.md?raw';

const changes = exampleCalls.map((call) => call.changePercent);
const listed = (values: readonly number[]) => values.map((value) => formatChange(value)).join(', ');
const summed = (values: readonly number[]) =>
  values.map((percent) => formatRate(Math.abs(percent))).join(' + ');
const change = (percent: number | null) => formatChange(percent ?? 0);

/** The mean and Proven of results in percent, each on another day and token. */
function provenOf(percents: readonly number[]): string {
  const results = percents.map((percent, index) => {
    const [at, ppm] = [-index * DAY_MS, percent * PPM_PER_PERCENT];
    return { mint: String(index), calledAt: at, endedAt: at, ppm, solPpm: ppm, isLate: false };
  });
  const { followerReturn, proven } = followerFigures(results, null);
  return `mean ${change(followerReturn)}, Proven ${change(proven)}.`;
}

const fortyResults = {
  results: 40,
  days: 40,
  since: 0,
  mostAtOnce: 1,
  ppm: [2, 2, 2].map((percent) => 40 * percent * PPM_PER_PERCENT),
  sol: 0,
};

/** A call from 1 to this price counts as. */
function countedAfter(minutes: number, endPrice: string): string {
  const percent = changePercent('1', endPrice);
  const counted = countedCall({
    entryPrice: '1',
    endPrice,
    changePercent: percent,
    endedAt: 0,
    peakPrice: null,
    uncountedGainReason: uncountedGainReason({
      isRanked: true,
      changePercent: percent,
      heldMs: minutes * MINUTE_MS,
      usableCount: MIN_RANKED_QUOTES,
    }),
  });
  return `${change(percent)} counts as ${change(counted.changePercent)}`;
}

function followerTrade(): string {
  const open = { price: '2.00', liquidityUsd: 100_000, solPriceUsd: null };
  const end = { price: '3.00', liquidityUsd: 80_000, solPriceUsd: null };
  const percent = changePercent(open.price, end.price);
  const { ppm } = followerResult({
    endPrice: end.price,
    changePercent: percent,
    countedChange: percent,
    open,
    end,
  });
  const tokens = tokensFor(FOLLOWER_STAKE_USD, { price: 2, reserveUsd: open.liquidityUsd / 2 });
  const proceeds = proceedsOf(tokens, { price: 3, reserveUsd: end.liquidityUsd / 2 });
  return [
    `> Bought at $${open.price} with ${formatUsd(open.liquidityUsd)} of liquidity: ${grouped(tokens, 2)} tokens.`,
    `Sold at $${end.price} with ${formatUsd(end.liquidityUsd)}: $${grouped(proceeds, 2)},`,
    `so ${change((ppm ?? 0) / PPM_PER_PERCENT)}. The price itself rose by ${change(percent)}.`,
  ].join(' ');
}

it.each([
  `> Ended after 4 minutes: ${countedAfter(4, '3')}, and ${countedAfter(4, '0.5')}.`,
  `> From $2 to $0 counts as ${countedAfter(7 * 24 * 60, '0')
    .split(' ')
    .at(-1)}.`,
  `> ${changes.filter(isWin).length} of ${changes.length} ended above their entry: 3 / 5 = ${formatRate(winRate(changes) ?? 0)}.`,
  `> The average of ${listed(changes)} is ${change(averageReturn(changes))}.`,
  `ten results of +20% and ten of +4%: ${provenOf(Array.from({ length: 20 }, (_, index) => (index < 10 ? 20 : 4)))}`,
  `One of +200% and nineteen of 0%: ${provenOf([200, ...Array.from({ length: 19 }, () => 0)])}`,
  `> Sorted: ${listed(changes.toSorted((one, other) => one - other))}. The middle is ${change(medianReturn(changes))}.`,
  `> ${change(bestReturn(changes))} and ${change(worstReturn(changes))}.`,
  `> AAA (2.00x) and EEE (2.50x): 2 / 5 = ${formatRate(shareOfDoubledCalls(exampleCalls) ?? 0)}.`,
  `> (${summed(changes.filter((percent) => percent > 0))}) / (${summed(changes.filter((percent) => percent < 0))}) = ${formatProfitFactor({ profitFactor: profitFactor(changes), bestReturn: null })}.`,
  `> The average of ${exampleCalls.map(({ entryPrice, peakPrice }) => formatMultiple(Math.max(1, Number(peakPrice) / Number(entryPrice)))).join(', ')} is ${formatMultiple(averagePeakMultiple(exampleCalls) ?? 0)}.`,
  followerTrade(),
  `a fee of 0.2 SOL at $150: ${afterFeeSentence(afterFee(fortyResults, { feeSol: 0.2, solPrice: 150, now: 60 * DAY_MS }))}`,
  `> Two calls at the same time with ${formatUsd(CALCULATOR_STAKE_USD)} each, one of +50% and one of −50%, need ${formatUsd(2 * CALCULATOR_STAKE_USD)} and make $0`,
  `(−60% + 50%) / 2 = ${change(
    markToMarket([
      { entryPrice: '2', lastPrice: '0.8' },
      { entryPrice: '1', lastPrice: '1.5' },
    ]),
  )}.`,
])('an example of How We Count is what the rules compute: %s', (example) => {
  expect(text.replaceAll(/\s+/g, ' ')).toContain(example);
});
