import {
  CALCULATOR_CALLS,
  CALCULATOR_STAKE_USD,
  CALL_AUTO_END_MS,
  DOUBLED_MULTIPLE,
  FOLLOWER_FIGURES_CALLS,
  FOLLOWER_STAKE_USD,
  HOLDINGS_MAX_TRANSACTIONS,
  HOLDINGS_MIN_USD,
  HOLDINGS_SUMMED_CALLS,
  MAX_CALLS_PER_DAY,
  MAX_CALLS_PER_HOUR,
  MAX_FOLLOWER_RESULT_PERCENT,
  MIN_COUNTED_HOLD_MS,
  MIN_PROVEN_BETS,
  MIN_PROVEN_RESULTS,
  MIN_PROVEN_TOKENS,
  PROVEN_CALLS,
  PROVEN_CAPS_PERCENT,
  PROVEN_WINDOW_MS,
  REPEATED_MINT_MS,
  STATISTICS_MAX_CALLS,
  STATISTICS_WINDOWS_DAYS,
  SWAP_FEE_PERCENT,
  UNPRICED_END_MS,
  UNSEEN_LOSS_PERCENT,
} from '#schema/constants/market.ts';
import { SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import {
  CLOSES_DAILY_AFTER_MS,
  CLOSES_HOURLY_AFTER_MS,
  CLOSE_INTERVAL_MS,
  MAX_PRICE_DEVIATION_PERCENT,
  MAX_QUOTE_AGE_MS,
  MICRO_CAP_USD,
  MIN_POOL_AGE_MS,
  MIN_RANKED_QUOTES,
} from '#schema/constants/prices.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { changePercent, isWin } from '#schema/rules/calls/change-percent.ts';
import { followerFigures } from '#schema/rules/calls/follower-figures.ts';
import {
  followerResult,
  PPM_PER_PERCENT,
  proceedsOf,
  SHARE_AFTER_SWAP_FEE,
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
import { ALL_PRICE_SOURCES } from '#schema/rules/prices/price-source-names.ts';
import { formatChange, formatCount, formatRate, formatUsd, grouped } from '#schema/rules/text/format.ts';
import { formatMultiple, formatProfitFactor } from '#schema/rules/text/format-amounts.ts';

export const exampleCalls = [
  { symbol: 'AAA', entryPrice: '1', endPrice: '2', peakPrice: '2.4' },
  { symbol: 'BBB', entryPrice: '4', endPrice: '2', peakPrice: '4.4' },
  { symbol: 'CCC', entryPrice: '5', endPrice: '4', peakPrice: '4.9' },
  { symbol: 'DDD', entryPrice: '10', endPrice: '13', peakPrice: '15' },
  { symbol: 'EEE', entryPrice: '2', endPrice: '5', peakPrice: '6' },
].map((call) => ({ ...call, changePercent: changePercent(call.entryPrice, call.endPrice) }));

const [monthDays, quarterDays] = STATISTICS_WINDOWS_DAYS;
const changes = exampleCalls.map((call) => call.changePercent);
const listed = (values: readonly number[]) => values.map(formatChange).join(', ');
const summed = (values: readonly number[]) =>
  values.map((percent) => formatRate(Math.abs(percent))).join(' + ');
const peakOf = ({ entryPrice, peakPrice }: { entryPrice: string; peakPrice: string }) =>
  formatMultiple(Math.max(1, Number(peakPrice) / Number(entryPrice)));

const limits = {
  microCapUsd: formatCount(MICRO_CAP_USD),
  poolAgeHours: MIN_POOL_AGE_MS / HOUR_MS,
  repeatedMintHours: REPEATED_MINT_MS / HOUR_MS,
  holdMinutes: MIN_COUNTED_HOLD_MS / MINUTE_MS,
  autoEndDays: CALL_AUTO_END_MS / DAY_MS,
  unpricedEndDays: UNPRICED_END_MS / DAY_MS,
  callsPerHour: MAX_CALLS_PER_HOUR,
  callsPerDay: MAX_CALLS_PER_DAY,
  followerCalls: FOLLOWER_FIGURES_CALLS,
  monthDays,
  quarterDays,
  statisticsCalls: formatCount(STATISTICS_MAX_CALLS),
  provenCalls: PROVEN_CALLS,
  provenDays: PROVEN_WINDOW_MS / DAY_MS,
  provenResults: MIN_PROVEN_RESULTS,
  provenTokens: MIN_PROVEN_TOKENS,
  provenBets: MIN_PROVEN_BETS,
  provenCaps: PROVEN_CAPS_PERCENT.join(', '),
  unseenLoss: formatChange(UNSEEN_LOSS_PERCENT),
  doubled: DOUBLED_MULTIPLE,
  swapFeePercent: SWAP_FEE_PERCENT,
  shareAfterFee: SHARE_AFTER_SWAP_FEE,
  maxFollowerPercent: MAX_FOLLOWER_RESULT_PERCENT,
  calculatorCalls: CALCULATOR_CALLS,
  periodDays: SUBSCRIPTION_PERIOD_MS / DAY_MS,
  calculatorStake: formatUsd(CALCULATOR_STAKE_USD),
  twoStakes: formatUsd(2 * CALCULATOR_STAKE_USD),
  sources: ALL_PRICE_SOURCES,
  deviationPercent: MAX_PRICE_DEVIATION_PERCENT,
  quoteSeconds: MAX_QUOTE_AGE_MS / SECOND_MS,
  closeMinutes: CLOSE_INTERVAL_MS / MINUTE_MS,
  hourlyAfterDays: CLOSES_HOURLY_AFTER_MS / DAY_MS,
  dailyAfterDays: CLOSES_DAILY_AFTER_MS / DAY_MS,
  holdingsMin: formatUsd(HOLDINGS_MIN_USD),
  holdingsTransactions: HOLDINGS_MAX_TRANSACTIONS,
  holdingsCalls: HOLDINGS_SUMMED_CALLS,
};

/** The figures of results in percent, each on another day and token. */
function figuresOf(percents: readonly number[]) {
  const results = percents.map((percent, index) => {
    const [at, ppm] = [-index * DAY_MS, percent * PPM_PER_PERCENT];
    return { mint: String(index), calledAt: at, endedAt: at, ppm, solPpm: ppm, isLate: false };
  });
  const { followerReturn, proven } = followerFigures(results, null);
  return { followerReturn: followerReturn ?? 0, proven: proven ?? 0 };
}

const steadyFigures = figuresOf(Array.from({ length: 20 }, (_, index) => (index < 10 ? 20 : 4)));
const luckyFigures = figuresOf(Array.from({ length: 20 }, (_, index) => (index === 0 ? 200 : 0)));
const openMean =
  markToMarket([
    { entryPrice: '2', lastPrice: '0.8' },
    { entryPrice: '1', lastPrice: '1.5' },
  ]) ?? 0;

const bought = { price: '2.00', liquidityUsd: 100_000, solPriceUsd: null };
const sold = { price: '3.00', liquidityUsd: 80_000, solPriceUsd: null };
const tokens = tokensFor(FOLLOWER_STAKE_USD, { price: 2, reserveUsd: bought.liquidityUsd / 2 });
const tradeChange = changePercent(bought.price, sold.price);
const trade = followerResult({
  endPrice: sold.price,
  changePercent: tradeChange,
  countedChange: tradeChange,
  open: bought,
  end: sold,
});

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

const quickGain = countEnd({ entryPrice: '1', endPrice: '3', heldMinutes: 4 });
const quickLoss = countEnd({ entryPrice: '4', endPrice: '2', heldMinutes: 4 });
const unpricedEnd = countEnd({ entryPrice: '2', endPrice: '0', heldMinutes: 7 * 24 * 60 });

const examples = {
  quickMinutes: quickGain.heldMinutes,
  quickGain: formatChange(quickGain.changePercent),
  quickGainCounted: formatChange(quickGain.countedPercent),
  quickLoss: formatChange(quickLoss.changePercent),
  quickLossCounted: formatChange(quickLoss.countedPercent),
  unpricedEndCounted: formatChange(unpricedEnd.countedPercent),
  wins: changes.filter(isWin).length,
  calls: changes.length,
  winRate: formatRate(winRate(changes) ?? 0),
  changes: listed(changes),
  sortedChanges: listed(changes.toSorted((one, other) => one - other)),
  averageReturn: formatChange(averageReturn(changes) ?? 0),
  medianReturn: formatChange(medianReturn(changes) ?? 0),
  bestReturn: formatChange(bestReturn(changes) ?? 0),
  worstReturn: formatChange(worstReturn(changes) ?? 0),
  shareOfDoubledCalls: formatRate(shareOfDoubledCalls(exampleCalls) ?? 0),
  gains: summed(changes.filter((change) => change > 0)),
  losses: summed(changes.filter((change) => change < 0)),
  profitFactor: formatProfitFactor({ profitFactor: profitFactor(changes), bestReturn: null }),
  peaks: exampleCalls.map(peakOf).join(', '),
  averagePeak: formatMultiple(averagePeakMultiple(exampleCalls) ?? 0),
  steadyMean: formatChange(steadyFigures.followerReturn),
  steadyProven: formatChange(steadyFigures.proven),
  luckyMean: formatChange(luckyFigures.followerReturn),
  luckyProven: formatChange(luckyFigures.proven),
  stake: formatUsd(FOLLOWER_STAKE_USD),
  entryPrice: bought.price,
  entryLiquidity: formatUsd(bought.liquidityUsd),
  tokens: grouped(tokens, 2),
  endPrice: sold.price,
  endLiquidity: formatUsd(sold.liquidityUsd),
  proceeds: `$${grouped(proceedsOf(tokens, { price: 3, reserveUsd: sold.liquidityUsd / 2 }), 2)}`,
  tradePercent: formatChange((trade.ppm ?? 0) / PPM_PER_PERCENT),
  tradeChange: formatChange(tradeChange),
  openMean: formatChange(openMean),
};

export const textValues = { ...limits, ...examples };
