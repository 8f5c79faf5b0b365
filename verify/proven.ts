import type { EndedCall } from './chain.ts';
import { studentT } from './student-t.ts';

// Proven, as /how-we-count defines it.

const DAY_MS = 24 * 60 * 60_000;
const CALLS = 500;
const WINDOW_MS = 365 * DAY_MS;
const CAPS = [0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 40, 50, 75, 100, 150, 200];
/** A loss that never happened, on a token and a day of its own. */
const UNSEEN: Result = { percent: -20, tokens: [''], days: [''] };
const LEAST = { results: 20, tokens: 10, bets: 10 };
/** Fractions that add up to a whole bet may be this much below it. */
const ROUNDING = 1e-9;

/** Tells whether the entry at an index, from this time, is late. */
export type IsLate = (index: number, time: number) => boolean;

interface Result {
  readonly percent: number;
  readonly tokens: readonly string[];
  readonly days: readonly string[];
}

interface Rules {
  /** The index of the oldest opening without an end. */
  readonly oldestOpen: number;
  readonly isLate: IsLate;
}

/** A call whose result counts: a late gain is at most that of SOL. */
export type CountedCall = ReturnType<typeof countedCalls>[number];

/**
 * The calls whose results count. A gain doesn't count while it waits for an older open call.
 * @param recorded ranked calls whose marks are recorded, the newest end first
 */
export function countedCalls(recorded: readonly EndedCall[], { oldestOpen, isLate }: Rules) {
  const known = recorded
    .slice(0, CALLS)
    .flatMap(({ result, ...call }) => (result === null ? [] : { ...call, ...result }));
  const newest = known[0]?.endedAt ?? 0;
  return known
    .filter((call) => newest - call.endedAt <= WINDOW_MS && (call.solPpm <= 0 || call.openIndex < oldestOpen))
    .map((call) => {
      const { openIndex, openedAt, endIndex, endedAt, solPpm, sol } = call;
      if (!isLate(openIndex, openedAt) && !isLate(endIndex, endedAt)) return call;
      return { ...call, solPpm: Math.min(solPpm, 0), copied: call.copied.map((ppm) => Math.min(ppm, sol)) };
    });
}

/** Proven, and the numbers of results, tokens and bets. */
export function provenOf(calls: readonly CountedCall[]) {
  const counted = calls.map(({ solPpm, mint, openedAt, endedAt }): Result => {
    const days: string[] = [];
    for (let day = Math.floor(openedAt / DAY_MS); day <= endedAt / DAY_MS; day += 1) days.push(String(day));
    return { percent: solPpm / 10_000, tokens: [mint], days };
  });
  const results = [...counted, UNSEEN];
  const tokens = new Set(counted.flatMap((result) => result.tokens)).size;
  const equal = results.map(() => 1);
  const bets = results.length ** 2 / squaresBy('days', results, equal);
  const wholeBets = Math.floor(bets + ROUNDING);
  const isEnough = counted.length >= LEAST.results && tokens >= LEAST.tokens && wholeBets >= LEAST.bets;
  return {
    proven: isEnough ? highestLimit(results, { tokens: tokens + 1, days: bets }) : null,
    provenResults: counted.length,
    provenTokens: tokens,
    provenBets: wholeBets,
  };
}

/** @param bets how many separate bets each grouping has */
function highestLimit(results: readonly Result[], bets: Record<'tokens' | 'days', number>): number {
  const groupings = (['tokens', 'days'] as const).map((name) => {
    const factor = studentT(bets[name] - 1) * Math.sqrt(bets[name] / (bets[name] - 1));
    return { name, factor: factor / results.length };
  });
  const limits = CAPS.flatMap((cap) => {
    const values = results.map(({ percent }) => Math.min(percent, cap));
    const mean = sum(values) / values.length;
    const differences = values.map((value) => value - mean);
    const errors = groupings.map(
      ({ name, factor }) => factor * Math.sqrt(squaresBy(name, results, differences)),
    );
    return mean - Math.max(...errors);
  });
  return Math.max(...limits);
}

/** Adds each value to its result's groups, 1/√n of it if there are n. Returns the sum of the groups' squares. */
function squaresBy(name: 'tokens' | 'days', results: readonly Result[], values: readonly number[]): number {
  const sums = new Map<string, number>();
  for (const [place, { [name]: groups }] of results.entries()) {
    const share = (values[place] ?? 0) / Math.sqrt(groups.length);
    for (const group of groups) sums.set(group, (sums.get(group) ?? 0) + share);
  }
  return sum([...sums.values()].map((each) => each * each));
}

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
