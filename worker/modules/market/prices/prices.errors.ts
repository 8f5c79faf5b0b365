import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { CallSide, QuoteRefusal } from '#schema/rules/prices/quotes.ts';
import { AppError } from '../../../app/errors.ts';

export const createTokenLookupFailedError = () =>
  new AppError({ code: 'prices.unavailable', message: 'Failed to lookup token' });

export const createTooManyLookupsError = () =>
  new AppError({
    code: 'tokens.too_many_lookups',
    message: 'You look up new tokens too fast. Wait a minute, or sign in.',
    retryAfterSeconds: MINUTE_MS / SECOND_MS,
  });

export const createTooManySearchesError = ({ waitMs }: { waitMs: number }) => {
  const seconds = secondsFrom(waitMs);
  return new AppError({
    code: 'tokens.too_many_searches',
    message: `You search for tokens too fast. Try again in ${seconds.text}, or paste the mint address.`,
    retryAfterSeconds: seconds.count,
  });
};

export const createSearchBusyError = ({ waitMs }: { waitMs: number }) => {
  const seconds = secondsFrom(waitMs);
  return new AppError({
    code: 'prices.busy',
    message: `We can't search for tokens right now. Try again in ${seconds.text}, or paste the mint address.`,
    retryAfterSeconds: seconds.count,
  });
};

const actions: Readonly<Record<CallSide, string>> = {
  open: 'Failed to create token call',
  end: 'Failed to end token call',
};

const reasons: Readonly<Record<QuoteRefusal, string>> = {
  unavailable: 'could not fetch current price',
  missing: 'no source has a price for this token. Try again later.',
  stale: 'the newest price is over 60 seconds old. Try again in a minute.',
  undated:
    "we can't tell how old the newest price is, because Solana doesn't respond. Try again in a minute.",
  unit_unknown:
    "we can't tell for which unit of this token the price is, because Solana or a price source doesn't say. Try again in a minute.",
  disagree: 'the price sources disagree by over 3%. Try again in a minute.',
};

/** We have used up a source's rate limit. The source isn't down, so the other source alone isn't enough. */
export const createPricesBusyError = ({ side, waitMs }: { side: CallSide; waitMs: number }) => {
  const seconds = secondsFrom(waitMs);
  return new AppError({
    code: 'prices.busy',
    message:
      `${actions[side]} - we can't ask for more prices right now. Nothing was recorded. ` +
      `Try again in ${seconds.text}.`,
    retryAfterSeconds: seconds.count,
  });
};

export const createQuoteRefusedError = (refusal: QuoteRefusal, side: CallSide) =>
  new AppError({ code: `prices.${refusal}`, message: `${actions[side]} - ${reasons[refusal]}` });

function secondsFrom(waitMs: number): { readonly count: number; readonly text: string } {
  const count = Math.max(1, Math.ceil(waitMs / SECOND_MS));
  return { count, text: count === 1 ? 'a second' : `${count} seconds` };
}
