import type { QuoteRefusal } from '#schema/rules/quotes.ts';
import { AppError } from '../../app/errors.ts';

export const createTokenNotFoundError = () =>
  new AppError({ code: 'tokens.not_found', message: 'Token not found' });

export const createTokenLookupFailedError = () =>
  new AppError({ code: 'prices.unavailable', message: 'Failed to lookup token' });

const reasons: Readonly<Record<QuoteRefusal, string>> = {
  unavailable: 'could not fetch current price',
  missing: 'no source has a price for this token. Try again later.',
  stale: 'the newest price is over 60 seconds old. Try again in a minute.',
  disagree: 'the price sources disagree by over 3%. Try again in a minute.',
};

/** @param action how the message begins, for example 'Failed to end token call' */
export const createQuoteRefusedError = (refusal: QuoteRefusal, action: string) =>
  new AppError({ code: `prices.${refusal}`, message: `${action} - ${reasons[refusal]}` });
