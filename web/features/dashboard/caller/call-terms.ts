import { THESIS_MAX_LENGTH } from '#schema/constants/market.ts';
import type { CreateCallBody } from '#schema/contracts/calls.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import {
  contradictingLevel,
  LEVEL_RULES,
  readLevel,
  type CallLevel,
} from '#schema/rules/calls/price-levels.ts';
import { TOO_LONG_MESSAGES } from '#schema/rules/text/text-limits.ts';
import { hasCode, reasonOf } from '#web/api/api-error.ts';

export interface CallTerms {
  readonly thesis: string;
  readonly targetPrice: string;
  readonly stopPrice: string;
  readonly isPaidPromotion: boolean;
}

export type TermField = Exclude<keyof CallTerms, 'isPaidPromotion'>;
export type TermProblems = Readonly<Partial<Record<TermField, string>>>;
type PostedTerms = Pick<CreateCallBody, 'thesis' | 'targetPrice' | 'stopPrice' | 'isPaidPromotion'>;

export const NO_TERMS: CallTerms = { thesis: '', targetPrice: '', stopPrice: '', isPaidPromotion: false };

export function hasTerms(terms: CallTerms): boolean {
  return Object.keys(toPostedTerms(terms)).length > 0;
}

/** Each field's problem at this price, a decimal string in USD. The server checks at its own price. */
export function findTermProblems({ thesis, targetPrice, stopPrice }: CallTerms, price: string): TermProblems {
  return {
    ...(thesis.trim().length > THESIS_MAX_LENGTH && { thesis: TOO_LONG_MESSAGES.thesis }),
    ...findLevelProblem({ level: 'target', text: targetPrice, price }),
    ...findLevelProblem({ level: 'stop', text: stopPrice, price }),
  };
}

export function refusedTermOf(error: unknown): TermProblems | null {
  const reason = (level: CallLevel) => reasonOf(error, `${LEVEL_RULES[level]}.`);
  if (hasCode(error, 'calls.target_invalid')) return { targetPrice: reason('target') };
  if (hasCode(error, 'calls.stop_invalid')) return { stopPrice: reason('stop') };
  return null;
}

export function toPostedTerms({ thesis, targetPrice, stopPrice, isPaidPromotion }: CallTerms): PostedTerms {
  return {
    ...(thesis.trim() !== '' && { thesis: thesis.trim() }),
    ...(targetPrice.trim() !== '' && { targetPrice: targetPrice.trim() }),
    ...(stopPrice.trim() !== '' && { stopPrice: stopPrice.trim() }),
    ...(isPaidPromotion && { isPaidPromotion }),
  };
}

type TypedLevel = Readonly<{ level: CallLevel; text: string; price: string }>;

function findLevelProblem({ level, text, price }: TypedLevel): TermProblems {
  if (text.trim() === '') return {};
  const field = `${level}Price` as const;
  const value = readLevel(text);
  if (value === null) return { [field]: 'Enter a price above 0 in USD, such as 0.25.' };
  const isAllowed =
    contradictingLevel({ targetPrice: null, stopPrice: null, [field]: value }, price) === null;
  return isAllowed ? {} : { [field]: `${LEVEL_RULES[level]}. The current price is $${formatPrice(price)}.` };
}
