import { THESIS_MAX_LENGTH } from '#schema/constants.ts';
import type { CreateCallBody } from '#schema/contracts/calls.ts';
import { formatPrice } from '#schema/rules/format.ts';
import { contradictingLevel, readLevel } from '#schema/rules/price-levels.ts';
import { TOO_LONG } from '#schema/rules/text-limits.ts';
import { hasCode } from '#web/api/api-error.ts';

/** What a caller may say with a call, as it is typed. */
export interface CallTerms {
  readonly thesis: string;
  readonly targetPrice: string;
  readonly stopPrice: string;
  readonly isPaidPromotion: boolean;
}

export type TermField = Exclude<keyof CallTerms, 'isPaidPromotion'>;
export type TermProblems = Readonly<Partial<Record<TermField, string>>>;

export const NO_TERMS: CallTerms = { thesis: '', targetPrice: '', stopPrice: '', isPaidPromotion: false };

/** What would be refused at this price, by field; the server decides at its own price. */
export function findTermProblems({ thesis, targetPrice, stopPrice }: CallTerms, price: string): TermProblems {
  return {
    ...(thesis.trim().length > THESIS_MAX_LENGTH && {
      thesis: TOO_LONG.thesis,
    }),
    ...describe('targetPrice', levelProblem({ level: 'target', text: targetPrice, price })),
    ...describe('stopPrice', levelProblem({ level: 'stop', text: stopPrice, price })),
  };
}

/** The server's refusal of a target or a stop, by field; `null` when that was not why. */
export function refusedTermOf(error: unknown): TermProblems | null {
  if (hasCode(error, 'calls.target_invalid')) return { targetPrice: error.reason ?? rules.target };
  if (hasCode(error, 'calls.stop_invalid')) return { stopPrice: error.reason ?? rules.stop };
  return null;
}

/** What of it is posted: only what was said. */
export function toPostedTerms({
  thesis,
  targetPrice,
  stopPrice,
  isPaidPromotion,
}: CallTerms): Pick<CreateCallBody, 'thesis' | 'targetPrice' | 'stopPrice' | 'isPaidPromotion'> {
  return {
    ...(thesis.trim() !== '' && { thesis: thesis.trim() }),
    ...(targetPrice.trim() !== '' && { targetPrice: targetPrice.trim() }),
    ...(stopPrice.trim() !== '' && { stopPrice: stopPrice.trim() }),
    ...(isPaidPromotion && { isPaidPromotion }),
  };
}

const rules = {
  target: 'A target must be above the entry price.',
  stop: 'A stop must be below the entry price.',
} as const;

function levelProblem({
  level,
  text,
  price,
}: {
  level: 'target' | 'stop';
  text: string;
  price: string;
}): string | null {
  if (text.trim() === '') return null;
  const value = readLevel(text);
  if (value === null) return 'Enter a price above 0 in USD, such as 0.25.';
  const isWrong =
    contradictingLevel(
      { targetPrice: level === 'target' ? value : null, stopPrice: level === 'stop' ? value : null },
      price,
    ) !== null;
  return isWrong ? `${rules[level]} The price is $${formatPrice(price)} now.` : null;
}

function describe(field: TermField, problem: string | null): TermProblems {
  return problem === null ? {} : { [field]: problem };
}
