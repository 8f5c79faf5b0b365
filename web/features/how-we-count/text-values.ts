import * as constants from '#schema/constants.ts';
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

const { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } = constants;
const [monthDays, quarterDays] = constants.STATISTICS_WINDOWS_DAYS;
const changes = exampleCalls.map(({ changePercent }) => changePercent);
const listed = (values: readonly number[]) => values.map(formatChange).join(', ');
const summed = (values: readonly number[]) =>
  values.map((percent) => formatRate(Math.abs(percent))).join(' + ');
const peakOf = ({ entryPrice, peakPrice }: { entryPrice: string; peakPrice: string }) =>
  formatMultiple(Math.max(1, Number(peakPrice) / Number(entryPrice)));

/** The product's numbers in how-we-count.md. */
const limits = {
  microCapUsd: formatCount(constants.MICRO_CAP_USD),
  poolAgeHours: constants.MIN_POOL_AGE_MS / HOUR_MS,
  repeatedMintHours: constants.REPEATED_MINT_MS / HOUR_MS,
  holdMinutes: constants.MIN_COUNTED_HOLD_MS / MINUTE_MS,
  autoEndDays: constants.CALL_AUTO_END_MS / DAY_MS,
  unpricedEndDays: constants.UNPRICED_END_MS / DAY_MS,
  callsPerHour: constants.MAX_CALLS_PER_HOUR,
  callsPerDay: constants.MAX_CALLS_PER_DAY,
  followerCalls: constants.FOLLOWER_FIGURES_CALLS,
  monthDays,
  quarterDays,
  statisticsCalls: formatCount(constants.STATISTICS_MAX_CALLS),
  provenDays: constants.MIN_PROVEN_DAYS,
  provenMints: constants.MIN_PROVEN_MINTS,
  doubled: constants.DOUBLED_MULTIPLE,
  swapFeePercent: constants.SWAP_FEE_PERCENT,
  shareAfterFee: SHARE_AFTER_SWAP_FEE,
  maxFollowerPercent: constants.MAX_FOLLOWER_RESULT_PERCENT,
  calculatorCalls: constants.CALCULATOR_CALLS,
  periodDays: constants.SUBSCRIPTION_PERIOD_MS / DAY_MS,
  calculatorStake: formatUsd(constants.CALCULATOR_STAKE_USD),
  twoStakes: formatUsd(2 * constants.CALCULATOR_STAKE_USD),
  sources: ALL_PRICE_SOURCES,
  deviationPercent: constants.MAX_PRICE_DEVIATION_PERCENT,
  quoteSeconds: constants.MAX_QUOTE_AGE_MS / SECOND_MS,
  closeMinutes: constants.CLOSE_INTERVAL_MS / MINUTE_MS,
  hourlyAfterDays: constants.CLOSES_HOURLY_AFTER_MS / DAY_MS,
  dailyAfterDays: constants.CLOSES_DAILY_AFTER_MS / DAY_MS,
  holdingsMin: formatUsd(constants.HOLDINGS_MIN_USD),
  holdingsTransactions: constants.HOLDINGS_MAX_TRANSACTIONS,
  holdingsCalls: constants.HOLDINGS_SUMMED_CALLS,
};

/** The examples in how-we-count.md, computed by the product's own functions. */
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

/** The values that how-we-count.md names. */
export const textValues = { ...limits, ...examples };
