import { DAY_MS } from '#schema/constants/time.ts';
import { averageReturn, winRate } from './performance.ts';

export interface RecapCall {
  readonly symbol: string;
  readonly countedChange: number | null;
}

type RankedCall = RecapCall & { readonly countedChange: number };

/** A caller's ended calls of a week or month. The figures count ranked calls only. */
export interface Recap {
  readonly endedCalls: number;
  readonly rankedCalls: number;
  readonly winRate: number | null;
  readonly avgReturn: number | null;
  readonly best: RankedCall | null;
  readonly worst: RankedCall | null;
}

export function recapOf(calls: readonly RecapCall[]): Recap {
  const ranked = calls
    .flatMap(({ symbol, countedChange }) => (countedChange === null ? [] : [{ symbol, countedChange }]))
    .toSorted((one, other) => other.countedChange - one.countedChange);
  const changes = ranked.map(({ countedChange }) => countedChange);
  return {
    endedCalls: calls.length,
    rankedCalls: ranked.length,
    winRate: winRate(changes),
    avgReturn: averageReturn(changes),
    best: ranked[0] ?? null,
    worst: ranked.length < 2 ? null : (ranked.at(-1) ?? null),
  };
}

const WEEK_MS = 7 * DAY_MS;
/** 1970-01-05, a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The beginning of the week, Monday 00:00 UTC, in unix ms. */
export const weekStart = (now: number): number => now - ((now - FIRST_MONDAY_MS) % WEEK_MS);
