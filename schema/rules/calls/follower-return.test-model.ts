import type { Mark } from './follower-return.ts';
import {
  meanOf,
  subtract,
  add,
  read,
  rounded,
  divide,
  multiply,
  type Fraction,
} from './fraction.test-model.ts';
import { studentT } from './student-t.ts';

// A model for tests: computes results in exact fractions, and the figures as their definition says. Shares only
// Student's t with the rules.

/** The output of a swap: the product of the two reserves stays the same, after 0.3% of the input. */
function swap({ input, reserveIn, reserveOut }: Record<'input' | 'reserveIn' | 'reserveOut', Fraction>) {
  const added = multiply(input, read('0.997'));
  const product = multiply(reserveIn, reserveOut);
  return subtract(reserveOut, divide(product, add(reserveIn, added)));
}

/** Returns the follower return in millionths of the stake; null if a price or liquidity is unknown. */
export function naiveReturnPpm(entry: Mark | null, end: Mark | null, stakeUsd: number): number | null {
  if (!entry?.price || !entry.liquidityUsd || !end?.price || !end.liquidityUsd) return null;
  const pools = [entry, end].map(({ price, liquidityUsd }) => {
    const usd = divide(read(liquidityUsd ?? 0), read(2));
    return { usd, tokens: divide(usd, read(price ?? 0)) };
  });
  const [buying, selling] = pools as [(typeof pools)[number], (typeof pools)[number]];
  const stake = read(stakeUsd);
  const tokens = swap({ input: stake, reserveIn: buying.usd, reserveOut: buying.tokens });
  const proceeds = swap({ input: tokens, reserveIn: selling.tokens, reserveOut: selling.usd });
  return rounded(multiply(divide(subtract(proceeds, stake), stake), read(1_000_000)));
}

/** An ended call as the API shows it. */
export interface NaiveCall {
  readonly entryPrice: string;
  readonly endPrice: string;
  readonly calledAt: number;
  readonly endedAt: number;
  /** True if the gain counts as 0%. */
  readonly isUncounted: boolean;
  readonly open: Mark | null;
  readonly end: Mark | null;
}

const changeOf = ({ entryPrice, endPrice }: NaiveCall) =>
  subtract(divide(read(endPrice), read(entryPrice)), read(1));

/** Returns a call's follower result in millionths. Null without a result. */
export function naiveResult(call: NaiveCall, stakeUsd = 1_000): number | null {
  const { endPrice, isUncounted, open, end } = call;
  if (Number(endPrice) === 0 || end?.liquidityUsd === 0) return -1_000_000;
  const change = changeOf(call);
  const counted = isUncounted ? 0 : rounded(multiply(change, read(1_000_000)));
  const traded = naiveReturnPpm(open, end, stakeUsd);
  if (traded !== null) return Math.min(traded, counted, 2_000_000);
  return change.numerator >= 0n ? null : counted;
}

/** Returns what the follower made beyond holding SOL, in millionths. */
export function naiveSolResult(call: NaiveCall): number | null {
  const { endPrice, calledAt, endedAt, isUncounted, open, end } = call;
  const ppm = naiveResult(call);
  if (ppm === null) return null;
  if (!open?.solPriceUsd || !end?.solPriceUsd) {
    const isLost = Number(endPrice) === 0 || end?.liquidityUsd === 0;
    const own = isLost ? -1_000_000 : rounded(multiply(changeOf(call), read(1_000_000)));
    return Math.min(0, own);
  }
  const sol = divide(read(end.solPriceUsd), read(open.solPriceUsd));
  const held = subtract(divide(divide(read(1_000_000 + ppm), read(1_000_000)), sol), read(1));
  const isShort = endedAt - calledAt < 10 * 60_000;
  return Math.min(isUncounted || isShort ? 0 : 2_000_000, rounded(multiply(held, read(1_000_000))));
}

/** Returns what three stakes and SOL made between the marks. Where a gain counts as 0, a stake is at most SOL's change. */
export function naiveCopied(call: NaiveCall) {
  const { calledAt, endedAt, isUncounted, open, end } = call;
  const isKnown = Boolean(open?.solPriceUsd) && Boolean(end?.solPriceUsd);
  const change = () => subtract(divide(read(end?.solPriceUsd ?? 0), read(open?.solPriceUsd ?? 0)), read(1));
  const sol = isKnown ? rounded(multiply(change(), read(1_000_000))) : 0;
  const isZero = isUncounted || endedAt - calledAt < 10 * 60_000 || !isKnown;
  const ppm = [100, 1_000, 10_000].map((stakeUsd) => naiveResult(call, stakeUsd));
  if (ppm.includes(null)) return null;
  return { ppm: ppm.map((each) => (isZero && (each ?? 0) > sol ? sol : (each ?? 0))), sol };
}

interface NaiveCopy extends NaiveRecord {
  readonly copied: { readonly ppm: readonly number[]; readonly sol: number } | null;
}

