import {
  MIN_PROVEN_BETS,
  MIN_PROVEN_RESULTS,
  MIN_PROVEN_TOKENS,
  PROVEN_CAPS_PERCENT,
  UNSEEN_LOSS_PERCENT,
} from '#schema/constants/market.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { PPM_PER_PERCENT } from './follower-return.ts';
import { studentT } from './student-t.ts';

export interface SolResult {
  readonly mint: string;
  readonly calledAt: number;
  readonly endedAt: number;
  /** A follower's gain beyond holding SOL, in millionths. */
  readonly solPpm: number;
}

export interface ProvenFigures {
  /**
   * The certain gain in SOL per call beyond holding it, in percent. Null with too few results, tokens or bets. Callers
   * above 0 come first in orders by a rate or return.
   */
  readonly proven: number | null;
  readonly provenResults: number;
  readonly provenTokens: number;
  /** The number of separate bets, rounded down. The loss that never happened is one of them. */
  readonly provenBets: number;
}

/** The numbers of the groups that a result belongs to: its token, or the days on which its call was open. */
interface Groups {
  readonly first: number;
  readonly last: number;
}

const CAPS = PROVEN_CAPS_PERCENT.map((percent) => percent * PPM_PER_PERCENT);
/** The parts of one bet may add up to slightly less than 1. */
const ROUNDING = 1e-9;
/** The loss that never happened has a token and a day of its own. */
const UNSEEN: Groups = { first: 0, last: 0 };

/**
 * Computes how much more SOL per call than holding it is certain: the largest lower limit over the caps. A result above
 * the cap counts as the cap, so that a great call never lowers the limit by its spread.
 */
export function provenFigures(results: readonly SolResult[]): ProvenFigures {
  const mints = [...new Set(results.map(({ mint }) => mint))];
  const numbers = new Map(mints.map((mint, index) => [mint, index + 1]));
  const tokens = results.map(({ mint }) => {
    const number = numbers.get(mint) ?? 0;
    return { first: number, last: number };
  });
  const start = Math.min(...results.map(({ calledAt }) => dayOf(calledAt))) - 1;
  const days = results.map(({ calledAt, endedAt }) => {
    return { first: dayOf(calledAt) - start, last: dayOf(endedAt) - start };
  });
  const equal = [1, ...results.map(() => 1)];
  const bets = equal.length ** 2 / sumOfSquares([UNSEEN, ...days], equal);
  const figures = {
    provenResults: results.length,
    provenTokens: mints.length,
    provenBets: Math.floor(bets + ROUNDING),
  };
  if (provenNeeds(figures).some(({ count, least }) => count < least)) return { proven: null, ...figures };
  const values = [UNSEEN_LOSS_PERCENT * PPM_PER_PERCENT, ...results.map(({ solPpm }) => solPpm)];
  const errors = [errorBy([UNSEEN, ...tokens], mints.length + 1), errorBy([UNSEEN, ...days], bets)];
  const limits = CAPS.map((cap) => {
    const capped = values.map((value) => Math.min(value, cap));
    const mean = capped.reduce((sum, value) => sum + value, 0) / capped.length;
    const differences = capped.map((value) => value - mean);
    return mean - Math.max(...errors.map((error) => error(differences)));
  });
  return { proven: Math.max(...limits) / PPM_PER_PERCENT, ...figures };
}

/** The results, tokens and bets that Proven needs, and the number of each. */
export function provenNeeds({ provenResults, provenTokens, provenBets }: Omit<ProvenFigures, 'proven'>) {
  return [
    { count: provenResults, least: MIN_PROVEN_RESULTS, name: 'results' },
    { count: provenTokens, least: MIN_PROVEN_TOKENS, name: 'tokens' },
    { count: provenBets, least: MIN_PROVEN_BETS, name: 'separate bets' },
  ] as const;
}

const dayOf = (at: number) => Math.floor(at / DAY_MS);

/** Half of the 95% confidence interval of a mean, with a standard error clustered by these groups. */
function errorBy(groups: readonly Groups[], bets: number) {
  const factor = (studentT(bets - 1) * Math.sqrt(bets / (bets - 1))) / groups.length;
  return (differences: readonly number[]) => factor * Math.sqrt(sumOfSquares(groups, differences));
}

/** Each value is divided among its n groups, 1/√n of it to each. Adds up the squares of the groups' sums. */
function sumOfSquares(groups: readonly Groups[], values: readonly number[]): number {
  // Each group's sum minus the one of the group before it.
  const steps = new Float64Array(2 + Math.max(...groups.map(({ last }) => last)));
  groups.forEach(({ first, last }, index) => {
    const part = (values[index] ?? 0) / Math.sqrt(last - first + 1);
    steps[first] = (steps[first] ?? 0) + part;
    steps[last + 1] = (steps[last + 1] ?? 0) - part;
  });
  let sum = 0;
  return steps.reduce((total, step) => total + (sum += step) ** 2, 0);
}
