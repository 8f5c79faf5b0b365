import {
  CALCULATOR_CALLS,
  CALCULATOR_STAKE_USD,
  CALL_AUTO_END_MS,
  DOUBLED_MULTIPLE,
  FOLLOWER_FIGURES_CALLS,
  HOLDINGS_MAX_TRANSACTIONS,
  HOLDINGS_MIN_USD,
  HOLDINGS_SUMMED_CALLS,
  MAX_CALLS_PER_DAY,
  MAX_CALLS_PER_HOUR,
  MAX_FOLLOWER_RESULT_PERCENT,
  MIN_COUNTED_HOLD_MS,
  MIN_PROVEN_DAYS,
  MIN_PROVEN_MINTS,
  REPEATED_MINT_MS,
  STATISTICS_MAX_CALLS,
  STATISTICS_WINDOWS_DAYS,
  SWAP_FEE_PERCENT,
  UNPRICED_END_MS,
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
} from '#schema/constants/prices.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { SHARE_AFTER_SWAP_FEE } from '#schema/rules/calls/follower-return.ts';
import { ALL_PRICE_SOURCES } from '#schema/rules/prices/price-source-names.ts';
import { formatChange, formatCount, formatRate, formatUsd, grouped } from '#schema/rules/text/format.ts';
import { formatMultiple, formatProfitFactor } from '#schema/rules/text/format-amounts.ts';
import {
  exampleCalls,
  exampleFigures,
  exampleMark,
  exampleTrade,
  exampleTradeChange,
  luckyFigures,
  quickGain,
  quickLoss,
  steadyFigures,
  unpricedEnd,
} from './example-calls.ts';

const [monthDays, quarterDays] = STATISTICS_WINDOWS_DAYS;
const changes = exampleCalls.map(({ changePercent }) => changePercent);
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
  provenDays: MIN_PROVEN_DAYS,
  provenMints: MIN_PROVEN_MINTS,
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

const examples = {
  quickMinutes: quickGain.heldMinutes,
  quickGain: formatChange(quickGain.changePercent),
  quickGainCounted: formatChange(quickGain.countedPercent),
  quickLoss: formatChange(quickLoss.changePercent),
  quickLossCounted: formatChange(quickLoss.countedPercent),
  unpricedEndCounted: formatChange(unpricedEnd.countedPercent),
  wins: exampleFigures.wins,
  calls: exampleFigures.calls,
  winRate: formatRate(exampleFigures.winRate),
  changes: listed(changes),
  sortedChanges: listed(changes.toSorted((one, other) => one - other)),
  averageReturn: formatChange(exampleFigures.averageReturn),
  medianReturn: formatChange(exampleFigures.medianReturn),
  bestReturn: formatChange(exampleFigures.bestReturn),
  worstReturn: formatChange(exampleFigures.worstReturn),
  shareOfDoubledCalls: formatRate(exampleFigures.shareOfDoubledCalls),
  gains: summed(changes.filter((change) => change > 0)),
  losses: summed(changes.filter((change) => change < 0)),
  profitFactor: formatProfitFactor(exampleFigures),
  peaks: exampleCalls.map(peakOf).join(', '),
  averagePeak: formatMultiple(exampleFigures.averagePeakMultiple),
  steadyMean: formatChange(steadyFigures.followerReturn),
  steadyProven: formatChange(steadyFigures.proven),
  luckyMean: formatChange(luckyFigures.followerReturn),
  luckyProven: formatChange(luckyFigures.proven),
  stake: formatUsd(exampleTrade.stakeUsd),
  entryPrice: exampleTrade.entry.price,
  entryLiquidity: formatUsd(exampleTrade.entry.liquidityUsd),
  tokens: grouped(exampleTrade.tokens, 2),
  endPrice: exampleTrade.end.price,
  endLiquidity: formatUsd(exampleTrade.end.liquidityUsd),
  proceeds: `$${grouped(exampleTrade.proceeds, 2)}`,
  tradePercent: formatChange(exampleTrade.percent),
  tradeChange: formatChange(exampleTradeChange),
  openMean: formatChange(exampleMark),
};

export const textValues = { ...limits, ...examples };
