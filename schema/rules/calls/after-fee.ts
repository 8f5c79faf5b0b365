import { FOLLOWER_STAKES_USD, MIN_AFTER_FEE_DAYS, MIN_PROVEN_RESULTS } from '#schema/constants/market.ts';
import { SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { countedResults, type RecordedResult } from './follower-figures.ts';
import type { CopiedResult } from './follower-return.ts';

/** The results that count in Proven, added up. Nothing in it depends on the fee, on SOL's price now or on the time. */
export interface CopiedSums {
  readonly results: number;
  /** The number of UTC days on which these calls were opened. */
  readonly days: number;
  /** The time of the first opening (unix ms); 0 without results. */
  readonly since: number;
  readonly mostAtOnce: number;
  /** For each of FOLLOWER_STAKES_USD, in millionths of the stake. */
  readonly ppm: readonly number[];
  /** The gain of the same stakes in SOL between the same marks, without fees. */
  readonly sol: number;
}

/** A month's gain with one stake in each call, after the caller's fee. */
export interface StakeAfterFee {
  readonly stakeUsd: number;
  /** The sum of all results, and of SOL's changes between the same marks. */
  readonly gainUsd: number;
  readonly solUsd: number;
  /** The gain a month, minus the fee. Null if it's too early to say, or without SOL's price. */
  readonly monthUsd: number | null;
  /** SOL's gain a month. */
  readonly monthSolUsd: number | null;
  /** The stakes of the most calls that were held at one time. */
  readonly mostUsd: number;
}

export interface AfterFee extends Pick<CopiedSums, 'results' | 'days' | 'mostAtOnce'> {
  /** When the first of the results was opened (ISO 8601). */
  readonly since: string | null;
  /** The months of 30 days since then, at least one. */
  readonly months: number;
  /** The caller's fee now at SOL's price now. 0 for Free callers, null without that price. */
  readonly feeUsd: number | null;
  readonly stakes: readonly StakeAfterFee[];
  /** The least stake whose gain covers the fee. Null if none does, for Free callers, or where `monthUsd` is null. */
  readonly paysFromUsd: number | null;
}

export interface CopiedRecord extends RecordedResult {
  readonly copied: CopiedResult | null;
}

/** @param records newest end first */
export function copiedSums(records: readonly CopiedRecord[], oldestOpenAt: number | null): CopiedSums {
  const counted = countedResults(records, oldestOpenAt).flatMap(({ copied, isLate, ...record }) =>
    copied === null ? [] : [{ ...record, ...(isLate ? atMostSol(copied) : copied) }],
  );
  const opened = counted.map(({ calledAt }) => calledAt).toSorted((one, other) => one - other);
  return {
    results: counted.length,
    days: new Set(opened.map((at) => Math.floor(at / DAY_MS))).size,
    since: opened[0] ?? 0,
    mostAtOnce: mostAtOnce(
      opened,
      counted.map(({ endedAt }) => endedAt),
    ),
    ppm: FOLLOWER_STAKES_USD.map((_, stake) => sum(counted.map(({ ppm }) => ppm[stake] ?? 0))),
    sol: sum(counted.map(({ sol }) => sol)),
  };
}

interface FeeNow {
  readonly feeSol: number;
  /** SOL's price in USD now. */
  readonly solPrice: number | null;
  readonly now: number;
}

export function afterFee(sums: CopiedSums, { feeSol, solPrice, now }: FeeNow): AfterFee {
  const { results, days, since, mostAtOnce: most, ppm, sol } = sums;
  const months = results === 0 ? 1 : Math.max(1, (now - since) / SUBSCRIPTION_PERIOD_MS);
  const price = feeSol === 0 ? 0 : solPrice;
  const feeUsd = price === null ? null : feeSol * price;
  const isEnough = results >= MIN_PROVEN_RESULTS && days >= MIN_AFTER_FEE_DAYS;
  const stakes = FOLLOWER_STAKES_USD.map((stakeUsd, stake) => {
    const inUsd = (value: number) => (stakeUsd * value) / 1e6;
    const [gainUsd, solUsd] = [inUsd(ppm[stake] ?? 0), inUsd(sol)];
    return {
      stakeUsd,
      gainUsd,
      solUsd,
      monthUsd: isEnough && feeUsd !== null ? gainUsd / months - feeUsd : null,
      monthSolUsd: isEnough ? solUsd / months : null,
      mostUsd: stakeUsd * most,
    };
  });
  return {
    results,
    days,
    mostAtOnce: most,
    since: results === 0 ? null : new Date(since).toISOString(),
    months,
    feeUsd,
    stakes,
    paysFromUsd: isEnough && feeUsd ? lowestCovering(stakes, feeUsd * months) : null,
  };
}

/** Reads the least stake that makes this gain from straight lines through 0 and the gains of the stakes. */
function lowestCovering(stakes: readonly StakeAfterFee[], feesUsd: number): number | null {
  const index = stakes.findIndex(({ gainUsd }) => gainUsd >= feesUsd);
  const end = stakes[index];
  if (end === undefined) return null;
  const start = stakes[index - 1] ?? { stakeUsd: 0, gainUsd: 0 };
  const share = (feesUsd - start.gainUsd) / (end.gainUsd - start.gainUsd);
  return start.stakeUsd + share * (end.stakeUsd - start.stakeUsd);
}

/** A late gain counts as holding SOL. */
const atMostSol = ({ ppm, sol }: CopiedResult) => ({ ppm: ppm.map((each) => Math.min(each, sol)), sol });

/** @param opened sorted */
function mostAtOnce(opened: readonly number[], ended: readonly number[]): number {
  const ends = ended.toSorted((one, other) => one - other);
  let most = 0;
  let closed = 0;
  for (const [index, at] of opened.entries()) {
    while ((ends[closed] ?? Infinity) < at) closed += 1;
    most = Math.max(most, index + 1 - closed);
  }
  return most;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
