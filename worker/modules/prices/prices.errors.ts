import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { QuoteRefusal } from '#schema/rules/quotes.ts';
import { AppError } from '../../app/errors.ts';

export const createTokenNotFoundError = () =>
  new AppError({ code: 'tokens.not_found', message: 'Token not found' });

export const createTokenLookupFailedError = () =>
  new AppError({ code: 'prices.unavailable', message: 'Failed to lookup token' });

const refusals: Readonly<Record<QuoteRefusal, { code: ErrorCode; reason: string }>> = {
  unavailable: { code: 'prices.unavailable', reason: 'could not fetch current price' },
  missing: {
    code: 'prices.missing',
    reason: 'no source has a price for this token. Try again later.',
  },
  stale: {
    code: 'prices.stale',
    reason: 'the newest price is over 60 seconds old. Try again in a minute.',
  },
  disagree: {
    code: 'prices.disagree',
    reason: 'the price sources disagree by over 3%. Try again in a minute.',
  },
};

export interface RefusedQuote {
  readonly refusal: QuoteRefusal;
  /** How the message begins: 'Failed to end token call'. */
  readonly action: string;
}

export function createQuoteRefusedError({ refusal, action }: RefusedQuote): AppError {
  const { code, reason } = refusals[refusal];
  return new AppError({ code, message: `${action} - ${reason}` });
}
