import { sum, type CountedCall } from './proven.ts';
import { STAKES_USD } from './results.ts';
import { isNumber, nullable, objectOf, type Of } from './shapes.ts';

// After the fee, as /how-we-count defines it. The fee in USD isn't in the log, so the site's counts.

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const MONTH_MS = 30 * DAY_MS;
const LEAST = { results: 20, days: 10 };
/** The site's clock, and the age of its responses, may differ from this device's clock by this much. */
const CLOCK_MS = HOUR_MS;

/** A call that ends in the same millisecond is still held. */
function mostAtOnce(calls: readonly CountedCall[]): number {
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

/** The members that the log doesn't give. */
export const isAfterFee = objectOf({ months: isNumber, feeUsd: nullable(isNumber) });

/** The members that the site should show, with its own fee, and its own time if that can be right. */
export function afterFeeOf(counted: readonly CountedCall[], shown: Of<typeof isAfterFee>, now: number) {
  const opened = counted.map(({ openedAt }) => openedAt);
  const since = Math.min(...opened);
  const monthsAt = (time: number) => Math.max(1, (time - since) / MONTH_MS);
  const months = Math.min(Math.max(shown.months, monthsAt(now - CLOCK_MS)), monthsAt(now + CLOCK_MS));
  const { feeUsd } = shown;
  const days = new Set(opened.map((at) => Math.floor(at / DAY_MS))).size;
  const isEnough = counted.length >= LEAST.results && days >= LEAST.days;
  const atOnce = mostAtOnce(counted);
  const solUsd = sum(counted.map(({ sol }) => sol)) / 1e6;
  const stakes = STAKES_USD.map((stakeUsd, place) => {
    const gainUsd = (stakeUsd * sum(counted.map(({ copied }) => copied[place] ?? 0))) / 1e6;
    return {
      stakeUsd,
      gainUsd,
      solUsd: stakeUsd * solUsd,
      monthUsd: isEnough && feeUsd !== null ? gainUsd / months - feeUsd : null,
      monthSolUsd: isEnough ? (stakeUsd * solUsd) / months : null,
      mostUsd: stakeUsd * atOnce,
    };
  });
  return {
    results: counted.length,
    days,
    mostAtOnce: atOnce,
    since: counted.length === 0 ? null : new Date(since).toISOString(),
    months,
    feeUsd,
    stakes,
    paysFromUsd: isEnough && feeUsd ? coveringStake(stakes, feeUsd * months) : null,
  };
}

/** Where straight lines through 0 and the gains first reach the fees. */
function coveringStake(
  stakes: readonly Readonly<Record<'stakeUsd' | 'gainUsd', number>>[],
  feesUsd: number,
): number | null {
  let [stake, gain] = [0, 0];
  for (const { stakeUsd, gainUsd } of stakes) {
    if (gainUsd >= feesUsd) return stake + ((stakeUsd - stake) * (feesUsd - gain)) / (gainUsd - gain);
    [stake, gain] = [stakeUsd, gainUsd];
  }
  return null;
}
