import { MARK_DELAY_MS } from '#schema/constants/market.ts';
import { SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { followerResult, type FollowedCall } from './follower-return.ts';

/** An ended ranked call with its marks, as everybody may see it. A mark is null if no source responded that minute. */
export interface CopiedCall extends FollowedCall {
  readonly id: string;
  readonly tokenSymbol: string;
  readonly callTimestamp: string;
  readonly endTimestamp: string;
}

export interface ChargedFee {
  /** Decimal string in SOL; null means Free. */
  readonly monthlyFee: string | null;
  /** The midnight (ISO 8601) at which the next fee begins. Null for the present fee. */
  readonly until: string | null;
}

export interface CopiedCaller {
  readonly calls: readonly CopiedCall[];
  /** Oldest first, up to the present one. */
  readonly fees: readonly ChargedFee[];
}

export interface CalculatorInput {
  readonly callers: readonly CopiedCaller[];
  readonly stakeUsd: number;
  /** Calls made since then count, and fees are paid from then on. Unix ms. */
  readonly since: number;
  readonly until: number;
}

export interface CalculatorPoint {
  readonly at: number;
  readonly netUsd: number;
  readonly solUsd: number;
}

export interface Calculation {
  readonly calls: number;
  /** Calls that nobody could follow, because there is no price from a minute later. */
  readonly callsWithoutResult: number;
  /** After swap fees and price impact, before subscription fees. */
  readonly gainUsd: number;
  readonly feesUsd: number;
  readonly netUsd: number;
  /** The gain of SOL, bought and sold for the same stakes at the same times, without any fees. */
  readonly solUsd: number;
  /** The least money with which every call could be bought and every fee paid at its time. */
  readonly neededUsd: number;
  readonly largestDropUsd: number;
  readonly mostAtOnce: number;
  /** The share of the time from `since` to `until` in which at least one call was open, from 0 to 1. */
  readonly investedShare: number;
  /** Oldest first. */
  readonly points: readonly CalculatorPoint[];
}

/** A purchase, a sale or a fee. Amounts are in millionths of a dollar. */
interface Event {
  readonly at: number;
  /** At one time, sales come first, then fees, then purchases. */
  readonly order: 0 | 1 | 2;
  readonly cash: number;
  readonly net: number;
  readonly sol: number;
  readonly open: -1 | 0 | 1;
}

const MILLION = 1e6;

/**
 * Calculates the gains of the same amount in each ended ranked call, bought and sold one minute late.
 * It counts whole millionths of a dollar and uses nothing but ended calls and their marks, so a result never changes
 * afterwards, except that later calls and fees are added.
 */
export function calculate(input: CalculatorInput): Calculation {
  const { callers, stakeUsd, since, until } = input;
  const counted = callers.flatMap(({ calls }) =>
    calls.filter((call) => boughtAt(call) - MARK_DELAY_MS >= since),
  );
  const trades = counted.flatMap((call) => tradeOf(call, stakeUsd));
  const fees = callers.flatMap((caller) => feesOf(caller, { since, until }));
  const events = [...trades, ...fees].toSorted((one, other) => one.at - other.at || one.order - other.order);
  const calls = trades.length / 2;
  const gain = sum(trades.map(({ net }) => net));
  const paid = sum(fees.map(({ net }) => 0 - net));
  return {
    calls,
    callsWithoutResult: counted.length - calls,
    gainUsd: gain / MILLION,
    feesUsd: paid / MILLION,
    netUsd: (gain - paid) / MILLION,
    solUsd: sum(trades.map(({ sol }) => sol)) / MILLION,
    ...follow(events, { since, until }),
  };
}

const boughtAt = ({ callTimestamp }: CopiedCall) => Date.parse(callTimestamp) + MARK_DELAY_MS;
const soldAt = ({ endTimestamp }: CopiedCall) => Date.parse(endTimestamp) + MARK_DELAY_MS;

/** The gain of this amount with one call in USD, before subscription fees. Null if the call has no result. */
export function gainOf(call: FollowedCall, stakeUsd: number): number | null {
  const { ppm } = followerResult(call, stakeUsd);
  return ppm === null ? null : (stakeUsd * ppm) / MILLION;
}

function tradeOf(call: CopiedCall, stakeUsd: number): Event[] {
  const gain = gainOf(call, stakeUsd);
  if (gain === null) return [];
  const stake = stakeUsd * MILLION;
  const net = Math.round(gain * MILLION);
  return [
    { at: boughtAt(call), order: 2, cash: -stake, net: 0, sol: 0, open: 1 },
    { at: soldAt(call), order: 0, cash: stake + net, net, sol: solGain(call, stakeUsd), open: -1 },
  ];
}

function follow(events: readonly Event[], { since, until }: { since: number; until: number }) {
  let [cash, lowestCash, net, sol, peak, largestDrop, open, mostAtOnce, invested] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0,
  ];
  let openSince = since;
  const points: CalculatorPoint[] = [];
  for (const event of events) {
    if (open === 0 && event.open === 1) openSince = event.at;
    cash += event.cash;
    net += event.net;
    sol += event.sol;
    open += event.open;
    if (open === 0 && event.open === -1) invested += event.at - openSince;
    lowestCash = Math.min(lowestCash, cash);
    mostAtOnce = Math.max(mostAtOnce, open);
    peak = Math.max(peak, net);
    largestDrop = Math.max(largestDrop, peak - net);
    if (event.order < 2) points.push({ at: event.at, netUsd: net / MILLION, solUsd: sol / MILLION });
  }
  return {
    neededUsd: (0 - lowestCash) / MILLION,
    largestDropUsd: largestDrop / MILLION,
    mostAtOnce,
    investedShare: until > since ? Math.min(1, invested / (until - since)) : 0,
    points,
  };
}

