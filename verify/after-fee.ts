import type { EndedCall } from './chain.ts';
import { countedCalls, isLateCall, type ProvenRules } from './proven.ts';
import { STAKES_USD } from './results.ts';
import { isNumber, listOf, nullable, objectOf, type Of } from './shapes.ts';

// After the fee, as /how-we-count defines it. The fee in USD isn't in the log, so the site's counts.

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const MONTH_MS = 30 * DAY_MS;
const LEAST = { results: 20, days: 10 };
/** The site's clock, and the age of its responses, may differ from this device's clock by this much. */
const CLOCK_MS = HOUR_MS;

/** What the log gives, added up. */
export interface CopiedSums {
  readonly results: number;
  readonly days: number;
  readonly mostAtOnce: number;
  /** The time of the first opening. */
  readonly since: number | null;
  /** In USD, by STAKES_USD. */
  readonly gains: readonly number[];
  readonly solGains: readonly number[];
}

/** @param recorded ranked calls whose marks are recorded, the newest end first */
export function copiedSums(recorded: readonly EndedCall[], rules: ProvenRules): CopiedSums {
  const counted = countedCalls(recorded, rules);
  const opened = counted.map(({ openedAt }) => openedAt);
  const results = counted.flatMap((call) => {
    if (call.copied === null) return [];
    const { ppm, sol } = call.copied;
    return [{ ppm: isLateCall(call, rules) ? ppm.map((each) => Math.min(each, sol)) : ppm, sol }];
  });
  const inUsd = (ppmOf: (result: (typeof results)[number], stake: number) => number) =>
    STAKES_USD.map((usd, stake) => (usd * sum(results.map((result) => ppmOf(result, stake)))) / 1e6);
  return {
    results: counted.length,
    days: new Set(opened.map((at) => Math.floor(at / DAY_MS))).size,
    mostAtOnce: mostAtOnce(counted),
    since: opened.length === 0 ? null : Math.min(...opened),
    gains: inUsd(({ ppm }, stake) => ppm[stake] ?? 0),
    solGains: inUsd(({ sol }) => sol),
  };
}

/** A call that ends in the same millisecond is still held. */
function mostAtOnce(calls: readonly EndedCall[]): number {
  const steps = calls.flatMap(({ openedAt, endedAt }) => [
    { at: openedAt, step: 1 },
    { at: endedAt, step: -1 },
  ]);
  let [held, most] = [0, 0];
  for (const { step } of steps.sort((one, other) => one.at - other.at || other.step - one.step)) {
    held += step;
    most = Math.max(most, held);
  }
  return most;
}

export const isAfterFee = objectOf({
  months: isNumber,
  feeUsd: nullable(isNumber),
  stakes: listOf(objectOf({ stakeUsd: isNumber })),
});
export type AfterFee = Of<typeof isAfterFee>;

/** What the site should show, with its own fee, and its own time if that can be right. */
export function afterFeeOf(sums: CopiedSums, shown: AfterFee, now: number): AfterFee {
  const { since, gains, solGains, ...counts } = sums;
  const monthsAt = (time: number) => (since === null ? 1 : Math.max(1, (time - since) / MONTH_MS));
  const months = Math.min(Math.max(shown.months, monthsAt(now - CLOCK_MS)), monthsAt(now + CLOCK_MS));
  const { feeUsd } = shown;
  const isEnough = counts.results >= LEAST.results && counts.days >= LEAST.days;
  const stakes = STAKES_USD.map((stakeUsd, stake) => {
    const [gainUsd, solUsd] = [gains[stake] ?? 0, solGains[stake] ?? 0];
    return {
      stakeUsd,
      gainUsd,
      solUsd,
      monthUsd: isEnough && feeUsd !== null ? gainUsd / months - feeUsd : null,
      monthSolUsd: isEnough ? solUsd / months : null,
      mostUsd: stakeUsd * counts.mostAtOnce,
    };
  });
  const paysFromUsd =
    isEnough && feeUsd !== null && feeUsd !== 0 ? coveringStake(gains, feeUsd * months) : null;
  const from = since === null ? null : new Date(since).toISOString();
  return { ...counts, since: from, months, feeUsd, stakes, paysFromUsd } as AfterFee;
}

/** Where straight lines through 0 and the gains first reach the fees. */
function coveringStake(gains: readonly number[], feesUsd: number): number | null {
  let [stake, gain] = [0, 0];
  for (const [place, next] of gains.entries()) {
    const usd = STAKES_USD[place] ?? 0;
    if (next >= feesUsd) return stake + ((usd - stake) * (feesUsd - gain)) / (next - gain);
    [stake, gain] = [usd, next];
  }
  return null;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
