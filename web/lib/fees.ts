import { MAX_FEE_LAMPORTS } from '#schema/constants.ts';
import type { FeeProblem } from '#schema/rules/fee-input.ts';
import { formatSol, parseSol } from '#schema/rules/lamports.ts';

/** `monthlyFee` is a decimal string in SOL. */
export function isFreeCaller({ monthlyFee }: { readonly monthlyFee: string | null | undefined }): boolean {
  return monthlyFee == null || parseSol(monthlyFee) === 0n;
}

/** The error text of a fee field. `belowMinimum` is the text for a fee under the form's minimum. */
export function feeProblemText(problem: FeeProblem, belowMinimum: string): string {
  switch (problem) {
    case 'below_minimum':
      return belowMinimum;
    case 'too_high':
      return `The monthly fee can be at most ${formatSol(MAX_FEE_LAMPORTS)} SOL.`;
    case 'not_a_number':
      return 'Enter an amount in SOL with at most 9 decimals, such as 0.25.';
  }
}
