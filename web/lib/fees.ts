import { MAX_FEE_LAMPORTS } from '#schema/constants.ts';
import type { FeeProblem } from '#schema/rules/fee-input.ts';
import { formatSol } from '#schema/rules/lamports.ts';

/** Why a fee is refused, in words beside its field. `belowMinimum` differs from place to place. */
export function feeProblemText(problem: FeeProblem, belowMinimum: string): string {
  switch (problem) {
    case 'below_minimum':
      return belowMinimum;
    case 'too_high':
      return `A monthly fee is at most ${formatSol(MAX_FEE_LAMPORTS)} SOL.`;
    case 'not_a_number':
      return 'Enter a plain number in SOL with at most 9 decimals, such as 0.25.';
  }
}
