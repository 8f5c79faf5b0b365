import type { QuoteRefusal } from '#schema/rules/quotes.ts';
import { AppError } from '../../app/errors.ts';

export const createTokenNotFoundError = () =>
  new AppError({ code: 'tokens.not_found', message: 'Token not found' });

export const createTokenLookupFailedError = () =>
  new AppError({ code: 'prices.unavailable', message: 'Failed to lookup token' });

/** Why no price could be recorded. `action` is the sentence's beginning, what did not happen. */
export function createQuoteRefusedError({
  refusal,
  action,
}: {
  refusal: QuoteRefusal;
  action: string;
}): AppError {
  switch (refusal) {
    case 'unavailable':
      return new AppError({
        code: 'prices.unavailable',
        message: `${action} - could not fetch current price`,
      });
    case 'missing':
      return new AppError({
        code: 'prices.missing',
        message: `${action} - no source has a price for this token`,
      });
    case 'stale':
      return new AppError({
        code: 'prices.stale',
        message: `${action} - the newest price is over 60 seconds old`,
      });
    case 'disagree':
      return new AppError({
        code: 'prices.disagree',
        message: `${action} - the price sources disagree by over 3%. Try again in a minute`,
      });
  }
}