/** If a mark has no SOL price, SOL's price counts as unchanged. */
function solGain({ open, end }: CopiedCall, stakeUsd: number): number {
  const [bought, sold] = [open?.solPriceUsd, end?.solPriceUsd];
  if (!bought || !sold) return 0;
  return Math.round(stakeUsd * (Number(sold) / Number(bought) - 1) * MILLION);
}

/**
 * The fees in force at the starts of all periods before `until`, at SOL's price of the first end mark in the period. Marks of
 * openings don't count: they become public only when their call ends, and would change an earlier fee.
 */
function feesOf({ fees, calls }: CopiedCaller, span: { since: number; until: number }): Event[] {
  const prices = solPrices(calls);
  return periodStarts(span).flatMap((at) => {
    const fee = feeAt(fees, at);
    if (fee === 0) return [];
    const paid = -Math.round(fee * solPriceIn(prices, at) * MILLION);
    return [{ at, order: 1, cash: paid, net: paid, sol: 0, open: 0 }];
  });
}

function feeAt(fees: readonly ChargedFee[], at: number): number {
  const charged = fees.find(({ until }) => until === null || at < Date.parse(until));
  return Number(charged?.monthlyFee ?? 0);
}

function periodStarts({ since, until }: { since: number; until: number }): number[] {
  const count = Math.max(0, Math.ceil((until - since) / SUBSCRIPTION_PERIOD_MS));
  return Array.from({ length: count }, (_, index) => since + index * SUBSCRIPTION_PERIOD_MS);
}

interface SolPrice {
  readonly at: number;
  readonly price: number;
}

function solPrices(calls: readonly CopiedCall[]): SolPrice[] {
  return calls
    .flatMap((call) =>
      call.end?.solPriceUsd ? [{ at: soldAt(call), price: Number(call.end.solPriceUsd) }] : [],
    )
    .toSorted((one, other) => one.at - other.at);
}

/** SOL's price of the first mark in the period that starts at `at`; without one, of the last mark before it. */
function solPriceIn(prices: readonly SolPrice[], at: number): number {
  const next = prices.find((mark) => mark.at >= at);
  const isInPeriod = next !== undefined && next.at < at + SUBSCRIPTION_PERIOD_MS;
  const before = prices.findLast((mark) => mark.at < at);
  return (isInPeriod ? next : (before ?? next))?.price ?? 0;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
