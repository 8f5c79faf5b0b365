import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { CalculatorInput, CopiedCall } from './calculator.ts';
import { naiveReturnPpm } from './follower-return.test-model.ts';

// A model for tests: computes each of the calculator's figures separately from its definition, without regard to
// speed.

/** Computes each figure from its definition. Amounts are whole millionths of a dollar until the end. */
export function naiveCalculation({ callers, since, until, stakeUsd }: CalculatorInput) {
  const stake = stakeUsd * 1e6;
  const followed = callers.flatMap(({ calls }) => calls).filter((each) => bought(each) - MINUTE_MS >= since);
  const results = followed.map((each) => ({ ...each, gain: naiveGain(each, stakeUsd) }));
  const known = results.filter((each): each is typeof each & { gain: number } => each.gain !== null);
  const payments: { at: number; fee: number }[] = [];
  for (const { fees, calls } of callers) {
    const prices = calls.flatMap((each) =>
      each.end?.solPriceUsd ? [[sold(each), Number(each.end.solPriceUsd)] as const] : [],
    );
    for (let at = since; at < until; at += 30 * DAY_MS) {
      const inPeriod = prices.filter(([seen]) => seen >= at && seen < at + 30 * DAY_MS);
      const earlier = prices.filter(([seen]) => seen < at);
      const first = (some: typeof prices) => some.reduce((one, other) => (other[0] < one[0] ? other : one));
      const last = (some: typeof prices) => some.reduce((one, other) => (other[0] >= one[0] ? other : one));
      let price = 0;
      if (prices.length > 0) price = first(prices)[1];
      if (earlier.length > 0) price = last(earlier)[1];
      if (inPeriod.length > 0) price = first(inPeriod)[1];
      const ended = fees.filter(({ until }) => until !== null && Date.parse(until) <= at).length;
      const fee = Number(fees[ended]?.monthlyFee ?? 0);
      if (fee > 0) payments.push({ at, fee: Math.round(fee * price * 1e6) });
    }
  }
  const gains = (upTo: number) => total(known.filter((each) => sold(each) <= upTo).map(({ gain }) => gain));
  const solGain = ({ open, end }: CopiedCall) =>
    open?.solPriceUsd && end?.solPriceUsd
      ? Math.round(stakeUsd * (Number(end.solPriceUsd) / Number(open.solPriceUsd) - 1) * 1e6)
      : 0;
  // The steps in their order: at one time, sales come before fees, and fees before purchases.
  const steps = [
    ...known.map((each) => ({
      at: sold(each),
      kind: 'a',
      net: each.gain,
      cash: stake + each.gain,
      sol: solGain(each),
      open: -1,
    })),
    ...payments.map(({ at, fee }) => ({ at, kind: 'b', net: -fee, cash: -fee, sol: 0, open: 0 })),
    ...known.map((each) => ({ at: bought(each), kind: 'c', net: 0, cash: -stake, sol: 0, open: 1 })),
  ].sort((one, other) => one.at - other.at || one.kind.localeCompare(other.kind));
  const upTo = (key: 'net' | 'cash' | 'sol' | 'open') =>
    steps.map((_, index) => total(steps.slice(0, index + 1).map((step) => step[key])));
  const nets = upTo('net');
  const drops = nets.map((net, index) => Math.max(0, ...nets.slice(0, index)) - net);
  const minutes = intervalsOf(known.map((each) => [bought(each), sold(each)]));
  const sols = upTo('sol');
  const paid = total(payments.map(({ fee }) => fee));
  const gain = gains(Number.POSITIVE_INFINITY);
  return {
    calls: known.length,
    callsWithoutResult: followed.length - known.length,
    gainUsd: gain / 1e6,
    feesUsd: paid / 1e6,
    netUsd: (gain - paid) / 1e6,
    solUsd: total(known.map(solGain)) / 1e6,
    neededUsd: Math.max(0, ...upTo('cash').map((cash) => -cash)) / 1e6,
    largestDropUsd: Math.max(0, ...drops) / 1e6,
    mostAtOnce: Math.max(0, ...upTo('open')),
    investedShare: until > since ? Math.min(1, minutes / (until - since)) : 0,
    points: steps.flatMap(({ at, kind }, index) =>
      kind === 'c' ? [] : [{ at, netUsd: (nets[index] ?? 0) / 1e6, solUsd: (sols[index] ?? 0) / 1e6 }],
    ),
  };
}

const bought = ({ callTimestamp }: CopiedCall) => Date.parse(callTimestamp) + MINUTE_MS;
export const sold = ({ endTimestamp }: CopiedCall) => Date.parse(endTimestamp) + MINUTE_MS;
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** The length of all intervals together. */
function intervalsOf(intervals: readonly (readonly [number, number])[]): number {
  const edges = [...new Set(intervals.flat())].sort((one, other) => one - other);
  const isCovered = (from: number) => intervals.some(([start, end]) => start <= from && from < end);
  return total(edges.map((edge, index) => (isCovered(edge) ? (edges[index + 1] ?? edge) - edge : 0)));
}

/** In millionths of a dollar. Null without a result. */
function naiveGain(each: CopiedCall, stakeUsd: number): number | null {
  const known = (mark: CopiedCall['open']) =>
    mark === null || mark.price === null ? null : { ...mark, price: mark.price };
  if (each.endPrice === '0' || known(each.end)?.liquidityUsd === 0) return -stakeUsd * 1e6;
  const ppm = naiveReturnPpm(known(each.open), known(each.end), stakeUsd);
  const counted = Math.round(each.countedChange * 10_000);
  if (ppm !== null) return stakeUsd * Math.min(ppm, counted, 2_000_000);
  return each.changePercent >= 0 ? null : stakeUsd * counted;
}