/** Computes the sums of After the fee from a caller's records, newest end first. */
export function naiveSums(records: readonly NaiveCopy[], oldestOpenAt: number | null) {
  const counted = countedForProven(records, oldestOpenAt);
  const parts = counted.flatMap(({ copied, isLate }) => {
    if (copied === null) return [];
    return [{ ...copied, ppm: copied.ppm.map((ppm) => (isLate && ppm > copied.sol ? copied.sol : ppm)) }];
  });
  const openAt = (at: number) => counted.filter(({ calledAt, endedAt }) => calledAt <= at && at <= endedAt);
  return {
    results: counted.length,
    days: new Set(counted.map(({ calledAt }) => new Date(calledAt).toDateString())).size,
    since: counted.length === 0 ? null : new Date(Math.min(...counted.map(({ calledAt }) => calledAt))),
    mostAtOnce: Math.max(0, ...counted.map(({ calledAt }) => openAt(calledAt).length)),
    ppm: [0, 1, 2].map((stake) => total(parts.map(({ ppm }) => ppm[stake] ?? 0))),
    sol: total(parts.map(({ sol }) => sol)),
  };
}

interface NaiveTerms {
  readonly feeSol: number;
  readonly solPrice: number;
  readonly now: number;
}

/** Computes the value of the order by After the fee: percent a month of the most money at one time, with 1,000 USD per call. */
export function naiveAfterFeePercent(sums: ReturnType<typeof naiveSums>, terms: NaiveTerms): number | null {
  const { results, days, since, mostAtOnce, ppm, sol } = sums;
  if (results < 20 || days < 10 || since === null) return null;
  const [gainUsd, solUsd] = [(ppm[1] ?? 0) / 1_000, sol / 1_000];
  const months = Math.max(1, (terms.now - since.getTime()) / (30 * DAY_MS));
  return ((gainUsd - solUsd) / months - terms.feeSol * terms.solPrice) / (mostAtOnce * 10);
}

export interface NaiveRecord {
  readonly mint: string;
  readonly calledAt: number;
  readonly endedAt: number;
  readonly ppm: number | null;
  readonly solPpm: number | null;
  readonly isLate: boolean;
}

const DAY_MS = 86_400_000;
// prettier-ignore
const CAPS = [0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 40, 50, 75, 100, 150, 200];

interface Counted {
  readonly mint: string;
  readonly days: readonly string[];
  readonly percent: number;
}

/** Computes a caller's figures from their records, newest end first. */
export function naiveFigures(records: readonly NaiveRecord[], oldestOpenAt: number | null) {
  const window = records.slice(0, 200);
  const results = window.filter(({ ppm }) => ppm !== null).map(({ ppm }) => read(ppm ?? 0));
  const counted = countedForProven(records, oldestOpenAt).map(
    ({ mint, calledAt, endedAt, solPpm, isLate }) => {
      const percent = Math.min(solPpm ?? 0, isLate ? 0 : 2_000_000) / 10_000;
      return { mint, days: daysFrom(calledAt, endedAt), percent };
    },
  );
  const calls = [...counted, { mint: 'never called', days: ['never'], percent: -20 }];
  const tokens = partsOf(calls, ({ mint }) => [mint]);
  const open = partsOf(calls, ({ days }) => days);
  const bets = calls.length ** 2 / total(open.map((parts) => total(parts.map(({ share }) => share)) ** 2));
  const isEnough = counted.length >= 20 && tokens.length > 10 && bets >= 10 - 1e-9;
  const limits = () =>
    CAPS.map((cap) =>
      Math.min(lowerLimit(calls, cap, tokens, tokens.length), lowerLimit(calls, cap, open, bets)),
    );
  const mean = results.length === 0 ? null : meanOf(results);
  return {
    calls: results.length,
    callsWithoutResult: window.length - results.length,
    followerReturn: mean && Number(mean.numerator) / Number(mean.denominator * 10_000n),
    proven: isEnough ? Math.max(...limits()) : null,
    provenResults: counted.length,
    provenTokens: tokens.length - 1,
    provenBets: Math.floor(bets + 1e-9),
  };
}

function countedForProven<Each extends NaiveRecord>(records: readonly Each[], oldestOpenAt: number | null) {
  const known = records.slice(0, 500).filter(({ solPpm }) => solPpm !== null);
  return known
    .filter(({ endedAt }) => endedAt >= (known[0]?.endedAt ?? 0) - 365 * DAY_MS)
    .filter(({ calledAt, solPpm }) => (solPpm ?? 0) <= 0 || calledAt < (oldestOpenAt ?? Infinity));
}

function daysFrom(from: number, until: number): string[] {
  const days: string[] = [];
  for (let at = from - (from % DAY_MS); at <= until; at += DAY_MS) days.push(new Date(at).toISOString());
  return days;
}

interface Part {
  readonly call: Counted;
  readonly group: string;
  readonly share: number;
}

/** Each group's parts of the calls. */
function partsOf(calls: readonly Counted[], groupsOf: (call: Counted) => readonly string[]): Part[][] {
  const parts = calls.flatMap((call) => {
    const groups = groupsOf(call);
    return groups.map((group) => ({ call, group, share: 1 / Math.sqrt(groups.length) }));
  });
  return [...Map.groupBy(parts, ({ group }) => group).values()];
}

function lowerLimit(calls: readonly Counted[], cap: number, groups: readonly Part[][], bets: number): number {
  const capped = ({ percent }: Counted) => Math.min(percent, cap);
  const mean = total(calls.map(capped)) / calls.length;
  const squares = groups.map(
    (parts) => total(parts.map(({ call, share }) => share * (capped(call) - mean))) ** 2,
  );
  return mean - studentT(bets - 1) * Math.sqrt((bets / (bets - 1)) * (total(squares) / calls.length ** 2));
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
